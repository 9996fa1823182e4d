/** The thread in which snapshots are taken: reading thousands of files must not hold up the gateway. */
import { dirname } from "node:path";
import { parentPort } from "node:worker_threads";
import { createSnapshotOps } from "./snapshot-ops.ts";
import { createSnapshotQueue, type Job } from "./snapshot-queue.ts";
import type { SnapshotMessage, SnapshotReply } from "./snapshot-thread.ts";
import { inSlices } from "./sliced.ts";

/** So often, at least, the gateway hears that the thread is alive while something is under way. */
const SIGN_OF_LIFE_MS = 1_000;

const ops = createSnapshotOps();
const port = parentPort;

function say(reply: SnapshotReply): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread of Node, not a window
  port?.postMessage(reply);
}

function jobOf({ id, op, args }: SnapshotMessage): Job {
  return {
    keys: keysOf(args),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- both ends of the thread share one table of operations
    start: () => inSlices(() => (ops[op] as (given: unknown) => unknown)(args)),
    done: (result) => say({ id, result }),
    failed: (error) => say({ id, error: error instanceof Error ? error.message : String(error) }),
  };
}

/** A session's records are one folder, from which the oldest goes when a new one comes. */
function keysOf(args: SnapshotMessage["args"]): string[] {
  if ("folder" in args) return [`session ${args.folder}`];
  const { folder, workspace } = args.place;
  return [`session ${dirname(folder)}`, ...(workspace === undefined ? [] : [`workspace ${workspace}`])];
}

let saidAtMs = 0;
const queue = createSnapshotQueue({
  nowMs: () => performance.now(),
  later(turn) {
    const nowMs = performance.now();
    if (nowMs - saidAtMs > SIGN_OF_LIFE_MS) {
      saidAtMs = nowMs;
      say("alive");
    }
    setImmediate(turn);
  },
});

port?.on("message", (message: SnapshotMessage) => queue.add(jobOf(message)));
