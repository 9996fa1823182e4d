/** The thread in which snapshots are taken: reading thousands of files must not hold up the gateway. */
import { parentPort } from "node:worker_threads";
import { createSnapshotOps } from "./snapshot-ops.ts";
import type { SnapshotMessage, SnapshotReply } from "./snapshot-thread.ts";

const ops = createSnapshotOps();

function answer({ id, op, args }: SnapshotMessage): SnapshotReply {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- both ends of the thread share one table of operations
    return { id, result: (ops[op] as (given: unknown) => unknown)(args) };
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
}

const port = parentPort;
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread of Node, not a window
port?.on("message", (message: SnapshotMessage) => port.postMessage(answer(message)));
