/**
 * One child process in its own group that is certain to end: by itself, by its time limit, or by the signal.
 * Whatever it left running in its group ends with it.
 *
 * A place that a sandbox was to hide may go while it is built, and then it is not built. It is known that nothing ran, so it is
 * built again from what is there by then.
 */
import type { ChildProcess } from "node:child_process";
import type { Clock } from "../../plugins/sessions.ts";
import { type Enclosed, isUnbuilt, spawnEnclosed } from "../../runner/spawn-enclosed.ts";
import { heldBack } from "./held-back.ts";

/** Between SIGTERM and SIGKILL. */
const KILL_AFTER_MS = 500;
/** After the process itself ended: how long a grandchild may hold its output open. */
const OUTPUT_OPEN_MS_MAX = 200;

/** As the reason of an abort: the process is killed at once, because it may do nothing more. */
export const AT_ONCE = Symbol("at once");

export type ChildOrder = Enclosed & {
  cwd: string;
  env: Readonly<Record<string, string>>;
  signal: AbortSignal;
  timeoutMs: number;
  clock: Clock;
  /** Both streams in the order of arrival. Answering "enough" ends the process. */
  onOutput(chunk: Buffer, stream: "out" | "err"): "more" | "enough";
};

export type ChildEnd =
  | { ended: "exit"; code: number }
  | { ended: "killed"; by: string }
  | { ended: "timeout" | "aborted" | "enough" }
  | { ended: "not-started"; reason: string };

const BUILDS_MAX = 5;

export async function runChild(order: ChildOrder): Promise<ChildEnd> {
  let next: ChildOrder | undefined = order;
  for (let build = 1; ; build++) {
    const { unbuilt, said, end }: Ran = await runOnce(next);
    const built: Enclosed | undefined = unbuilt && build < BUILDS_MAX ? await next.again?.() : undefined;
    next = rebuilt(next, built);
    if (next !== undefined) continue;
    said();
    return end;
  }
}

/** Undefined where nothing that it was built of has changed: it would fail in the same way. */
const rebuilt = (order: ChildOrder, built: Enclosed | undefined): ChildOrder | undefined =>
  built === undefined || built.args.join("\0") === order.args.join("\0") ? undefined : { ...order, ...built };

/** `said`: passes on what the sandbox said of its own failure. */
type Ran = { end: ChildEnd; unbuilt: boolean; said(): void };

function runOnce(order: ChildOrder): Promise<Ran> {
  const { clock, signal } = order;
  if (signal.aborted) return Promise.resolve({ end: { ended: "aborted" }, unbuilt: false, said: () => undefined });
  const child = spawnEnclosed(order, {
    cwd: order.cwd,
    env: { ...order.env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: process.platform !== "win32", // leads a group, so that its children can be ended with it
    windowsHide: true,
  });
  const { promise, resolve } = Promise.withResolvers<Ran>();
  const output = heldBack(order.again === undefined ? undefined : OF_THE_SANDBOX, order.onOutput);
  let why: "timeout" | "aborted" | "enough" | undefined;
  let calledOff: (() => void)[] = [];

  function stop(reason: "timeout" | "aborted" | "enough"): void {
    why ??= reason;
    if (signal.reason === AT_ONCE) return killGroup(child, "SIGKILL");
    killGroup(child, "SIGTERM");
    calledOff.push(clock.wakeAt(clock.now() + KILL_AFTER_MS, () => killGroup(child, "SIGKILL")));
  }
  function settle(end: ChildEnd): void {
    for (const callOff of calledOff) callOff();
    calledOff = [];
    signal.removeEventListener("abort", onAbort);
    const unbuilt = why === undefined && isUnbuilt(child);
    if (!unbuilt) output.release();
    resolve({ end: why === undefined ? end : { ended: why }, unbuilt, said: output.release });
  }
  function onAbort(): void {
    stop("aborted");
  }
  function onChunk(stream: "out" | "err") {
    return (chunk: Buffer): void => {
      if (why === undefined && output.push(chunk, stream) === "enough") stop("enough");
    };
  }

  signal.addEventListener("abort", onAbort, { once: true });
  calledOff.push(clock.wakeAt(clock.now() + order.timeoutMs, () => stop("timeout")));
  child.stdout?.on("data", onChunk("out"));
  child.stderr?.on("data", onChunk("err"));
  child.once("error", (error) => settle({ ended: "not-started", reason: error.message }));
  child.once("exit", (code, by) => {
    killGroup(child, "SIGKILL");
    const end: ChildEnd = code === null ? { ended: "killed", by: by ?? "a signal" } : { ended: "exit", code };
    child.once("close", () => settle(end));
    calledOff.push(clock.wakeAt(clock.now() + OUTPUT_OPEN_MS_MAX, () => settle(end)));
  });
  return promise;
}

/** What it prints begins so. */
const OF_THE_SANDBOX = "bwrap: ";

function killGroup(child: ChildProcess, name: "SIGTERM" | "SIGKILL"): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill(name);
    else process.kill(-child.pid, name);
  } catch {
    // ESRCH: the group is gone already, which is what was wanted
  }
}
