/** Runs a plugin's code so that its exceptions and delays affect nobody else. */
import type { Clock } from "../sessions.ts";

export type Contained = { clock: Clock; timeoutMs: number; failed(error: unknown): void };

/** Its answer; undefined when it failed, which has then been reported. */
export async function contain<Answer>(
  work: () => Answer | Promise<Answer>,
  { clock, timeoutMs, failed }: Contained,
): Promise<Answer | undefined> {
  const late = Promise.withResolvers<typeof TOO_LATE>();
  let callOff: (() => void) | undefined;
  try {
    const answer = work();
    if (!(answer instanceof Promise)) return answer;
    callOff = clock.wakeAt(clock.now() + timeoutMs, () => late.resolve(TOO_LATE));
    const first = await Promise.race([answer, late.promise]);
    if (first !== TOO_LATE) return first;
    failed(new Error(`no end within ${timeoutMs} ms`));
  } catch (error) {
    failed(error);
  } finally {
    callOff?.();
  }
  return undefined;
}

const TOO_LATE = Symbol("too late");
