/** Cells of code mode side by side, some of them ended from outside at a random moment: the others never notice. */
import { afterAll, expect, it } from "vitest";
import { launchProgram } from "../../src/plugins/isolated/launch-program.ts";
import type { GuestPipes } from "../../src/plugins/sdk.ts";
import { clampCellLimits } from "../../src/code-mode/sandbox/cell-limits.ts";
import { createSandbox } from "../../src/code-mode/sandbox/create-sandbox.ts";
import { type CellOutcome, NO_BINDINGS } from "../../src/code-mode/sandbox/sandbox.ts";
import { cellHost, ok } from "../kit/cells.ts";
import { seeded } from "../kit/random.ts";
import { repetitions, SEED } from "../kit/repetitions.ts";

/** At the end of each such many rounds the process itself is killed while cells run. */
const ROUNDS_PER_KILL = 10;

let pipes: GuestPipes | undefined;
const sandbox = createSandbox({
  processes: { launch: async (program) => (pipes = await launchProgram(program)) },
  key: new Uint8Array(32).fill(3),
});
afterAll(() => sandbox.stop());

const random = seeded(SEED);

const ids = { runId: "run_1", sessionId: "ses_1" };
const run = (code: string, host = cellHost({ call: ({ argsJson }) => ok(JSON.parse(argsJson)[0].n) })) =>
  sandbox.run({ ...ids, code, language: "javascript", bindings: NO_BINDINGS, limits: clampCellLimits({}) }, host);
const valueOf = (outcome: CellOutcome): unknown =>
  outcome.status === "completed" ? JSON.parse(outcome.valueJson) : `${outcome.status} ${JSON.stringify(outcome)}`;

/** A cell that calls and returns what it was told. */
async function calls(): Promise<void> {
  const count = 1 + random.below(20);
  const code = `let sum = 0; for (let n = 0; n < ${count}; n++) sum += await tools.call('t', { n }); return sum`;
  expect(valueOf(await run(code))).toBe((count * (count - 1)) / 2);
}

/** One that is suspended, and resumed wherever there is room. */
async function suspends(): Promise<void> {
  const kept = random.below(1_000);
  const outcome = await run(`const kept = ${kept}; await yield_control(); return kept + Math.floor(Math.random())`);
  if (outcome.status !== "suspended") throw new Error(JSON.stringify(outcome));
  const resumed = await sandbox.resume(
    { ...ids, snapshot: outcome.snapshot, answers: [], limits: clampCellLimits({}) },
    cellHost(),
  );
  expect(valueOf(resumed)).toBe(kept);
}

/** One that never ends by itself and is aborted after some of its output. */
async function isAborted(): Promise<void> {
  const stop = new AbortController();
  let left = 1 + random.below(30);
  const output = (): void => {
    left -= 1;
    if (left === 0) stop.abort();
  };
  const outcome = await run(
    "for (let n = 0; ; n++) { text(n); if (n % 7 === 0) await null }",
    cellHost({ host: { signal: stop.signal, output } }),
  );
  expect(outcome).toMatchObject({ status: "failed", code: "aborted" });
}

it("[CM-05][CM-06] 124, 172: whatever is ended beside them, cells return what they should", async () => {
  for (const round of repetitions(3)) {
    await Promise.all(Array.from({ length: 6 }, () => random.pick([calls, suspends, isAborted, calls])()));
    if (round % ROUNDS_PER_KILL !== 2) continue;
    const dying = cellHost({ host: { output: () => pipes?.kill() } });
    expect(await run("text(1); while (true) {}", dying)).toMatchObject({ status: "failed", code: "internal_error" });
  }
});
