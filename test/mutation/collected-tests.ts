/** What the test file that is being loaded has registered so far. One list: files are loaded one after the other. */

export type CollectedTest = { readonly name: string; readonly run: () => unknown };

export const collected: { tests: CollectedTest[]; path: string[]; finally: (() => unknown)[] } = {
  tests: [],
  path: [],
  finally: [],
};

/** Imports one test file and hands its tests over. */
export async function collect(load: () => Promise<unknown>): Promise<readonly CollectedTest[]> {
  collected.tests = [];
  collected.path = [];
  await load();
  return collected.tests;
}

const TICK_MS = 50;

/**
 * Runs one test with what it left to do afterwards. Answers with what it threw, if it did. Time is counted in turns of this
 * process's own loop: on a machine that lends it no time a test is not late, and a mutant not killed by that.
 */
export async function runTest({ run }: CollectedTest, timeoutMs: number): Promise<Failure | undefined> {
  collected.finally = [];
  const { promise: late, resolve } = Promise.withResolvers<"late">();
  let leftMs = timeoutMs;
  const timer = setInterval(() => {
    leftMs -= TICK_MS;
    if (leftMs <= 0) resolve("late");
  }, TICK_MS);
  try {
    const end = await Promise.race([Promise.resolve(run()), late]);
    return end === "late" ? { message: `not done after ${timeoutMs} ms` } : undefined;
  } catch (error) {
    return { message: error instanceof Error ? error.message : String(error) };
  } finally {
    clearInterval(timer);
    for (const work of collected.finally.toReversed()) await Promise.resolve(work()).catch(() => undefined);
  }
}

export type Failure = { readonly message: string };
