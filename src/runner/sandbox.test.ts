import { expect, it } from "vitest";
import { chosenBuilders, type Enclosed, probedSandbox } from "./sandbox.ts";

type Answer = "works" | "fails" | "late";

const find = (name: string): string => `/usr/bin/${name}`;

/** A machine with every program, whose sandbox answers as it is told, and a clock that stands still. */
function fickle(first: Answer) {
  let [answer, nowMs, tries] = [first, 0, 0];
  const attempt = async (): Promise<Answer> => {
    tries += 1;
    return answer;
  };
  return {
    sandbox: () => probedSandbox({ clock: { now: () => nowMs }, attempt, find, builders: ["bubblewrap"] }),
    becomes: (next: Answer): void => void (answer = next),
    passes: (ms: number): void => void (nowMs += ms),
    tries: () => tries,
  };
}

it("[GA-06, GW-04] is found out before the first command runs: no command can switch it off for the next", async () => {
  const machine = fickle("works");
  const sandbox = machine.sandbox();
  expect(await sandbox.kind()).toBe("bubblewrap");
  machine.becomes("fails");
  machine.passes(3_600_000);
  expect(await sandbox.kind()).toBe("bubblewrap");
});

it("[GA-06] tries again, after a while, what a busy machine could not answer in time", async () => {
  const machine = fickle("late");
  const sandbox = machine.sandbox();
  expect([await sandbox.kind(), sandbox.isUncertain()]).toEqual(["none", true]);
  machine.becomes("works");
  machine.passes(29_999);
  expect([await sandbox.kind(), machine.tries()]).toEqual(["none", 2]); // nobody waits for it again so soon
  machine.passes(1);
  expect([await sandbox.kind(), sandbox.isUncertain()]).toEqual(["bubblewrap", false]);
  expect(machine.tries()).toBe(4);
});

it("[GA-06] takes a refusal of the system as its last word", async () => {
  const machine = fickle("fails");
  const sandbox = machine.sandbox();
  expect([await sandbox.kind(), sandbox.isUncertain()]).toEqual(["none", false]);
  machine.becomes("works");
  machine.passes(3_600_000);
  expect([await sandbox.kind(), machine.tries()]).toEqual(["none", 2]);
});

it("[GA-13] takes the next means where the first does not work", async () => {
  const builds = ({ file, args }: Enclosed, name: string): boolean =>
    [file, ...args].some((word) => word.endsWith(`/${name}`));
  const without = (...names: string[]) =>
    probedSandbox({
      attempt: async (enclosed): Promise<Answer> => (names.some((name) => builds(enclosed, name)) ? "fails" : "works"),
    });
  expect(await without("bwrap", "perl").kind()).toBe("util-linux");
  expect(chosenBuilders({ HOLDPOINT_SANDBOX: "util-linux" })).toEqual(["util-linux"]);
  expect(chosenBuilders({ HOLDPOINT_SANDBOX: "none" })).toEqual([]);
  expect(chosenBuilders({})).toEqual(["bubblewrap", "perl", "util-linux"]);
});
