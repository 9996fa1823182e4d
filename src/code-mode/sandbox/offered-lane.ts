/**
 * The worker that the process keeps for the gateway's next cell. It goes there directly, and the process is told in the same moment:
 * its clock ends the cell. At any time only one of the two may seat a cell in a worker.
 */
import type { Writable } from "node:stream";
import type { HeardLane } from "./heard-lane.ts";
import { headOf, KINDS, messageBytes } from "./message-bytes.ts";

export type OfferedLane = {
  take(number: number): void;
  /** Sends the message that a cell begins with; undefined: there is no offer. */
  use(cell: number, first: Uint8Array): HeardLane | undefined;
  /** The process has the worker back. */
  decline(): void;
};

export function offeredLane(stdin: Writable, lanes: readonly HeardLane[]): OfferedLane {
  let offer: { lane: HeardLane | undefined } | undefined;
  function decline(): void {
    if (offer === undefined) return;
    offer = undefined;
    stdin.write(messageBytes({ cell: 0, kind: KINDS.declined }));
  }
  for (const lane of lanes) lane.socket.once("close", () => void (offer?.lane === lane && decline()));
  return {
    take(number) {
      const lane = lanes[number];
      offer = { lane };
      if (lane === undefined || lane.socket.destroyed) decline();
    },
    use(cell, first) {
      const lane = offer?.lane;
      if (lane === undefined) return undefined;
      offer = undefined;
      lane.socket.write(first);
      stdin.write(messageBytes({ cell, kind: KINDS.seated, number: headOf(first).number }));
      return lane;
    },
    decline,
  };
}
