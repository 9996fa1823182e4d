import { expect, it } from "vitest";
import { probedSandbox } from "./sandbox.ts";

type Answer = "works" | "fails" | "late";

/** A bubblewrap that answers as it is told, and a clock that stands still. */
function fickle(first: Answer) {
  let [answer, nowMs, tries] = [first, 0, 0];
  const attempt = async (): Promise<Answer> => {
    tries += 1;
    return answer;
  };
  return {
    sandbox: () => probedSandbox({ clock: { now: () => nowMs }, attempt }),
    becomes: (next: Answer): void => void (answer = next),
    passes: (ms: number): void => void (nowMs += ms),
    tries: () => tries,
  };
}

it("[GA-06, GW-04] is found out whole before the first command runs: no command can switch it off for the next", async () => {
  const bwrap = fickle("works");
  const [hidingFirst, readingFirst] = [bwrap.sandbox(), bwrap.sandbox()];
  expect([await hidingFirst.hiding(), await readingFirst.readOnly()]).toEqual([true, true]);
  bwrap.becomes("fails");
  bwrap.passes(3_600_000);
  expect([await hidingFirst.readOnly(), await readingFirst.hiding()]).toEqual([true, true]);
});

it("[GA-06] tries again, after a while, what a busy machine could not answer in time", async () => {
  const bwrap = fickle("late");
  const sandbox = bwrap.sandbox();
  expect([await sandbox.readOnly(), await sandbox.hiding(), sandbox.isUncertain()]).toEqual([false, false, true]);
  bwrap.becomes("works");
  bwrap.passes(29_999);
  expect([await sandbox.readOnly(), bwrap.tries()]).toEqual([false, 2]); // nobody waits for it again so soon
  bwrap.passes(1);
  expect([await sandbox.readOnly(), await sandbox.hiding(), sandbox.isUncertain()]).toEqual([true, true, false]);
  expect(bwrap.tries()).toBe(4);
});

it("[GA-06] takes a refusal of the system as its last word", async () => {
  const bwrap = fickle("fails");
  const sandbox = bwrap.sandbox();
  expect([await sandbox.readOnly(), sandbox.isUncertain()]).toEqual([false, false]);
  bwrap.becomes("works");
  bwrap.passes(3_600_000);
  expect([await sandbox.readOnly(), bwrap.tries()]).toEqual([false, 2]);
});
