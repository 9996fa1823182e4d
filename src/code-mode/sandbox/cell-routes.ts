/**
 * Which way the messages of each open cell go: over the lane of the worker that has it, or through the process.
 *
 *   open ──begin()──▶ in a worker that was lent ──its worker had ended──▶ in the process ──close()──▶ over
 *                └──none is free──▶ in the process
 */
import type { Writable } from "node:stream";
import type { HeardLane } from "./heard-lane.ts";
import { lentLanes } from "./lent-lanes.ts";
import { KINDS, type Message } from "./message-bytes.ts";

export type CellListener = { message(message: Message): void; over(why: string): void };

export type CellRoutes = {
  open(cell: number, listener: CellListener): void;
  begin(cell: number, first: Uint8Array): void;
  answer(cell: number, whole: Uint8Array): void;
  close(cell: number): void;
  /** `lane`: it came over this one; otherwise from the process. */
  take(message: Message, lane: HeardLane | undefined): void;
  /** The process has ended. */
  over(why: string): void;
};

/**
 * `isSeated`: it went to a worker that was lent to the gateway. `unheard`: what was sent to that worker, until something of the cell is heard.
 */
type Open = { listener: CellListener; lane?: HeardLane; way?: Writable; isSeated?: boolean; unheard?: Uint8Array[] };

export function cellRoutes(stdin: Writable, lanes: readonly HeardLane[]): CellRoutes {
  const cells = new Map<number, Open>();
  const lent = lentLanes(stdin, lanes);

  function takeFromLane(cell: Open, message: Message, lane: HeardLane): void {
    cell.lane = lane;
    delete cell.unheard;
    if (message.kind === KINDS.outcome && cell.isSeated === true) lent.back(lane, message.number === 0);
    cell.listener.message(message);
  }
  /** The end of a worker comes behind what it said. */
  function takeFromProcess(cell: Open, message: Message): void {
    const { kind, number } = message;
    const deliver = (): void => {
      if (cells.get(message.cell) !== cell) return;
      if (kind === KINDS.unseated) unseat(cell, message, stdin);
      else cell.listener.message(message);
    };
    const isEnd = kind === KINDS.outcome || kind === KINDS.unseated;
    if (isEnd && cell.lane !== undefined) cell.lane.after(number, deliver);
    else deliver();
  }
  return {
    open: (cell, listener) => void cells.set(cell, { listener }),
    begin(cell, first) {
      const open = cells.get(cell);
      const lane = open === undefined ? undefined : lent.use(cell, first);
      if (open === undefined || lane === undefined) stdin.write(first);
      else Object.assign(open, { lane, isSeated: true, unheard: [first] });
    },
    answer(cell, whole) {
      const open = cells.get(cell);
      if (open === undefined) return;
      open.way ??= open.lane?.socket ?? stdin; // one way for all of them, so that they arrive in order
      open.way.write(whole);
      open.unheard?.push(whole);
    },
    close(cell) {
      cells.delete(cell);
      lent.forget(cell);
    },
    take(message, lane) {
      if (message.kind === KINDS.offered && lane === undefined) return lent.take(message.number);
      const cell = cells.get(message.cell);
      if (cell === undefined) return;
      lent.note(message);
      if (lane === undefined) takeFromProcess(cell, message);
      else takeFromLane(cell, message, lane);
    },
    over(why) {
      for (const { listener } of cells.values()) listener.over(why);
      cells.clear();
    },
  };
}

/**
 * The worker that a cell was given to has ended. A cell that has said nothing has done nothing: it is begun again, in a worker that the process finds.
 * Any other has failed.
 */
function unseat(cell: Open, message: Message, stdin: Writable): void {
  const { unheard, lane } = cell;
  if (unheard === undefined) return cell.listener.message({ ...message, kind: KINDS.outcome });
  lane?.socket.destroy(); // so that nothing of its first beginning can be heard after its second
  for (const name of ["lane", "unheard"] as const) delete cell[name];
  Object.assign(cell, { isSeated: false, way: stdin });
  for (const whole of unheard) stdin.write(whole);
}
