/** Asks the thread of snapshots, which is started when the first one is needed. What takes too long is given up and said. */
import { Worker } from "node:worker_threads";
import type { SnapshotOps } from "./snapshot-ops.ts";

type OpName = keyof SnapshotOps;
export type SnapshotMessage = { id: number; op: OpName; args: unknown };
export type SnapshotReply = { id: number; result?: unknown; error?: string };

/** Longer than a look at the largest workspace that is allowed; a thread that takes longer hangs on a dead file system. */
const ANSWER_MS_MAX = 60_000;
const WAITING_MAX = 1_000;

export type Snapshots = {
  ask<Name extends OpName>(op: Name, args: Parameters<SnapshotOps[Name]>[0]): Promise<ReturnType<SnapshotOps[Name]>>;
  stop(): Promise<void>;
};

export class SnapshotFailed extends Error {}

type Waiting = { resolve(result: unknown): void; reject(error: Error): void; timer: NodeJS.Timeout };

export function createSnapshotThread(answerMsMax = ANSWER_MS_MAX): Snapshots {
  let worker: Worker | undefined;
  let asked = 0;
  const waiting = new Map<number, Waiting>();

  function fail(why: string): void {
    for (const { reject, timer } of waiting.values()) {
      clearTimeout(timer);
      reject(new SnapshotFailed(why));
    }
    waiting.clear();
  }
  function settle({ id, result, error }: SnapshotReply): void {
    const one = waiting.get(id);
    if (one === undefined) return;
    waiting.delete(id);
    clearTimeout(one.timer);
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
        const timer = setTimeout(() => void end(`no answer within ${answerMsMax} ms`), answerMsMax);
        waiting.set(id, { resolve, reject, timer });
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
        started().postMessage({ id, op, args } satisfies SnapshotMessage);
      });
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- both ends of the thread share one table of operations
      return result as ReturnType<SnapshotOps[typeof op]>;
    },
    async stop() {
      await end("the gateway stops");
    },
  };
}
