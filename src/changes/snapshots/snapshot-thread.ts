/** Asks the thread of snapshots, which is started when the first one is needed. A thread that hangs is given up and said. */
import { Worker } from "node:worker_threads";
import type { Sliced } from "./sliced.ts";
import type { SnapshotOps } from "./snapshot-ops.ts";

type OpName = keyof SnapshotOps;
type ArgsOf<Name extends OpName> = Parameters<SnapshotOps[Name]>[0];
type Unsliced<Answer> = Answer extends Sliced<infer Result> ? Result : Answer;
type ResultOf<Name extends OpName> = Unsliced<ReturnType<SnapshotOps[Name]>>;
export type SnapshotMessage = { id: number; op: OpName; args: ArgsOf<OpName> };
/** `alive`: what was asked is under way. */
export type SnapshotReply = "alive" | { id: number; result?: unknown; error?: string };

/** A thread that says nothing for so long hangs on a dead file system. What one look may take, the thread itself limits. */
const SILENT_MS_MAX = 60_000;
const WAITING_MAX = 1_000;

export type Snapshots = {
  ask<Name extends OpName>(op: Name, args: ArgsOf<Name>): Promise<ResultOf<Name>>;
  stop(): Promise<void>;
};

export class SnapshotFailed extends Error {}

type Waiting = { resolve(result: unknown): void; reject(error: Error): void };

export function createSnapshotThread(silentMsMax = SILENT_MS_MAX): Snapshots {
  let worker: Worker | undefined;
  let asked = 0;
  const waiting = new Map<number, Waiting>();

  let silence: NodeJS.Timeout | undefined;

  function fail(why: string): void {
    clearTimeout(silence);
    silence = undefined;
    for (const { reject } of waiting.values()) reject(new SnapshotFailed(why));
    waiting.clear();
  }
  function settle(reply: SnapshotReply): void {
    if (reply !== "alive") answer(reply);
    clearTimeout(silence);
    silence = undefined;
    if (waiting.size > 0) listen();
  }
  /** Until the next word from the thread, whose work it may be: others' work is no reason to end one's own. */
  function listen(): void {
    silence ??= setTimeout(() => void end(`no answer within ${silentMsMax} ms`), silentMsMax);
  }
  function answer({ id, result, error }: Exclude<SnapshotReply, "alive">): void {
    const one = waiting.get(id);
    if (one === undefined) return;
    waiting.delete(id);
    if (error === undefined) one.resolve(result);
    else one.reject(new SnapshotFailed(error));
  }
  function end(why: string): Promise<unknown> {
    const ending = worker;
    worker = undefined;
    fail(why);
    return ending?.terminate() ?? Promise.resolve();
  }
  function started(): Worker {
    if (worker !== undefined) return worker;
    const made = new Worker(new URL("./snapshot-worker.ts", import.meta.url));
    made.unref();
    made.on("message", settle);
    made.on("error", (error) => void (worker === made && end(String(error))));
    made.on("exit", () => void (worker === made && end("the thread of snapshots ended")));
    worker = made;
    return made;
  }
  return {
    async ask(op, args) {
      if (waiting.size >= WAITING_MAX) throw new SnapshotFailed("too many snapshots wait");
      const id = ++asked;
      const result = await new Promise<unknown>((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        listen();
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
        started().postMessage({ id, op, args } satisfies SnapshotMessage);
      });
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- both ends of the thread share one table of operations
      return result as ResultOf<typeof op>;
    },
    async stop() {
      await end("the gateway stops");
    },
  };
}
