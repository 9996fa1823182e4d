/**
 * A trivial cell and a hundred calls to the host in other sandboxes, beside ours. They are installed into a folder of their own
 * for this run and are no dependencies; each cell gets a fresh context, as ours gets a fresh machine.
 */
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createContext, Script } from "node:vm";
import { clampCellLimits } from "../src/code-mode/sandbox/cell-limits.ts";
import { createSandbox } from "../src/code-mode/sandbox/create-sandbox.ts";
import { NO_BINDINGS } from "../src/code-mode/sandbox/sandbox.ts";
import { launchProgram } from "../src/plugins/isolated/launch-program.ts";
import { figure, type Group, median, percentile } from "./figure.ts";

const PACKAGES = ["isolated-vm@7.0.1", "quickjs-emscripten@0.32.0"];
const CELLS = 200;
const BATCHES = 20;
const WARM_UP = 20;
const MEMORY_MB = 64;
const US_PER_MS = 1_000;

/** `call` is in its global scope; resolves when the code is done. */
type Runs = { trivial(): Promise<void>; calls(): Promise<void> };

const LOOP = "for (let n = 0; n < 100; n++) call(n)";
const AWAITED = "for (let n = 0; n < 100; n++) await tools.call('a:b:c', { n }); return 1";

export const codeOthers: Group = async (report) => {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-bench-"));
  const sandbox = createSandbox({ processes: { launch: launchProgram }, key: randomBytes(32) });
  try {
    writeFileSync(join(folder, "package.json"), "{}");
    execFileSync("npm", ["install", "--no-audit", "--no-fund", "--silent", ...PACKAGES], { cwd: folder });
    const load = createRequire(join(folder, "package.json"));
    const rows: [string, Runs][] = [
      ["a cell of ours, in another process", ours(sandbox)],
      ["isolated-vm, an isolate for each", isolatedVm(load("isolated-vm") as IsolatedVm)],
      ["quickjs-emscripten, a context for each", await emscripten(load("quickjs-emscripten") as Emscripten)],
      ["node:vm, a context for each (no boundary)", nodeVm()],
    ];
    for (const [name, runs] of rows) {
      await measured(report, `${name}: trivial`, { work: runs.trivial, count: CELLS });
      await measured(report, `${name}: 100 calls`, { work: runs.calls, count: BATCHES });
    }
  } finally {
    await sandbox.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};

type Report = Parameters<Group>[0];

/** On a busy machine the fastest says more than the middle, which is mostly waiting for a core; CPU is this process's alone. */
async function measured(report: Report, name: string, { work, count }: { work(): Promise<void>; count: number }) {
  for (let n = 0; n < WARM_UP; n++) await work();
  const took: number[] = [];
  const before = process.cpuUsage();
  for (let n = 0; n < count; n++) {
    const startedAtMs = performance.now();
    await work();
    took.push(performance.now() - startedAtMs);
  }
  const { user, system } = process.cpuUsage(before);
  report(figure(`${name}, fastest`, percentile(took, 0), "ms"));
  report(figure(`${name}, p10`, percentile(took, 10), "ms"));
  report(figure(`${name}, p50`, median(took), "ms"));
  report(figure(`${name}, CPU here`, (user + system) / US_PER_MS / count, "ms"));
}

function ours(sandbox: ReturnType<typeof createSandbox>): Runs {
  const host = {
    call: async () => ({ ok: true, json: "1" }),
    answerOf: async () => ({ parked: true as const }),
    signal: new AbortController().signal,
  };
  const cell = { runId: "run_1", sessionId: "ses_1", language: "javascript", bindings: NO_BINDINGS };
  const run = async (code: string): Promise<void> => {
    const outcome = await sandbox.run({ ...cell, code, limits: clampCellLimits({}) }, host);
    if (outcome.status !== "completed") throw new Error(`a cell ${outcome.status}`);
  };
  return { trivial: () => run("return 1"), calls: () => run(AWAITED) };
}

type Isolate = { createContextSync(): IsolateContext; dispose(): void };
type IsolateContext = { global: { setSync(name: string, value: unknown): void }; eval(code: string): Promise<unknown> };
type IsolatedVm = {
  Isolate: new (options: { memoryLimit: number }) => Isolate;
  Callback: new (work: () => number) => object;
};

function isolatedVm({ Isolate, Callback }: IsolatedVm): Runs {
  const run = async (code: string): Promise<void> => {
    const isolate = new Isolate({ memoryLimit: MEMORY_MB });
    const context = isolate.createContextSync();
    context.global.setSync("call", new Callback(() => 1));
    await context.eval(code);
    isolate.dispose();
  };
  return { trivial: () => run("1"), calls: () => run(LOOP) };
}

type Handle = { dispose(): void };
type EmscriptenContext = Handle & {
  global: Handle;
  newFunction(name: string, work: () => Handle): Handle;
  newNumber(value: number): Handle;
  setProp(on: Handle, name: string, value: Handle): void;
  evalCode(code: string): unknown;
  unwrapResult(result: unknown): Handle;
};
type Emscripten = { getQuickJS(): Promise<{ newContext(): EmscriptenContext }> };

async function emscripten({ getQuickJS }: Emscripten): Promise<Runs> {
  const quickjs = await getQuickJS();
  const run = async (code: string): Promise<void> => {
    const context = quickjs.newContext();
    const call = context.newFunction("call", () => context.newNumber(1));
    context.setProp(context.global, "call", call);
    call.dispose();
    context.unwrapResult(context.evalCode(code)).dispose();
    context.dispose();
  };
  return { trivial: () => run("1"), calls: () => run(LOOP) };
}

async function runInNode(code: string): Promise<void> {
  await new Script(code).runInContext(createContext({ call: () => 1 }));
}

const nodeVm = (): Runs => ({ trivial: () => runInNode("1"), calls: () => runInNode(LOOP) });
