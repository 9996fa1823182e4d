/**
 * How much more memory is taken while both processes of a workspace run, this one included, which shares pages with them
 * and so has less of its own. Its arguments are the sandbox and the workspace; it prints megabytes.
 */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { probedSandbox } from "../src/runner/sandbox.ts";
import { fileOperations } from "./file-operations.ts";

const BYTES_PER_KB = 1_024;
const BYTES_PER_MB = 1_000_000;

/** Of a process and all that it has started. What it shares with others counts in part. */
function bytesOf(pid: number): number {
  const below = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);
  const own = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0;
  return below.reduce((sum, child) => sum + bytesOf(child), Number(own) * BYTES_PER_KB);
}

/** What was left over by whatever ran before is no part of it. */
function collected(): number {
  globalThis.gc?.();
  return bytesOf(process.pid);
}

async function main(): Promise<void> {
  const kind = z.enum(["bubblewrap", "perl", "util-linux"]).parse(process.argv[2]);
  const workspace = z.string().parse(process.argv[3]);
  const sandbox = probedSandbox({ builders: [kind] });
  await sandbox.kind();
  const { write, read, endAll } = fileOperations(sandbox, workspace);
  const before = collected();
  await write("b.txt");
  await read("a.txt");
  process.stdout.write(`${(collected() - before) / BYTES_PER_MB}\n`);
  await endAll();
}

await main();
