/**
 * What snapshots cost: of a repository of 10,000 files before a plan's first command and around the next ones, of a step that
 * touched 10 files, and rolling back; beside reading every file once, which a copy of the workspace would need.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { CyclePlace } from "../src/changes/snapshots/cycle-record.ts";
import { createSnapshotThread, type Snapshots } from "../src/changes/snapshots/snapshot-thread.ts";
import { against, figure, type Group, median } from "./figure.ts";

const FOLDERS = 200;
const FILES_EACH = 50;
const TOUCHED = 10;
const ROUNDS = 5;
const NS_PER_MS = 1e6;
const LIMITS = { filesMax: 50_000, fileBytesMax: 8_388_608, bytesMax: 536_870_912, ignored: false };

export const changes: Group = async (report) => {
  const root = mkdtempSync(join(tmpdir(), "holdpoint-bench-changes-"));
  const snapshots = createSnapshotThread();
  try {
    const workspace = join(root, "workspace");
    fill(workspace);
    const read = median(times(ROUNDS, () => readAll(workspace)));
    const copied = await baseOf(snapshots, { root, workspace, name: "plain" });
    report(against(read, figure("first snapshot of 10,000 files without a repository", copied.ms, "ms")));
    if (asRepository(workspace)) {
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      const inGit = await baseOf(snapshots, { root, workspace, name: "git" });
      delay.disable();
      report(against(read, figure("first snapshot of a 10,000-file repository", inGit.ms, "ms")));
      report(figure("the gateway's loop meanwhile is late, at most", delay.max / NS_PER_MS, "ms"));
      await around(snapshots, inGit, report);
    } else process.stderr.write("changes: there is no git here, so no repository was measured\n");
  } finally {
    await snapshots.stop();
    rmSync(root, { recursive: true, force: true });
  }
};

function fill(workspace: string): void {
  for (let folder = 0; folder < FOLDERS; folder++) {
    const path = join(workspace, `part${folder % 20}`, `folder${folder}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < FILES_EACH; file++)
      writeFileSync(join(path, `file${file}.ts`), `export const value = "${folder}/${file}";\n`.repeat(60));
  }
}

function readAll(workspace: string): void {
  for (const entry of readdirSync(workspace, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) readFileSync(join(entry.parentPath, entry.name));
}

function asRepository(workspace: string): boolean {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  const git = (...args: string[]) => execFileSync("git", args, { cwd: workspace, stdio: "ignore", env });
  try {
    git("init", "-q");
  } catch {
    return false;
  }
  git("add", ".");
  git("-c", "gc.auto=0", "-c", "user.name=bench", "-c", "user.email=bench@example.org", "commit", "-q", "-m", "all");
  git("gc", "-q");
  return true;
}

function times(count: number, work: () => void): number[] {
  return Array.from({ length: count }, () => {
    const startedAtMs = performance.now();
    work();
    return performance.now() - startedAtMs;
  });
}

type Base = { place: CyclePlace; ms: number; n: number };

/** The first snapshot is taken once per plan, so each round is another plan. */
async function baseOf(snapshots: Snapshots, at: { root: string; workspace: string; name: string }): Promise<Base> {
  const took: number[] = [];
  let last: Base | undefined;
  for (let round = 0; round < ROUNDS; round++) {
    const place = {
      folder: join(at.root, at.name, String(round)),
      workspace: at.workspace,
      limits: LIMITS,
      hidden: [],
    };
    const startedAtMs = performance.now();
    const { n } = await snapshots.ask("begin", { place, call: { callId: "base", tool: "exec", atMs: 1 } });
    took.push(performance.now() - startedAtMs);
    await snapshots.ask("end", { place, call: { n, atMs: 2, status: "ok" } });
    last = { place, ms: 0, n };
  }
  if (last === undefined) throw new Error("no round was measured");
  return { ...last, ms: median(took) };
}

async function around(snapshots: Snapshots, { place }: Base, report: Parameters<Group>[0]): Promise<void> {
  const workspace = place.workspace ?? "";
  const paths = Array.from({ length: TOUCHED }, (_, n) => `part${n}/folder${n}/file1.ts`);
  const step = { index: 1, text: "Touch ten files" };
  const touch = (round: string): void => {
    for (const path of paths) writeFileSync(join(workspace, path), `export const value = "${round}";\n`.repeat(60));
  };
  const [named, any]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    for (const [took, targets] of [
      [named, paths],
      [any, undefined],
    ] as const) {
      const call = {
        callId: `call_${round}`,
        tool: "exec",
        atMs: 1,
        step,
        ...(targets === undefined ? {} : { targets }),
      };
      const startedAtMs = performance.now();
      const { n } = await snapshots.ask("begin", { place, call });
      const begunAtMs = performance.now();
      touch(`${round} ${took.length}`);
      const ranAtMs = performance.now();
      await snapshots.ask("end", { place, call: { n, atMs: 2, status: "ok" } });
      took.push(begunAtMs - startedAtMs, performance.now() - ranAtMs);
    }
  }
  report(figure("snapshot of a step that touched 10 named files", median(named), "ms"));
  report(figure("snapshot around a command that may touch any of 10,000", median(any), "ms"));
  const previewedAtMs = performance.now();
  const preview = await snapshots.ask("preview", { place, step: 1 });
  report(figure("preview of a rollback of 10 files", performance.now() - previewedAtMs, "ms"));
  const orderedAtMs = performance.now();
  const order = { rollbackId: "rbk_bench", step: 1, by: "bench", atMs: 3, conflicts: "keep" } as const;
  await snapshots.ask("order", { place, order, digest: preview.digest });
  const { restored } = await snapshots.ask("restore", { place, at: { rollbackId: "rbk_bench", atMs: 4 } });
  if (restored.length !== TOUCHED) throw new Error(`only ${restored.length} files were put back`);
  report(figure("rollback of 10 files, ordered and done", performance.now() - orderedAtMs, "ms"));
}
