/**
 * One child process in its own group that is certain to end: by itself, by its time limit, or by the signal.
 * Whatever it left running in its group ends with it.
 */
import type { ChildProcess } from "node:child_process";
import type { Clock } from "../../plugins/sessions.ts";
import { type Enclosed, spawnEnclosed } from "../../runner/spawn-enclosed.ts";

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

export function runChild(order: ChildOrder): Promise<ChildEnd> {
  const { clock, signal } = order;
  if (signal.aborted) return Promise.resolve({ ended: "aborted" });
  const child = spawnEnclosed(order, {
    cwd: order.cwd,
    env: { ...order.env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: process.platform !== "win32", // leads a group, so that its children can be ended with it
    windowsHide: true,
  });
  const { promise, resolve } = Promise.withResolvers<ChildEnd>();
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
    resolve(why === undefined ? end : { ended: why });
  }
  function onAbort(): void {
    stop("aborted");
  }
  function onChunk(stream: "out" | "err") {
    return (chunk: Buffer): void => {
      if (why === undefined && order.onOutput(chunk, stream) === "enough") stop("enough");
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

function killGroup(child: ChildProcess, name: "SIGTERM" | "SIGKILL"): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill(name);
    else process.kill(-child.pid, name);
  } catch {
    // ESRCH: the group is gone already, which is what was wanted
  }
}
