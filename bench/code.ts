/**
 * What a cell of code mode costs as the gateway sees it, beside node:vm, which isolates nothing: a warm trivial cell, nested
 * calls (beside bare rounds between two processes), how long after its limit a loop is ended and what the gateway's own loop notices of it, memory, snapshots, a whole turn.
 */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { createContext, Script } from "node:vm";
import { clampCellLimits } from "../src/code-mode/sandbox/cell-limits.ts";
import { createSandbox } from "../src/code-mode/sandbox/create-sandbox.ts";
import { type CellHost, type CellOutcome, NO_BINDINGS, type Sandbox } from "../src/code-mode/sandbox/sandbox.ts";
import { launchProgram } from "../src/plugins/isolated/launch-program.ts";
import type { GuestPipes } from "../src/plugins/sdk.ts";
import { bareRounds } from "./bare-rounds.ts";
import { codeTurn } from "./code-turn.ts";
import { against, figure, type Group, median, percentile } from "./figure.ts";

const CELLS = 400;
const BATCHES = 30;
const RESTED_CELLS = 100;
/** A model takes longer between two cells; until then the worker has restored its next machine. */
const REST_MS = 10;
const KILLS = 10;
const KILL_AFTER_MS = 100;
const HELD_CELLS = 6;
const BYTES_PER_MB = 1_048_576;
const NS_PER_MS = 1e6;

const ONE_BY_ONE = "for (let n = 0; n < 100; n++) await tools.call('a:b:c', { n }); return 1";
const TOGETHER =
  "for (let n = 0; n < 10; n++) await Promise.all(Array.from({ length: 10 }, (_, m) => tools.call('a:b:c', { m }))); return 1";
const TYPICAL = `const rows = Array.from({ length: 200 }, (_, n) => ({ id: n, name: 'row ' + n, tags: ['a', 'b'] }));
  const open = rows.filter(({ id }) => id % 2 === 0); text(open.length); const got = await tools.call('a:b:c', open[0]); return got`;

const answering: CellHost = {
  call: async () => ({ ok: true, json: '{"done":true}' }),
  answerOf: async () => ({ parked: true }),
  signal: new AbortController().signal,
};
const parking: CellHost = { ...answering, call: async () => ({ parked: true }) };

export const code: Group = async (report, options) => {
  let pipes: GuestPipes | undefined;
  const launch: typeof launchProgram = async (program) => (pipes = await launchProgram(program));
  const sandbox = createSandbox({ processes: { launch }, key: randomBytes(32) });
  try {
    const startedAtMs = performance.now();
    await run(sandbox, "return 1");
    report(figure("first cell, its process and a worker started", performance.now() - startedAtMs, "ms"));
    const vm = {
      trivial: await timed(CELLS, () => inNodeVm("return 1")),
      calls: await timed(BATCHES, () => inNodeVm(ONE_BY_ONE)),
    };
    await timed(CELLS / 4, () => run(sandbox, "return 1"));
    const trivial = await timed(CELLS, () => run(sandbox, "return 1"));
    report(against(median(vm.trivial), figure("warm trivial cell, median", median(trivial), "ms")));
    report(figure("warm trivial cell, p10", percentile(trivial, 10), "ms"));
    report(figure("warm trivial cell, fastest", percentile(trivial, 0), "ms"));
    const rested = await timed(RESTED_CELLS, () => run(sandbox, "return 1"), REST_MS);
    report(figure("trivial cell after a pause, its machine ready, median", median(rested), "ms"));
    report(figure("trivial cell after a pause, its machine ready, p10", percentile(rested, 10), "ms"));
    report(figure("100 calls in node:vm, one after the other, median", median(vm.calls), "ms"));
    await callsOneByOne(sandbox, report);
    report(
      figure(
        "100 nested calls, ten at a time, median",
        median(await timed(BATCHES, () => run(sandbox, TOGETHER))),
        "ms",
      ),
    );
    await kills(sandbox, report);
    await suspensions(sandbox, report);
    if (pipes?.pid !== undefined)
      report(figure("memory per warm worker", await perWorker(sandbox, pipes.pid), "MB PSS"));
  } finally {
    await sandbox.stop();
  }
  await codeTurn(report, options);
};

/** Beside as many bare rounds between two processes, which take turns with them: the ratio says what is ours. */
async function callsOneByOne(sandbox: Sandbox, report: Parameters<Group>[0]): Promise<void> {
  const bare = bareRounds();
  const took: Record<"calls" | "bare", number[]> = { calls: [], bare: [] };
  for (let n = 0; n < 2 * BATCHES; n++) {
    const [calls = 0] = await timed(1, () => run(sandbox, ONE_BY_ONE));
    const [rounds = 0] = await timed(1, () => bare.hundred());
    if (n < BATCHES) continue; // as cells were: the compilers have seen it
    took.calls.push(calls);
    took.bare.push(rounds);
  }
  bare.end();
  for (const [name, percent] of [
    ["median", 50],
    ["p10", 10],
    ["fastest", 0],
  ] as const) {
    const made = figure(`100 nested calls, one after the other, ${name}`, percentile(took.calls, percent), "ms");
    report(against(percentile(took.bare, percent), made));
  }
}

function run(
  sandbox: Sandbox,
  source: string,
  given: { timeoutMs?: number; host?: CellHost } = {},
): Promise<CellOutcome> {
  const cell = { runId: "run_1", sessionId: "ses_1", code: source, language: "javascript", bindings: NO_BINDINGS };
  return sandbox.run({ ...cell, limits: clampCellLimits(given) }, given.host ?? answering);
}

async function inNodeVm(source: string): Promise<void> {
  const tools = { call: async () => JSON.parse('{"done":true}') as unknown };
  await new Script(`(async () => {${source}\n})()`).runInContext(createContext({ tools }));
}

async function timed(count: number, work: () => Promise<unknown>, restMs = 0): Promise<number[]> {
  const took: number[] = [];
  for (let n = 0; n < count; n++) {
    if (restMs > 0) await pause(restMs);
    const startedAtMs = performance.now();
    await work();
    took.push(performance.now() - startedAtMs);
  }
  return took;
}

/** A loop inside of the engine, which only the clock of the process ends. */
async function kills(sandbox: Sandbox, report: Parameters<Group>[0]): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  for (const [name, source] of [
    ["a loop", "while (true) {}"],
    ["a loop inside of the engine", "new Array(2 ** 32 - 1).join()"],
  ] as const) {
    const took = await timed(KILLS, () => run(sandbox, source, { timeoutMs: KILL_AFTER_MS }));
    report(figure(`${name} is ended after its limit, median`, median(took) - KILL_AFTER_MS, "ms"));
  }
  delay.disable();
  report(figure("the gateway's loop meanwhile is late, p99", delay.percentile(99) / NS_PER_MS, "ms"));
}

async function suspensions(sandbox: Sandbox, report: Parameters<Group>[0]): Promise<void> {
  const outcome = await run(sandbox, TYPICAL, { host: parking });
  if (outcome.status !== "suspended") throw new Error("it was not suspended");
  const { snapshot } = outcome;
  report(figure("snapshot of a typical suspended cell", snapshot.length / 1_024, "KB"));
  report(
    figure("suspending it, median", median(await timed(BATCHES, () => run(sandbox, TYPICAL, { host: parking }))), "ms"),
  );
  const order = { runId: "run_1", sessionId: "ses_1", snapshot, limits: clampCellLimits({}) };
  const answers = [{ callId: "c1", ok: true, json: "1" }];
  const resumed = await timed(BATCHES, () => sandbox.resume({ ...order, answers }, answering));
  report(figure("resuming and finishing it, median", median(resumed), "ms"));
}

/** Cells that wait keep their workers, and others are started beside them. */
async function perWorker(sandbox: Sandbox, pid: number): Promise<number> {
  const before = treeBytes(pid);
  const asked = Array.from({ length: HELD_CELLS }, () => Promise.withResolvers<void>());
  const release = Promise.withResolvers<{ ok: boolean; json: string }>();
  const held = asked.map(({ resolve }) => {
    const call = (): Promise<{ ok: boolean; json: string }> => (resolve(), release.promise);
    return run(sandbox, "return await tools.call('a:b:c')", { host: { ...answering, call } });
  });
  await Promise.all(asked.map(({ promise }) => promise));
  const megabytes = (treeBytes(pid) - before) / BYTES_PER_MB / HELD_CELLS;
  release.resolve({ ok: true, json: "1" });
  await Promise.all(held);
  return megabytes;
}

/** Of a process and all below it: the enclosure is one, too. */
function treeBytes(pid: number): number {
  const below = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);
  const own = Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0) * 1_024;
  return below.reduce((sum, child) => sum + treeBytes(child), own);
}
