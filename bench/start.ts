/** Start → ready and idle memory, from the sources and from the bundle, beside a Node that does nothing. */
import { execFileSync, spawn } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { bundle } from "../scripts/build.ts";
import { against, figure, type Group, median } from "./figure.ts";

const ROOT = resolve(import.meta.dirname, "..");
const ROUNDS = 7;
const READY_MS_MAX = 30_000;
const LOOK_MS = 2;
const IDLE_MS = 2_000;
const MIB = 1_048_576;

export const start: Group = async (report) => {
  const bareMs = median(await times(ROUNDS, async () => timed(() => void execFileSync(process.execPath, ["-e", "0"]))));
  const bareBytes = await bareMemory();
  const sources = await copyOfTree();
  const built = await copyOfTree();
  await bundle(built);
  for (const [name, entry] of [
    ["sources", join(sources, "bin", "holdpoint.js")],
    ["bundle", join(built, "bin", "holdpoint.js")],
  ] as const) {
    const home = await mkdtemp(join(tmpdir(), "holdpoint-start-"));
    const first = await startOnce(entry, home);
    const later = await times(ROUNDS, () => startOnce(entry, home));
    await rm(home, { recursive: true, force: true });
    report(against(bareMs, figure(`start → ready, ${name}, first start of a state`, first.readyMs, "ms")));
    report(
      against(
        bareMs,
        figure(`start → ready, ${name}, median of ${ROUNDS}`, median(later.map((one) => one.readyMs)), "ms"),
      ),
    );
    const bytes = median(later.map((one) => one.idleBytes));
    report(against(bareBytes / MIB, figure(`idle memory, ${name}`, bytes / MIB, "MiB")));
  }
  for (const folder of [sources, built]) await rm(folder, { recursive: true, force: true });
};

/** Beside the tree, not in it: a `dist/` of another day must neither be measured nor left behind. */
export async function copyOfTree(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-tree-"));
  for (const part of ["bin", "src", "package.json"])
    await cp(join(ROOT, part), join(folder, part), { recursive: true });
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  return folder;
}

export async function startOnce(
  entry: string,
  home: string,
  idleMs = IDLE_MS,
): Promise<{ readyMs: number; idleBytes: number }> {
  const startedAtMs = performance.now();
  const child = spawn(process.execPath, [entry, "start", "--port", "0"], {
    env: { ...process.env, HOLDPOINT_HOME: home },
    stdio: "ignore",
  });
  const exited = new Promise<void>((done) => child.once("exit", () => done()));
  const url = await readyUrl(home, child.pid ?? 0);
  const readyMs = performance.now() - startedAtMs;
  const answer = await fetch(`${url}/readyz`);
  if (!answer.ok) throw new Error(`said that it is ready and answered ${answer.status}`);
  await sleep(idleMs);
  const idleBytes = residentBytes(child.pid ?? 0);
  child.kill("SIGTERM");
  await exited;
  return { readyMs, idleBytes };
}

/** The running file is written when the gateway is ready; an older one names another process. */
async function readyUrl(home: string, pid: number): Promise<string> {
  const until = performance.now() + READY_MS_MAX;
  while (performance.now() < until) {
    const text = await readFile(join(home, "gateway.json"), "utf8").catch(() => "{}");
    const running = JSON.parse(text) as { pid?: number; url?: string };
    if (running.pid === pid && running.url !== undefined) return running.url;
    await sleep(LOOK_MS);
  }
  throw new Error("the gateway did not become ready");
}

async function bareMemory(): Promise<number> {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e9)"], { stdio: "ignore" });
  await sleep(IDLE_MS / 2);
  const bytes = residentBytes(child.pid ?? 0);
  child.kill();
  return bytes;
}

const residentBytes = (pid: number): number =>
  Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" }).trim()) * 1_024;

async function times<Result>(count: number, work: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let n = 0; n < count; n++) results.push(await work());
  return results;
}

async function timed(work: () => void | Promise<void>): Promise<number> {
  const startedAtMs = performance.now();
  await work();
  return performance.now() - startedAtMs;
}
