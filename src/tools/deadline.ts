/** Limits how long something may take. */
import type { Clock } from "../plugins/sessions.ts";

/** The work's own answer, or `undefined` when the time ran out first. The work itself is not stopped by this. */
export async function withinDeadline<Result extends object>(
  work: Promise<Result>,
  { clock, limitMs }: { clock: Clock; limitMs: number },
): Promise<Result | undefined> {
  const late = Promise.withResolvers<undefined>();
  const callOff = clock.wakeAt(clock.now() + limitMs, () => late.resolve(undefined));
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    callOff();
  }
}

export function pause(clock: Clock, waitMs: number): Promise<void> {
  return new Promise((resolve) => {
    clock.wakeAt(clock.now() + waitMs, resolve);
  });
}
