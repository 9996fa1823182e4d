/**
 * What the runner costs: a command in its view beside a bare one, a read of 20 KB by a process of its own beside one in
 * the gateway's, and the memory of the two processes of a workspace.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { hiddenFromReaders, hiddenFromWriters } from "../src/runner/hidden/hidden-places.ts";
import { NO_SANDBOX, probedSandbox, type Sandbox } from "../src/runner/sandbox.ts";
import { type Enclosed, spawnEnclosed } from "../src/runner/spawn-enclosed.ts";
import type { View } from "../src/runner/view.ts";
import { fileOperations } from "./file-operations.ts";
import { against, figure, type Group, median } from "./figure.ts";

const COMMANDS = 60;
const READS = 2_000;
const FILE_BYTES = 20_000;

export const runner: Group = async (report) => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "holdpoint-bench-runner-")));
  writeFileSync(join(root, "a.txt"), "x".repeat(FILE_BYTES));
  try {
    for (const kind of ["bubblewrap", "perl", "util-linux"] as const) {
      const sandbox = probedSandbox({ builders: [kind] });
      if ((await sandbox.kind()) !== kind) continue;
      const { bare, reads, changes } = await perCommand(sandbox, root);
      report(figure(`a bare command beside ${kind}`, bare, "ms"));
      report(against(bare, figure(`a command that reads, ${kind}`, reads, "ms")));
      report(against(bare, figure(`a command that changes, ${kind}`, changes, "ms")));
      const { inProcess, enclosed } = await perRead(sandbox, root);
      report(against(inProcess, figure(`read of 20 KB, ${kind}`, enclosed, "ms")));
      report(figure(`more memory with both processes of a workspace, ${kind}`, moreMegabytes(kind, root), "MB PSS"));
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
};

const bareProgram = async (): Promise<Enclosed> => ({ file: "/bin/true", args: [] });

/** In turn, so that a machine that is slow for a while is slow for all of them. */
async function perCommand(sandbox: Sandbox, root: string): Promise<{ bare: number; reads: number; changes: number }> {
  const hiding = { home: homedir(), own: [], hide: [], show: [] };
  const enclosed = (view: () => View) => async (): Promise<Enclosed> => {
    const made = await sandbox.enclose(view(), { cwd: root, argv: ["/bin/true"], isLeader: true });
    if (made === undefined) throw new Error("no sandbox");
    return made;
  };
  const reading = enclosed(() => ({
    rest: "read-only",
    network: false,
    places: [...hiddenFromReaders(hiding), { path: root, as: "readable" }],
  }));
  const changing = enclosed(() => ({
    rest: "writable",
    network: true,
    places: [...hiddenFromWriters(hiding), { path: root, as: "writable" }],
  }));
  const took: { bare: number[]; reads: number[]; changes: number[] } = { bare: [], reads: [], changes: [] };
  for (let n = 0; n < COMMANDS; n++) {
    took.bare.push(await oneCommand(bareProgram));
    took.reads.push(await oneCommand(reading));
    took.changes.push(await oneCommand(changing));
  }
  return { bare: median(took.bare), reads: median(took.reads), changes: median(took.changes) };
}

async function oneCommand(make: () => Promise<Enclosed>): Promise<number> {
  const startedAtMs = performance.now();
  const child = spawnEnclosed(await make(), { env: {}, stdio: ["ignore", "pipe", "pipe"] });
  const code = await new Promise<number | null>((ended) => child.once("exit", ended));
  if (code !== 0) throw new Error(`a command ended with ${code}`);
  return performance.now() - startedAtMs;
}

/** In turn too: by the gateway itself, and by a process of its own. */
async function perRead(sandbox: Sandbox, workspace: string): Promise<{ inProcess: number; enclosed: number }> {
  const [here, there] = [fileOperations(NO_SANDBOX, workspace), fileOperations(sandbox, workspace)];
  const took: { inProcess: number[]; enclosed: number[] } = { inProcess: [], enclosed: [] };
  try {
    for (const { write } of [here, there]) await write("b.txt");
    for (let n = 0; n < READS; n++) {
      took.inProcess.push(await oneRead(here));
      took.enclosed.push(await oneRead(there));
    }
    return { inProcess: median(took.inProcess), enclosed: median(took.enclosed) };
  } finally {
    await there.endAll();
    await here.endAll();
  }
}

async function oneRead({ read }: ReturnType<typeof fileOperations>): Promise<number> {
  const startedAtMs = performance.now();
  await read("a.txt");
  return performance.now() - startedAtMs;
}

/** Measured in a process that did nothing else: garbage of this one would be collected between two looks, and count. */
const moreMegabytes = (kind: string, root: string): number =>
  Number(
    execFileSync(
      process.execPath,
      ["--expose-gc", resolve(import.meta.dirname, "runner-memory-process.ts"), kind, root],
      { encoding: "utf8" },
    ),
  );
