/** Starts a program that a trusted plugin brings, with nothing allowed but reading its own files and starting threads. */
import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import { spawnEnclosed } from "../../runner/spawn-enclosed.ts";
import { packageOf, workerEntry } from "../../runner/worker-entry.ts";
import { FIRST_LANE_DESCRIPTOR, type GuestPipes, type GuestProgram } from "../api/guest-process.ts";
import { GuestError } from "./guest-limits.ts";
import { enclosedNode } from "./launch.ts";

const LAST_WORDS_CHARS_MAX = 2_000;

export async function launchProgram(program: GuestProgram): Promise<GuestPipes> {
  const entry = await workerEntry(program.entry);
  const readable = [...ownFiles(entry), ...program.readable];
  const args = [
    "--permission",
    ...readable.map((path) => `--allow-fs-read=${path}`),
    "--allow-worker",
    "--no-experimental-sqlite", // it opens any file without asking for the permission
    "--disable-sigusr1", // or a signal would open its debugger
    "--freeze-flags-after-init", // some of V8's settings name files to write
    `--max-old-space-size=${program.heapMegabytes}`,
    "--no-warnings",
    entry,
    ...program.args,
  ];
  const enclosed = await enclosedNode({ cwd: "/", args, readable, network: false, isNear: true });
  const stdio = stdioWith(program.lanes ?? 0);
  const child = spawnEnclosed(enclosed, { cwd: "/", env: {}, stdio, windowsHide: true });
  return pipesOf(child);
}

const stdioWith = (lanes: number): ("pipe" | "ignore")[] => {
  const before = Array.from({ length: FIRST_LANE_DESCRIPTOR }, (_none, at) => (at <= 2 ? "pipe" : "ignore"));
  return [...before, ...Array.from({ length: lanes }, () => "pipe" as const)];
};

/** Built, all of it lies flat in one folder. From a checkout its packages are beside it, and types are stripped. */
function ownFiles(entry: string): string[] {
  const root = packageOf(entry);
  const sources = [join(dirname(entry), "/"), join(root, "package.json")];
  const packages = join(root, "node_modules", "/");
  const isBuilt = entry.endsWith(".js");
  return isBuilt || !existsSync(packages) ? sources : [...sources, join(root, "src", "/"), packages];
}

type Piped = ChildProcess & { stdin: Writable; stdout: Readable; stderr: Readable };

const isPiped = (child: ChildProcess): child is Piped =>
  child.stdin !== null && child.stdout !== null && child.stderr !== null;

function pipesOf(child: ChildProcess): GuestPipes {
  if (!isPiped(child)) throw new GuestError("The system gave no pipes to a plugin's process.");
  const exited = Promise.withResolvers<string>();
  let words = "";
  child.stderr.on("data", (chunk: Buffer) => {
    words = (words + chunk.toString()).slice(-LAST_WORDS_CHARS_MAX);
  });
  const lanes = child.stdio.slice(FIRST_LANE_DESCRIPTOR).filter((lane) => lane instanceof Socket);
  for (const pipe of [child.stdin, ...lanes]) pipe.on("error", () => undefined); // the exit reports it
  child.once("error", (error) => exited.resolve(`it cannot be started: ${error.message}`));
  child.once("close", (code, by) => exited.resolve(`it ended (${by ?? `exit code ${code}`})`));
  return {
    pid: child.pid,
    stdin: child.stdin,
    stdout: child.stdout,
    lanes,
    lastWords: () => words.trim(),
    exited: exited.promise,
    kill: () => void child.kill("SIGKILL"),
    hold(isHeld) {
      for (const part of [child, child.stdin, child.stdout, child.stderr, ...lanes]) {
        if (part !== child && !(part instanceof Socket && !part.destroyed)) continue; // a closed one would wait to be connected
        if (isHeld) part.ref();
        else part.unref();
      }
    },
  };
}
