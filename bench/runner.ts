/**
 * What the runner costs: a command in its view beside a bare one, a read of 20 KB by a process of its own beside one in
 * the gateway's, and the memory of the two processes of a workspace.
 */
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../src/engine/clock.ts";
import type { ToolContext } from "../src/plugins/tool.ts";
import { SessionId, TurnId } from "../src/protocol/ids.ts";
import { hiddenFromReaders, hiddenFromWriters } from "../src/runner/hidden/hidden-places.ts";
import { NO_SANDBOX, probedSandbox, type Sandbox } from "../src/runner/sandbox.ts";
import { type Enclosed, spawnEnclosed } from "../src/runner/spawn-enclosed.ts";
import type { View } from "../src/runner/view.ts";
import { createFileRunners } from "../src/tools/builtin/files/file-runners.ts";
import { mintPermit } from "../src/tools/permit.ts";
import { against, figure, type Group, median } from "./figure.ts";

const COMMANDS = 60;
const READS = 2_000;
const FILE_BYTES = 20_000;
const BYTES_PER_MB = 1_000_000;

export const runner: Group = async (report) => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "holdpoint-bench-runner-")));
  writeFileSync(join(root, "a.txt"), "x".repeat(FILE_BYTES));
  try {
    const bareMs = await perCommand(async () => ({ file: "/bin/true", args: [] }));
    report(figure("a bare command", bareMs, "ms"));
    const inProcess = await readsBy(NO_SANDBOX, root);
    for (const kind of ["bubblewrap", "perl", "util-linux"] as const) {
      const sandbox = probedSandbox({ builders: [kind] });
      if ((await sandbox.kind()) !== kind) continue;
      for (const [name, view] of viewsOf(root)) {
        const enclosed = async (): Promise<Enclosed> => {
          const made = await sandbox.enclose(view(), { cwd: root, argv: ["/bin/true"], isLeader: true });
          if (made === undefined) throw new Error("no sandbox");
          return made;
        };
        report(against(bareMs, figure(`a command that ${name}, ${kind}`, await perCommand(enclosed), "ms")));
      }
      const read = await readsBy(sandbox, root);
      report(against(inProcess.perReadMs, figure(`read of 20 KB, ${kind}`, read.perReadMs, "ms")));
      report(figure(`more memory with both processes of a workspace, ${kind}`, read.megabytes, "MB PSS"));
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
};

const viewsOf = (root: string): [string, () => View][] => {
  const hiding = { home: homedir(), own: [], hide: [], show: [] };
  const places = { readers: () => hiddenFromReaders(hiding), writers: () => hiddenFromWriters(hiding) };
  return [
    [
      "reads",
      () => ({ rest: "read-only", network: false, places: [...places.readers(), { path: root, as: "readable" }] }),
    ],
    [
      "changes",
      () => ({ rest: "writable", network: true, places: [...places.writers(), { path: root, as: "writable" }] }),
    ],
  ];
};

async function perCommand(make: () => Promise<Enclosed>): Promise<number> {
  const took: number[] = [];
  for (let n = 0; n < COMMANDS; n++) {
    const startedAtMs = performance.now();
    const child = spawnEnclosed(await make(), { env: {}, stdio: ["ignore", "pipe", "pipe"] });
    const code = await new Promise<number | null>((ended) => child.once("exit", ended));
    if (code !== 0) throw new Error(`a command ended with ${code}`);
    took.push(performance.now() - startedAtMs);
  }
  return median(took);
}

async function readsBy(sandbox: Sandbox, workspace: string): Promise<{ perReadMs: number; megabytes: number }> {
  const files = createFileRunners({ sandbox, protectedFolders: [], clock: systemClock });
  const ids = { sessionId: SessionId.parse("ses_1"), callId: "c1" };
  const context: ToolContext = {
    ...ids,
    turnId: TurnId.parse("trn_1"),
    workspace,
    signal: new AbortController().signal,
    emit: () => undefined,
  };
  const took: number[] = [];
  const before = ownBytes(process.pid); // it shares pages with them afterwards, and so has less of its own
  try {
    const permit = mintPermit({ ...ids, argsDigest: "x", epoch: 1 });
    await files.operation("write")({ path: "b.txt", content: "x" }, context, permit);
    for (let n = 0; n < READS; n++) {
      const startedAtMs = performance.now();
      await files.operation("read")({ path: "a.txt" }, context, undefined);
      took.push(performance.now() - startedAtMs);
    }
    return {
      perReadMs: median(took),
      megabytes: (ownBytes(process.pid) - before + belowBytes(process.pid)) / BYTES_PER_MB,
    };
  } finally {
    await files.endAll();
  }
}

/** Of all that a process has started, itself left out. */
function belowBytes(pid: number): number {
  const below = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);
  return below.reduce((sum, child) => sum + ownBytes(child) + belowBytes(child), 0);
}

/** What it shares with others counts in part. */
const ownBytes = (pid: number): number =>
  Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0) * 1_024;
