/**
 * Workers that the process has lent to the gateway, for its next cells. A cell goes to one directly, and the process is told in the same
 * moment: its clock ends the cell. At any time only one of the two may seat a cell in a worker.
 *
 *   the process ──offered──▶ free ──use()──▶ with a cell ──back()──▶ free   (the one that had a cell last is used next)
 *                              └──decline() · too many cells wait · had its share──▶ the process
 */
import type { Writable } from "node:stream";
import type { HeardLane } from "./heard-lane.ts";
import { headOf, KINDS, type Message, messageBytes } from "./message-bytes.ts";

/** Then the process has it back, which ends a worker that is worn out. */
const CELLS_MAX = 256;

export type LentLanes = {
  take(number: number): void;
  /** Sends the message that a cell begins with; undefined: there is no free one. */
  use(cell: number, first: Uint8Array): HeardLane | undefined;
  /** The outcome of the cell that it was used for was heard on it; one that is not ready for the next comes behind the others. */
  back(lane: HeardLane, isReady: boolean): void;
  /** Follows which cells wait in the process: it has all that are free back then, and those that become free meanwhile. */
  note(message: Pick<Message, "kind" | "cell">): void;
  /** The cell is over. */
  forget(cell: number): void;
};

export function lentLanes(stdin: Writable, lanes: readonly HeardLane[]): LentLanes {
  let free: HeardLane[] = [];
  const used = new Map<HeardLane, number>();
  const waiting = new Set<number>();
  const decline = (number: number): void => void stdin.write(messageBytes({ cell: 0, kind: KINDS.declined, number }));
  function giveBack(lane: HeardLane): void {
    used.delete(lane);
    decline(lanes.indexOf(lane));
  }
  for (const lane of lanes)
    lane.socket.once("close", () => {
      free = free.filter((one) => one !== lane);
    });
  return {
    take(number) {
      const lane = lanes[number];
      if (lane === undefined || lane.socket.destroyed) return decline(number);
      used.set(lane, 0);
      free.unshift(lane); // behind those that had a cell: they are warm
      if (waiting.size > 0) for (const one of free.splice(0)) giveBack(one);
    },
    use(cell, first) {
      const lane = free.pop();
      if (lane === undefined) return undefined;
      used.set(lane, (used.get(lane) ?? 0) + 1);
      lane.socket.write(first);
      const text = String(lanes.indexOf(lane));
      stdin.write(messageBytes({ cell, kind: KINDS.seated, number: headOf(first).number, text }));
      return lane;
    },
    back(lane, isReady) {
      if (lane.socket.destroyed) return;
      if (waiting.size > 0 || (used.get(lane) ?? 0) >= CELLS_MAX) giveBack(lane);
      else if (isReady) free.push(lane);
      else free.unshift(lane);
    },
    note({ kind, cell }) {
      if (kind === KINDS.begun) waiting.delete(cell);
      if (kind !== KINDS.queued) return;
      waiting.add(cell);
      for (const lane of free.splice(0)) giveBack(lane); // they may be the only ones that are free
    },
    forget: (cell) => void waiting.delete(cell),
  };
}
