/** The machine's clock, which a test can push ahead where a person would have to wait; what falls due so is woken at once. */
import { type Clock, systemClock } from "../../src/engine/clock.ts";

export type LeapingClock = Clock & { leap(ms: number): void };

export function leapingClock(): LeapingClock {
  const sleepers = new Set<() => void>();
  let aheadMs = 0;
  return {
    now: () => systemClock.now() + aheadMs,
    wakeAt(atMs, wake) {
      let callOff: (() => void) | undefined;
      const arm = (): void => {
        callOff?.();
        callOff = systemClock.wakeAt(atMs - aheadMs, () => {
          sleepers.delete(arm);
          wake();
        });
      };
      sleepers.add(arm);
      arm();
      return () => {
        sleepers.delete(arm);
        callOff?.();
      };
    },
    leap(ms) {
      aheadMs += ms;
      for (const arm of sleepers) arm();
    },
  };
}
