/** A thousand cells of code mode, and in each hundred of them the sandbox's process is killed at a random moment. */
import { afterAll, expect, it } from "vitest";
import { launchProgram } from "../../src/plugins/isolated/launch-program.ts";
import type { GuestPipes } from "../../src/plugins/sdk.ts";
import { clampCellLimits } from "../../src/code-mode/sandbox/cell-limits.ts";
import { createSandbox } from "../../src/code-mode/sandbox/create-sandbox.ts";
import { type CallRequest, type CellOutcome, NO_BINDINGS } from "../../src/code-mode/sandbox/sandbox.ts";
import { cellHost, ok } from "../kit/cells.ts";
import { seeded } from "../kit/random.ts";
import { SEED } from "../kit/repetitions.ts";

const CELLS = 1_000;
const PER_KILL = 100;
/** More than there are workers, so that some wait for one. */
const AT_A_TIME = 20;

let pipes: GuestPipes | undefined;
let starts = 0;
const sandbox = createSandbox({
  processes: {
    async launch(program) {
      starts += 1;
      return (pipes = await launchProgram(program));
    },
  },
  key: new Uint8Array(32).fill(5),
});
afterAll(() => sandbox.stop());

const random = seeded(SEED);
const limits = clampCellLimits({});
const made = new Map<string, number>();
let killAt = Number.POSITIVE_INFINITY;
let calls = 0;

/** Each call is counted under the number that its cell gave it; one of them kills the process. */
const host = cellHost({
  call({ argsJson }: CallRequest) {
    const [{ key }] = JSON.parse(argsJson) as [{ key: string }];
    made.set(key, (made.get(key) ?? 0) + 1);
    calls += 1;
    if (calls === killAt) pipes?.kill();
    return ok(key.length);
  },
});

type Ended = { number: number; outcome: CellOutcome; expected: number };

async function cell(number: number): Promise<Ended> {
  const count = 1 + random.below(5);
  const yields = random.below(3) === 0;
  const ids = { runId: `run_${number}`, sessionId: `ses_${number % 7}` };
  const code = `let sum = 0;
    for (let n = 0; n < ${count}; n++) { sum += await tools.call('t', { key: '${number}/' + n }); ${yields ? "if (n === 0) await yield_control();" : ""} }
    return sum`;
  let outcome = await sandbox.run({ ...ids, code, language: "javascript", bindings: NO_BINDINGS, limits }, host);
  if (outcome.status === "suspended")
    outcome = await sandbox.resume({ ...ids, snapshot: outcome.snapshot, answers: [], limits }, host);
  return { number, outcome, expected: count * (String(number).length + 2) };
}

it("[CM-05, CM-06] 67, 124, 172: of a thousand cells with ten kills each ends with its value or knows that the sandbox died, and no call is made twice", async () => {
  const ended: Ended[] = [];
  for (let from = 0; from < CELLS; from += PER_KILL) {
    killAt = calls + 1 + random.below(PER_KILL);
    for (let at = from; at < from + PER_KILL; at += AT_A_TIME)
      ended.push(...(await Promise.all(Array.from({ length: AT_A_TIME }, (_, n) => cell(at + n)))));
  }
  const lost = ended.filter(({ outcome }) => outcome.status !== "completed");
  const wrong = ended.filter(({ outcome, expected }) =>
    outcome.status === "completed"
      ? JSON.parse(outcome.valueJson) !== expected
      : outcome.status !== "failed" || outcome.code !== "internal_error",
  );
  expect(wrong).toEqual([]);
  expect([...made].filter(([, times]) => times > 1)).toEqual([]);
  expect(ended).toHaveLength(CELLS);
  expect(starts).toBe(CELLS / PER_KILL + 1);
  expect(lost.length).toBeLessThanOrEqual((CELLS / PER_KILL) * AT_A_TIME);
});
