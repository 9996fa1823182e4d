/** Starts a process in its view, and hands the sandbox its filter of system calls on a descriptor of its own. */
import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process";
import type { Writable } from "node:stream";

/** The first one behind the usual three and a plugin's channel; the sandbox closes it before the program starts. */
export const FILTER_DESCRIPTOR = 4;

/** A process as it is to be started, sandbox included. */
export type Enclosed = { file: string; args: readonly string[]; filter?: Uint8Array };

type Stdio = "ignore" | "pipe";
type Options = Omit<SpawnOptions, "stdio" | "shell"> & { stdio: readonly Stdio[] };

export function spawnEnclosed({ file, args, filter }: Enclosed, options: Options): ChildProcess {
  if (filter === undefined) return spawn(file, args, { ...options, stdio: [...options.stdio] });
  const given = Array.from({ length: FILTER_DESCRIPTOR }, (_none, at): Stdio => options.stdio[at] ?? "ignore");
  const child = spawn(file, args, { ...options, stdio: [...given, "pipe"] });
  const pipe = child.stdio[FILTER_DESCRIPTOR];
  if (isWritable(pipe)) {
    pipe.on("error", () => undefined); // then the sandbox has ended, and its exit reports why
    pipe.end(filter, () => pipe.destroy());
  }
  return child;
}

const isWritable = (stream: unknown): stream is Writable =>
  stream !== null && typeof stream === "object" && "end" in stream;
