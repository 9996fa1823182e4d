/**
 * Keeps a process tree held: its workspace is read-only for all of it, whatever it is and whatever it asks, until it is
 * released, and again when it is held.
 *
 *   held ──release──▶ released ──hold──▶ held
 *                        └── something is open for writing ─▶ waited for ─▶ its writers are ended ─▶ held
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import type { Server } from "node:net";
import { constants } from "node:os";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import type { Duplex, Readable, Writable } from "node:stream";
import { busyWriters, processTree } from "./busy-writers.ts";
import { innerServers } from "./inner-ports.ts";
import { ANSWERS, FILTER, keeperArguments, type KeptProgram, ORDERS, START } from "./keeper-arguments.ts";
import { NAMES, namedWrites } from "./named-writes.ts";
import { terminalFilter } from "./terminal-filter.ts";

/** How long writers may take to come to an end by themselves. */
const WRITERS_MS_MAX = 2_000;
const LOOK_EVERY_MS = 50;
/** After that nothing of the tree is left that could hold anything open. */
const HOLD_TRIES_MAX = 200;
/** A tree that is being started has no workspace yet. */
const RELEASE_TRIES_MAX = 200;

export type Keeper = {
  /** True: it may change things. The last order counts. */
  set(released: boolean): void;
  /** Resolves when the last order was carried out; false: the tree is gone. */
  settled(): Promise<boolean>;
  signal(name: NodeJS.Signals): void;
  /** The exit code of the program, as a shell would report it. */
  ended: Promise<number>;
};

/** A write that the mount refused, as the supervisor read it. */
export type RefusedWrite = { path: string; program: string };

export type Names = {
  /** Once for each path, from each time that the tree is held. */
  tried(write: RefusedWrite): void;
  /** Nothing will be named, although it was asked for. */
  unnamed(): void;
};

export type KeeperOptions = Omit<KeptProgram, "isFiltered" | "named"> & {
  env: NodeJS.ProcessEnv;
  stdio: readonly ["inherit" | "pipe" | "ignore", "inherit" | "pipe" | "ignore", "inherit" | "pipe" | "ignore"];
  /** What the keeper had to do, for people. */
  notice(text: string): void;
  writersMs?: number;
  /** What it tries to change while it is held is named, where this machine can. */
  names?: Names;
  /** What listens on its ports, before it is started. */
  onServers?(servers: readonly Server[]): void;
};

type Child = { orders: Writable; stdin: Writable | null; stdout: Readable | null; stderr: Readable | null };

export type StartedKeeper = Keeper & Pick<Child, "stdout" | "stderr" | "stdin">;

/** Undefined where this machine lacks a program that it takes. */
export function startKeeper(options: KeeperOptions): StartedKeeper | undefined {
  const filter = terminalFilter();
  const named = options.names === undefined ? undefined : namedWrites(options.workspace);
  const made = keeperArguments({ ...options, isFiltered: filter !== undefined, named });
  if (made === undefined) return undefined;
  const hasPorts = options.ports !== undefined;
  const child = spawn(made.file, made.args, {
    env: options.env,
    stdio: [
      ...options.stdio,
      "pipe",
      "pipe",
      filter === undefined ? "ignore" : "pipe",
      hasPorts ? "pipe" : "ignore",
      hasPorts ? "ipc" : "ignore",
      named === undefined ? "ignore" : "pipe",
    ],
  });
  const orders = pipeOf(child.stdio[ORDERS]);
  const streams: readonly unknown[] = child.stdio;
  const [filtered, names] = [streams[FILTER], streams[NAMES]].map((one) => (one === null ? undefined : pipeOf(one)));
  for (const stream of [orders, filtered, names]) stream?.on("error", () => undefined); // it has ended; `exit` says so
  filtered?.end(filter);
  const answers = answersOf(pipeOf(child.stdio[ANSWERS]));
  const heard = hearNames(names, options.names);
  const ended = endOf(child, () => {
    answers.close();
    return heard;
  });
  if (options.ports !== undefined) void openPorts(child, { ...options, ports: options.ports, orders, answers });
  const flips = flipsOf({ orders, answers, names }, options);
  return {
    ...flips,
    ended,
    signal: (name) => void answers.child.then((pid) => pid !== undefined && signalProgram(pid, name)),
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
  };
}

/** `after`: what is still to be done then, before anybody learns of it. */
const endOf = (child: ChildProcess, after: () => Promise<void>): Promise<number> =>
  new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      const status = code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
      void after().then(() => resolve(status));
    });
  });

type Opening = Pick<KeeperOptions, "onServers"> & { ports: readonly number[]; orders: Writable; answers: Answers };

/** The program is not started before what it may reach is there; without it, it is started and reaches nothing. */
async function openPorts(child: ChildProcess, { ports, onServers, orders, answers }: Opening): Promise<void> {
  const streams: readonly unknown[] = child.stdio;
  const start = pipeOf(streams[START]);
  start.on("error", () => undefined); // it has ended
  try {
    const [servers] = await Promise.all([
      innerServers(child, ports),
      answers.child.then((pid) => orders.write(`listen ${pid}\n`)),
    ]);
    child.once("exit", () => {
      for (const server of servers) server.close(); // an open one would keep this process from ending
    });
    onServers?.(servers);
  } catch {
    return; // it has ended; `exit` says so
  } finally {
    if (child.connected) child.channel?.unref();
    start.end("\n");
  }
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- opened as a pipe just now
const pipeOf = (stream: unknown): Duplex => stream as Duplex;

type Answers = { child: Promise<number | undefined>; next(): Promise<string | undefined>; close(): void };

/** First what bubblewrap says of its child, as JSON; then one line for each order. */
function answersOf(stream: Readable): Answers {
  const child = Promise.withResolvers<number | undefined>();
  const waiting: ((line: string | undefined) => void)[] = [];
  let told = "";
  let isOver = false;
  createInterface({ input: stream })
    .on("line", (line) => {
      if (/^(?:done|busy) /.test(line)) return waiting.shift()?.(line);
      told += line;
      const pid = /"child-pid":\s*(?<pid>\d+)/.exec(told)?.groups?.["pid"];
      if (pid !== undefined) child.resolve(Number(pid));
    })
    .on("error", () => undefined);
  return {
    child: child.promise,
    next: () => (isOver ? Promise.resolve(undefined) : new Promise((resolve) => void waiting.push(resolve))),
    close() {
      isOver = true;
      child.resolve(undefined);
      for (const one of waiting.splice(0)) one(undefined);
    },
  };
}

const TRIED = /^tried (?<path>[\da-f]+) (?<program>[\da-f]*)$/;
const fromHex = (text = ""): string => Buffer.from(text, "hex").toString("utf8");

/** Resolves when there is nothing more to come. */
async function hearNames(stream: Readable | undefined, names: Names | undefined): Promise<void> {
  if (stream === undefined) return names?.unnamed();
  const lines = createInterface({ input: stream }).on("error", () => undefined);
  lines.on("line", (line) => {
    const found = TRIED.exec(line)?.groups;
    if (found !== undefined) names?.tried({ path: fromHex(found["path"]), program: fromHex(found["program"]) });
    else if (line === "unnamed") names?.unnamed();
  });
  await new Promise((resolve) => void stream.once("close", resolve)); // it may be cut off
}

type Lines = { orders: Writable; answers: Answers; names: Writable | undefined };

function flipsOf({ orders, answers, names }: Lines, options: KeeperOptions) {
  let wanted = false;
  let now = false; // it starts held
  let work: Promise<boolean> = answers.child.then((pid) => pid !== undefined);
  async function order(what: "ro" | "rw", pid: number): Promise<string | undefined> {
    const answer = answers.next();
    orders.write(`${what} ${pid} ${keptOptions(pid, options.workspace) ?? ""}\n`);
    return answer;
  }
  async function hold(pid: number): Promise<boolean> {
    const untilMs = performance.now() + (options.writersMs ?? WRITERS_MS_MAX);
    for (let tries = 0; tries < HOLD_TRIES_MAX; tries++) {
      const answer = await order("ro", pid);
      if (answer === undefined) return false;
      if (answer.startsWith("done") && isReadOnly(pid, options.workspace)) return true;
      if (wanted) return true; // released again meanwhile
      if (performance.now() >= untilMs) endWriters(pid, options, tries);
      await pause(LOOK_EVERY_MS);
    }
    for (const one of processTree(pid)) end(one);
    return false;
  }
  async function release(pid: number): Promise<boolean> {
    let last = "";
    for (let tries = 0; tries < RELEASE_TRIES_MAX && wanted; tries++) {
      const isMounted = keptOptions(pid, options.workspace) !== undefined;
      const answer = isMounted ? await order("rw", pid) : "";
      if (answer === undefined || answer.startsWith("done")) return answer !== undefined;
      last = answer;
      await pause(LOOK_EVERY_MS);
    }
    if (wanted) options.notice(`the workspace could not be made writable: ${last}`);
    return !wanted;
  }
  async function settle(): Promise<boolean> {
    const pid = await answers.child;
    if (pid === undefined) return false;
    while (now !== wanted) {
      const target = wanted;
      names?.write(target ? "rw\n" : "ro\n"); // what is still written while it is being held succeeds, and is not named
      if (target) {
        if (!(await release(pid))) return false;
      } else if (!(await hold(pid))) return false;
      now = target;
    }
    return true;
  }
  return {
    set(released: boolean): void {
      wanted = released;
      work = work.then(settle, settle);
    },
    settled: () => work,
  };
}

/**
 * What the mount of the workspace is besides writable or not, each behind a comma: the kernel refuses to take such a restriction away.
 * Undefined while the tree has not come so far that its workspace is a mount of its own.
 */
const keptOptions = (pid: number, workspace: string): string | undefined =>
  mountOptions(pid, workspace)
    ?.filter((one) => one !== "ro" && one !== "rw")
    .map((one) => `,${one}`)
    .join("");

/** Asked of the kernel once the order was carried out: what was mounted anew must be the workspace, and not what its name led to. */
const isReadOnly = (pid: number, workspace: string): boolean => {
  const options = mountOptions(pid, workspace);
  return options?.includes("ro") ?? !existsSync(`/proc/${pid}`);
};

function mountOptions(pid: number, workspace: string): string[] | undefined {
  try {
    const mounts = readFileSync(`/proc/${pid}/mountinfo`, "utf8").split("\n");
    return mounts
      .map((line) => line.split(" "))
      .findLast((fields) => fields[4] === escaped(workspace))?.[5]
      ?.split(",");
  } catch {
    return undefined; // it has ended
  }
}

/** As the kernel writes a path there. */
const escaped = (path: string): string =>
  path.replaceAll(/[ \t\n\\]/g, (sign) => `\\${(sign.codePointAt(0) ?? 0).toString(8).padStart(3, "0")}`);

/** First those that hold something open; if that cannot be seen, everything. */
function endWriters(pid: number, { workspace, notice }: KeeperOptions, tries: number): void {
  const writers = busyWriters(pid, workspace);
  const named = writers.map((one) => `${nameOf(one)} (${one})`).join(", ");
  if (writers.length > 0) notice(`ended, because they still wrote while the run is held: ${named}`);
  const isStubborn = tries > HOLD_TRIES_MAX / 2;
  for (const one of isStubborn ? processTree(pid).slice(1) : writers) end(one);
}

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8").trim();
  } catch {
    return "a process";
  }
}

function end(pid: number, signal: NodeJS.Signals = "SIGKILL"): void {
  try {
    process.kill(pid, signal);
  } catch {
    // it has ended by itself
  }
}

/** The first process of the namespace only waits for the program, which is its child. */
function signalProgram(init: number, name: NodeJS.Signals): void {
  const [, program] = processTree(init);
  if (program !== undefined) end(program, name);
}
