/**
 * The process's main thread: keeps workers warm, hands each message to the worker of its cell, and lets cells wait where
 * all workers are busy. Workers are lent to the gateway, one more whenever all of those have a cell: it gives them their cells over
 * their lanes, one after another, and until it gives a worker back nobody else gets it.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { headOf, KINDS, type Message, messageBytes, messageReader, ownCopy, readMessage } from "../message-bytes.ts";
import { compileWasm } from "./compile-wasm.ts";
import { createImage, type Image, imageHash } from "./guest-vm.ts";
import { type Failure, failedOutcome, startSeat, unseatedCell, type WorkerSeat } from "./worker-seat.ts";
import type { Lane } from "./worker-start.ts";

const WARM_WORKERS = 2;
const WORKERS_MAX = 16;
const WAITING_MAX = 256;
/** So that what a worker collected over its cells is given back some time. */
const CELLS_PER_WORKER_MAX = 2_000;

const ABORTED: Failure = { code: "aborted", error: "The cell was aborted." };
const FULL: Failure = { code: "runtime_unavailable", error: "Too many cells wait for a worker." };
const NOT_LENT: Failure = { code: "internal_error", error: "The worker of this cell is not the gateway's." };
const WORN: Failure = { code: "internal_error", error: "The worker was replaced." };

/** Connections to the gateway, each for one worker: the descriptor of the first, and how many there are. */
export type Lanes = { first: number; count: number };

export async function serveProcess(wasmPath: string, lanes: Lanes): Promise<void> {
  const bytes = await readFile(wasmPath);
  const wasm = await compileWasm(bytes);
  const image = shared(await createImage(wasm));
  const onMessage = workerPool({ wasm, image, lanes });
  process.stdin.on("data", messageReader({ onMessage, onBroken: () => process.exit(1) }));
  process.stdin.once("end", () => process.exit(0));
  const moduleHash = createHash("sha256").update(bytes).digest("hex");
  const text = JSON.stringify({ moduleHash, imageHash: imageHash(image) });
  write(messageBytes({ cell: 0, kind: KINDS.ready, text }));
}

const write = (whole: Uint8Array): void => void process.stdout.write(whole);

/** One copy for all workers. */
function shared(image: Image): Image {
  const memory = new Uint8Array(new SharedArrayBuffer(image.memory.length));
  memory.set(image.memory);
  return { ...image, memory };
}

/** `isTold`: the gateway knows that it waits, and that its time has not begun. `behind`: what came for it meanwhile. */
type Waiting = { cell: number; whole: Uint8Array; isTold?: true; behind: Uint8Array[] };
type PoolParts = { wasm: WebAssembly.Module; image: Image; lanes: Lanes };

/** Returns what takes the gateway's messages. */
function workerPool({ wasm, image, lanes }: PoolParts): (whole: Uint8Array) => void {
  const { seats, lent, own, warm, on, withCell, lend, takeBack, drop, ended } = seatRows();
  const waiting: Waiting[] = [];
  const nextLane = laneGiver(lanes);
  const events = {
    write,
    free(seat: WorkerSeat): void {
      if (lent.has(seat)) return;
      seats.delete(seat); // to the end of the row: it restores its next machine meanwhile
      if (seat.cells >= CELLS_PER_WORKER_MAX) seat.end(WORN);
      else seats.add(seat);
      serveNext();
    },
    over(seat: WorkerSeat): void {
      drop(seat);
      serveNext();
    },
  };
  function lendNext(): void {
    const lane = waiting.length > 0 ? undefined : lend();
    if (lane !== undefined) write(messageBytes({ cell: 0, kind: KINDS.offered, number: lane }));
  }
  /** Until every cell has a worker or all workers are busy: a worker that was just started is free, too. */
  function serveNext(): void {
    for (;;) {
      for (let seat = warmest(own()); seat !== undefined && waiting.length > 0; seat = warmest(own()))
        begin(seat, waiting.shift());
      const missing = Math.min(WARM_WORKERS + waiting.length - warm(), WORKERS_MAX - seats.size);
      for (let count = 0; count < missing; count++) seats.add(startSeat({ wasm, image, ...nextLane() }, events));
      if (missing <= 0 || waiting.length === 0) return lendNext();
    }
  }
  /** The gateway has given a cell to a worker that it was lent: the cell's time counts from here on. */
  function seated({ cell, number, text }: Message): void {
    const seat = on(Number(text));
    if (seat === undefined || !lent.has(seat)) return unseat(cell, ended.get(Number(text)));
    seat.watch(cell, number);
    for (const one of lent) one.settle(); // nobody says here that their cells are over
    serveNext();
  }
  function pass(cell: number, whole: Uint8Array): void {
    const at = waiting.find((one) => one.cell === cell);
    if (at === undefined) withCell(cell)?.pass(whole);
    else at.behind.push(ownCopy(whole));
  }
  function abort(cell: number): void {
    const at = waiting.findIndex((one) => one.cell === cell);
    if (at >= 0) waiting.splice(at, 1);
    withCell(cell)?.end(ABORTED);
  }
  serveNext();
  return (whole) => {
    const { cell, kind, number } = headOf(whole);
    if (kind === KINDS.abort) return abort(cell);
    if (kind === KINDS.seated) return seated(readMessage(whole));
    if (kind === KINDS.declined) return takeBack(number, events);
    if (kind !== KINDS.run && kind !== KINDS.resume) return pass(cell, whole);
    if (waiting.length >= WAITING_MAX) return write(failedOutcome(cell, FULL));
    for (const seat of seats) seat.settle();
    const next: Waiting = { cell, whole: ownCopy(whole), behind: [] };
    waiting.push(next);
    serveNext();
    if (!waiting.includes(next)) return;
    next.isTold = true;
    write(messageBytes({ cell, kind: KINDS.queued }));
  };
}

function begin(seat: WorkerSeat, next: Waiting | undefined): void {
  if (next === undefined) return;
  if (next.isTold === true) write(messageBytes({ cell: next.cell, kind: KINDS.begun }));
  seat.seat(next.cell, next.whole);
  for (const whole of next.behind) seat.pass(whole);
}

/** The gateway gave a cell to a worker that was ended in that moment: it is told when nothing more can come of it. */
function unseat(cell: number, seat: WorkerSeat | undefined): void {
  if (seat === undefined) return write(failedOutcome(cell, NOT_LENT));
  void seat.exited.then((posted) => write(unseatedCell(cell, posted)));
}

/** Workers, and those of them that are lent to the gateway. */
function seatRows() {
  const [seats, lent] = [new Set<WorkerSeat>(), new Set<WorkerSeat>()];
  const own = (): WorkerSeat[] => [...seats].filter((seat) => isFree(seat) && !lent.has(seat));
  /** By its lane, which no other gets: those that ended while they were lent. */
  const ended = new Map<number, WorkerSeat>();
  const on = (lane: number): WorkerSeat | undefined => [...seats].find((seat) => seat.lane === lane);
  return {
    seats,
    lent,
    ended,
    drop(seat: WorkerSeat): void {
      if (lent.delete(seat) && seat.lane !== undefined) ended.set(seat.lane, seat);
      seats.delete(seat);
    },
    /** Lends one more where none of those that are lent is free: its lane. */
    lend(): number | undefined {
      if ([...lent].some(isFree)) return undefined;
      const next = warmest(own().filter(({ lane }) => lane !== undefined));
      if (next !== undefined) lent.add(next);
      return next?.lane;
    },
    takeBack(lane: number, { free }: { free(seat: WorkerSeat): void }): void {
      const seat = on(lane);
      if (seat === undefined || !lent.delete(seat)) return;
      seat.release();
      free(seat);
    },
    /** Those that are free and not lent. */
    own,
    /** How many are free. */
    warm: (): number => own().length + [...lent].filter(isFree).length,
    on,
    withCell: (cell: number): WorkerSeat | undefined => [...seats].find((seat) => seat.cell === cell),
  };
}

const isFree = ({ cell }: WorkerSeat): boolean => cell === undefined;
/** The one that had a cell last; before any had one, the one that was started first. */
const warmest = (free: readonly WorkerSeat[]): WorkerSeat | undefined =>
  free.findLast(({ cells }) => cells > 0) ?? free[0];

/** One that its worker has closed is not opened again. */
function laneGiver({ first, count }: Lanes): () => { lane?: Lane } {
  let taken = 0;
  return () => {
    if (taken >= count) return {};
    taken += 1;
    return { lane: { number: taken - 1, descriptor: first + taken - 1 } };
  };
}
