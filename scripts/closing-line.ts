/** The last line of a test run, alone and plain, so that a script can read it: `N passed, N failed, N skipped`. */
import { writeSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";

type Tally = { passed: number; failed: number; skipped: number };

const STDOUT = 1;

/** `atExit` runs its argument when the process ends: only then have all other reporters finished. */
export function closingLine(
  atExit: (last: () => void) => void = (last) => process.once("exit", last),
  write: (line: string) => void = (line) => writeSync(STDOUT, line),
): Reporter {
  let tally: Tally | undefined;
  atExit(() => {
    if (tally) write(`\n${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped\n`);
  });
  return {
    onTestRunEnd(modules, unhandledErrors) {
      tally = tallyOf(modules, unhandledErrors.length);
    },
  };
}

/** A file that does not even load, or an error outside any test, counts as one failure: a red run never says "0 failed". */
function tallyOf(modules: readonly TestModule[], unhandledErrors: number): Tally {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const count = (state: string): number => tests.filter((test) => test.result().state === state).length;
  const broken = modules.filter((module) => !module.ok() && ![...module.children.allTests("failed")].length).length;
  return { passed: count("passed"), failed: count("failed") + broken + unhandledErrors, skipped: count("skipped") };
}
