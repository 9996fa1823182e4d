/**
 * What agents of others pay for the gate: a hook from start to exit beside a bare Node, what a keeper adds to the start of a program,
 * with a network of its own and without, how long a flip takes, and what naming its writes costs it once it may write: each call, and much work.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launcherFile, writeHookFiles } from "../src/cli/hooks/hook-files.ts";
import { canHold } from "../src/cli/run/can-hold.ts";
import { type StartedKeeper, startKeeper } from "../src/runner/keeper/keeper.ts";
import { startTestGateway, systemClock } from "../src/testing/index.ts";
import { against, figure, type Group, median } from "./figure.ts";

const HOOKS = 30;
const STARTS = 15;
const FLIPS = 40;
const UNPACKED_FILES = 5_000;
const UNPACKINGS = 7;
/** The quickest of many short rounds is what the call takes; the others also took what else the machine did. */
const OPENINGS = `
const { closeSync, openSync } = require("node:fs");
let least = Infinity;
for (let round = 0; round < 300; round++) {
  const beganMs = performance.now();
  for (let at = 0; at < 100; at++) closeSync(openSync("opened", "w"));
  least = Math.min(least, performance.now() - beganMs);
}
console.log(least * 10);
require("node:fs").readSync(0, Buffer.alloc(1));
`;

export const agents: Group = async (report) => {
  const settings = { agents: { defaults: { planMode: { enabled: true } } } };
  const gateway = await startTestGateway({ settings, clock: systemClock });
  try {
    const bare = () => timed(process.execPath, ["-e", "0"]);
    const bareMs = await medianOf(HOOKS, bare);
    report(figure("a bare Node", bareMs, "ms"));
    await writeHookFiles(gateway.home);
    const payload = { session_id: "bench", cwd: gateway.workspace, hook_event_name: "PreToolUse", tool_name: "Write" };
    const asked = JSON.stringify({ ...payload, tool_input: { file_path: "a.txt", content: "x" } });
    const hook = () => timed(launcherFile(gateway.home), ["claude-code", "PreToolUse"], asked);
    await hook(); // the first one loads what answers
    report(against(bareMs, figure("a hook, from start to exit (goal 60)", await medianOf(HOOKS, hook), "ms")));
    const bareCpuMs = await cpuOf(HOOKS, bare);
    report(figure("CPU time of a bare Node", bareCpuMs, "ms"));
    report(against(bareCpuMs, figure("CPU time of a hook", await cpuOf(HOOKS, hook), "ms")));
  } finally {
    await gateway.stop();
  }
  if ((await canHold()) === undefined) await keepers(report);
};

async function keepers(report: Parameters<Group>[0]): Promise<void> {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), "holdpoint-bench-agents-")));
  const workspace = join(folder, "workspace");
  mkdirSync(workspace);
  const start = (argv: string[], { ports, isNamed = false }: { ports?: number[]; isNamed?: boolean } = {}) => {
    const keeper = startKeeper({
      workspace,
      places: [],
      cwd: workspace,
      argv,
      env: { PATH: process.env["PATH"] },
      stdio: ["pipe", "pipe", "ignore"],
      notice: () => undefined,
      ...(ports === undefined ? {} : { ports }),
      ...(isNamed ? { names: { tried: () => undefined, unnamed: () => undefined } } : {}),
    });
    if (keeper === undefined) throw new Error("no keeper");
    return keeper;
  };
  const started = async (how: { ports?: number[]; isNamed?: boolean } = {}): Promise<number> => {
    const beganMs = performance.now();
    await start(["/bin/true"], how).ended;
    return performance.now() - beganMs;
  };
  try {
    const bareMs = await medianOf(STARTS, () => timed("/bin/true", []));
    report(against(bareMs, figure("a program under the keeper", await medianOf(STARTS, () => started()), "ms")));
    const whole = { ports: [18_080], isNamed: true };
    const ownMs = await medianOf(STARTS, () => started({ ports: [18_080] }));
    report(against(bareMs, figure("the same with a network of its own", ownMs, "ms")));
    const wholeMs = await medianOf(STARTS, () => started(whole));
    report(against(bareMs, figure("the same, its writes named (goal 150)", wholeMs, "ms")));
    report(figure("CPU time of that", await cpuOf(STARTS, () => started(whole)), "ms"));
    await openings({ start, workspace, report });
    await unpackings(folder, { start, workspace, report });
    const keeper = start(["/bin/cat"], whole);
    let isReleased = false;
    const flip = async (): Promise<number> => {
      const beganMs = performance.now();
      keeper.set((isReleased = !isReleased));
      await keeper.settled();
      return performance.now() - beganMs;
    };
    await flip(); // waits for the start
    report(figure("a flip (goal 50)", await medianOf(FLIPS, flip), "ms"));
    keeper.stdin?.end();
    await keeper.ended;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Unpacking = {
  start(argv: string[], how: { isNamed: boolean }): StartedKeeper;
  workspace: string;
  report: Parameters<Group>[0];
};

/** What one call takes that the supervisor is asked about, once it may succeed. */
async function openings({ start, report }: Unpacking): Promise<void> {
  const opened = async (isNamed: boolean): Promise<number> => {
    const script = `read -r _; exec '${process.execPath}' -e '${OPENINGS}'`;
    const tree = start(["/bin/bash", "-c", script], { isNamed });
    tree.set(true);
    await tree.settled();
    tree.stdin?.write("\n");
    const [said] = tree.stdout === null ? [] : await once(tree.stdout, "data");
    tree.stdin?.end();
    await tree.ended;
    return Number(said);
  };
  const plainUs = await opened(false);
  report(figure("opening a file for writing while released", plainUs, "µs"));
  report(against(plainUs, figure("the same, where writes are named", await opened(true), "µs")));
}

/** Much writing and nothing else, as a released program does it: what naming adds is the worst that a program can meet. */
async function unpackings(folder: string, { start, workspace, report }: Unpacking): Promise<void> {
  const [source, archive] = [join(folder, "source"), join(folder, "archive.tar")];
  mkdirSync(source);
  for (let at = 0; at < UNPACKED_FILES; at++) writeFileSync(join(source, `file-${at}`), "x".repeat(1_000));
  spawnSync("tar", ["-cf", archive, "-C", folder, "source"]);
  const unpacked = async (isNamed: boolean): Promise<number> => {
    const script = `read -r _; tar -xf ${archive}; echo done; read -r _`;
    const tree = start(["/bin/bash", "-c", script], { isNamed });
    tree.set(true);
    await tree.settled();
    const beganMs = performance.now();
    tree.stdin?.write("\n");
    if (tree.stdout !== null) await once(tree.stdout, "data");
    const tookMs = performance.now() - beganMs;
    tree.stdin?.end();
    await tree.ended;
    rmSync(join(workspace, "source"), { recursive: true, force: true });
    return tookMs;
  };
  const [plain, named]: [number[], number[]] = [[], []];
  for (let at = 0; at < UNPACKINGS; at++) {
    plain.push(await unpacked(false)); // by turns, so that whatever else the machine does meets both
    named.push(await unpacked(true));
  }
  const plainMs = median(plain);
  report(figure(`unpacking ${UNPACKED_FILES} files while released`, plainMs, "ms"));
  report(against(plainMs, figure("the same, where writes are named", median(named), "ms")));
}

const TICK_MS = 10;

/** What children took that have ended, and theirs; the clock on the wall also counts whoever else uses this machine. */
function childrenMs(): number {
  const text = readFileSync("/proc/self/stat", "utf8");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
}

async function cpuOf(times: number, work: () => Promise<unknown>): Promise<number> {
  const before = childrenMs();
  for (let at = 0; at < times; at++) await work();
  return (childrenMs() - before) / times;
}

async function medianOf(times: number, work: () => Promise<number>): Promise<number> {
  const taken: number[] = [];
  for (let at = 0; at < times; at++) taken.push(await work());
  return median(taken);
}

async function timed(file: string, args: readonly string[], input = ""): Promise<number> {
  const beganMs = performance.now();
  const child = spawn(file, args, { stdio: ["pipe", "ignore", "ignore"] });
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  await once(child, "exit");
  return performance.now() - beganMs;
}
