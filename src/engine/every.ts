/** Repeats work at a steady pace. */
import type { Clock } from "./clock.ts";

export function every({ clock }: { clock: Clock }, periodMs: number, work: () => void): () => void {
  let callOff: (() => void) | undefined;
  const arm = (): void => {
    callOff = clock.wakeAt(clock.now() + periodMs, () => {
      work();
      arm();
    });
  };
  arm();
  return () => callOff?.();
}
