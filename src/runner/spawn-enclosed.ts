/**
 * Starts a process in its view: hands the sandbox its filter of system calls on a descriptor of its own, and nothing that
 * this process itself inherited. `start` has closed what it was given; for other owners of a runner it is covered here.
 */
import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process";
import { closeSync, openSync, rm } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { inheritedDescriptors } from "./inherited-descriptors.ts";
import { removeStandIns, type StandIns } from "./stand-ins.ts";

/** The first one behind the usual three and a plugin's channel; the sandbox closes it before the program starts. */
export const FILTER_DESCRIPTOR = 4;

/** On which a sandbox that can tell says how the program ended; it says nothing if the program was not started. */
export const STATUS_DESCRIPTOR = 5;

/**
 * A process as it is to be started, sandbox included. When it has ended, `scratch`, a folder of its own, is removed, and so
 * are `standIns` that the sandbox made. `again`: the sandbox tells whether it was built, and this builds it anew from what is
 * there by then.
 */
export type Enclosed = {
  file: string;
  args: readonly string[];
  filter?: Uint8Array;
  scratch?: string;
  standIns?: StandIns;
  again?: () => Enclosed | undefined | Promise<Enclosed | undefined>;
};

/** How bubblewrap ends then. */
const CANNOT_BUILD = 1;

type Stdio = "ignore" | "pipe";
type Options = Omit<SpawnOptions, "stdio" | "shell"> & { stdio: readonly Stdio[] };

const COVERED_MAX = 1_024;
let inherited: readonly number[] | undefined;

export function spawnEnclosed(enclosed: Enclosed, options: Options): ChildProcess {
  const { file, args, filter, scratch, standIns, again } = enclosed;
  inherited ??= inheritedDescriptors().filter((descriptor) => descriptor < COVERED_MAX);
  const given = withPipes(options.stdio, [
    ...(filter === undefined ? [] : [FILTER_DESCRIPTOR]),
    ...(again === undefined ? [] : [STATUS_DESCRIPTOR]),
  ]);
  const covered = inherited.filter((descriptor) => (given[descriptor] ?? "ignore") === "ignore");
  const nothing = covered.length === 0 ? undefined : openSync("/dev/null", "r");
  try {
    const child = spawn(file, args, {
      ...options,
      stdio: nothing === undefined ? [...given] : over(given, covered, nothing),
    });
    if (filter !== undefined) hand(filter, child.stdio[FILTER_DESCRIPTOR]);
    if (again !== undefined) listenTo(child);
    if (scratch !== undefined) removeAfter(child, scratch);
    if (standIns !== undefined) child.once("exit", () => void removeStandIns(standIns));
    return child;
  } finally {
    if (nothing !== undefined) closeSync(nothing);
  }
}

/** $1 the filter in octal; then the program. */
const HAND_OVER = `filter=$1; shift; exec "$@" ${FILTER_DESCRIPTOR}< <(printf "$filter")`;

/** The same for whoever starts programs by their words alone, as the SDK of MCP does: a shell hands the filter over. */
export function inWords({ file, args, filter, ...rest }: Enclosed, bash: string): Enclosed {
  if (filter === undefined) return { file, args, ...rest };
  const octal = Array.from(filter, (byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
  return {
    file: bash,
    args: ["--noprofile", "--norc", "-p", "-c", HAND_OVER, "holdpoint", octal, file, ...args],
    ...rest,
  };
}

const withPipes = (stdio: readonly Stdio[], descriptors: readonly number[]): Stdio[] =>
  Array.from({ length: Math.max(stdio.length, ...descriptors.map((one) => one + 1)) }, (_none, at) =>
    descriptors.includes(at) ? "pipe" : (stdio[at] ?? "ignore"),
  );

const statuses = new WeakMap<ChildProcess, string>();

function listenTo(child: ChildProcess): void {
  const pipes: readonly unknown[] = child.stdio;
  const status = pipes[STATUS_DESCRIPTOR];
  if (!isReadable(status)) return;
  statuses.set(child, "");
  status.setEncoding("utf8").on("data", (text: string) => void statuses.set(child, statuses.get(child) + text));
  status.on("error", () => undefined); // then it said nothing more
}

/** Whether a sandbox that could have told so ended without having started the program. */
export const isUnbuilt = (child: ChildProcess): boolean => {
  const status = statuses.get(child);
  return status !== undefined && child.exitCode === CANNOT_BUILD && !status.includes('"exit-code"');
};

/** Each of these is open on nothing in the program, instead of on what this process was given. */
function over(stdio: readonly Stdio[], covered: readonly number[], nothing: number): (Stdio | number)[] {
  const length = Math.max(stdio.length, ...covered.map((descriptor) => descriptor + 1));
  return Array.from({ length }, (_none, at) => (covered.includes(at) ? nothing : (stdio[at] ?? "ignore")));
}

/** What it cannot remove the system does, in time: it is a folder for temporary files. */
function removeAfter(child: ChildProcess, scratch: string): void {
  const remove = (): void => rm(scratch, { recursive: true, force: true }, () => undefined);
  child.once("error", remove);
  child.once("exit", remove);
}

function hand(filter: Uint8Array, pipe: unknown): void {
  if (!isWritable(pipe)) return;
  pipe.on("error", () => undefined); // then the sandbox has ended, and its exit reports why
  pipe.end(filter, () => pipe.destroy());
}

const isReadable = (stream: unknown): stream is Readable =>
  stream !== null && typeof stream === "object" && "setEncoding" in stream;

const isWritable = (stream: unknown): stream is Writable =>
  stream !== null && typeof stream === "object" && "end" in stream;
