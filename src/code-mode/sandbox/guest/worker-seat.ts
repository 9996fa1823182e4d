/**
 * One worker and the cell in it, with the clock that ends it.
 *
 *   free ──seat() · watch()──▶ busy ──outcome──▶ free
 *                      └──time over · end() · died──▶ over
 *
 * A worker with a lane speaks to the gateway itself; this thread only hands it its cells and learns that they are over.
 */
import { Worker } from "node:worker_threads";
import type { ErrorCode } from "../sandbox.ts";
import { headOf, KINDS, messageBytes, ownCopy } from "../message-bytes.ts";
import { MEMORY, TIMEOUT, type WorkerOutcome } from "./cell-end.ts";
import { PHASES } from "./cell-run.ts";
import { PROGRESS, PROGRESS_FIELDS, type WorkerStart } from "./worker-start.ts";

/** In the guest a program may be this late; the engine stops ordinary loops by itself, exactly in time. */
const LATE_MS_MAX = 30;
/** An idle machine is packed after its time is over. */
const PACK_MS_MAX = 3_000;
/** Of the worker's own heap; machines are outside of it. */
const HEAP_MB = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4, stackSizeMb: 4 };

export type Failure = { code: ErrorCode; error: string };
const CRASHED: Failure = { code: "internal_error", error: "The worker of this cell ended." };
const LATE: Failure = { code: "timeout", error: TIMEOUT };
const FULL_HEAP: Failure = { code: "memory_limit_exceeded", error: MEMORY };

export type WorkerSeat = {
  readonly cell: number | undefined;
  /** The number of its lane, where it has one. */
  readonly lane: number | undefined;
  /** How many it has had. */
  readonly cells: number;
  /** Notices that its cell is over and said so on its lane, though the message to this thread is still on its way. */
  settle(): void;
  seat(cell: number, whole: Uint8Array): void;
  /** It has a cell that came over its lane; whoever gave it to the worker has heard the end of the one before it. */
  watch(cell: number, timeoutMs: number): void;
  /** Whoever gave it its cells has heard the end of the last one. */
  release(): void;
  pass(whole: Uint8Array): void;
  /** The cell in it, if any, is answered with this. */
  end(failure: Failure): void;
  /** Its thread is over: how many messages it has put on its lane. */
  readonly exited: Promise<number>;
};

export type SeatEvents = {
  write(whole: Uint8Array): void;
  free(seat: WorkerSeat): void;
  over(seat: WorkerSeat): void;
};

export function startSeat(start: Omit<WorkerStart, "progress">, events: SeatEvents): WorkerSeat {
  const { worker, progress, posted, exited } = startWorker(start);
  let cell: number | undefined;
  let cells = 0;
  let watch: NodeJS.Timeout | undefined;
  let isOver = false;

  const isDone = (): boolean => cell !== undefined && Atomics.load(progress, PROGRESS.done) === (cell | 0);
  function end(failure: Failure): void {
    if (isOver) return;
    isOver = true;
    clearTimeout(watch);
    void worker.terminate();
    if (cell !== undefined && !isDone()) events.write(failedOutcome(cell, failure, posted()));
    events.over(self);
  }
  /** An idle machine is told, and packs itself; one that is in the guest is ended if the engine does not do it. */
  function timeOver(given: number): void {
    if (!isStillIn(given)) return;
    passTo(worker, messageBytes({ cell: given, kind: KINDS.timeOver }));
    whenLate({ progress, keep: (timer) => (watch = timer), go: () => setImmediate(endLate, given) });
  }
  /** In a round of its own, behind what the gateway has written: it may know that the worker is at another cell by now. */
  const endLate = (given: number): void => void (isStillIn(given) && end(LATE));
  /** A worker that has just ended its cell is not ended for it: what it says may still be on its way. */
  function isStillIn(given: number): boolean {
    settle();
    return cell === given;
  }
  function begin(given: number, timeoutMs: number): void {
    release();
    cell = given;
    cells += 1;
    watch = setTimeout(() => timeOver(given), timeoutMs);
    settle(); // one that came over the lane may be over before this thread hears of it
  }
  const settle = (): void => void (!isOver && isDone() && leave());
  function release(): void {
    clearTimeout(watch);
    cell = undefined;
  }
  function leave(): void {
    release();
    events.free(self);
  }
  /** `null`: the cell that it was given here is over, and the gateway has been told over its lane. */
  worker.on("message", (whole: Uint8Array | null) => {
    if (whole === null) return settle();
    if (isOver || headOf(whole).cell !== cell) return;
    events.write(whole);
    if (headOf(whole).kind === KINDS.outcome) leave();
  });
  worker.on("error", (error) => end(isOutOfMemory(error) ? FULL_HEAP : CRASHED));
  worker.on("exit", () => end(CRASHED));
  const self: WorkerSeat = {
    get cell() {
      return cell;
    },
    get cells() {
      return cells;
    },
    lane: start.lane?.number,
    seat(given, whole) {
      begin(given, headOf(whole).number);
      passTo(worker, whole);
    },
    watch: begin,
    release,
    pass: (whole) => passTo(worker, whole),
    settle,
    end,
    exited,
  };
  return self;
}

type Lateness = { progress: Int32Array; keep(timer: NodeJS.Timeout): void; go(): void };

function whenLate({ progress, keep, go }: Lateness): void {
  const look = (): void => {
    if (Atomics.load(progress, PROGRESS.phase) === PHASES.packing) keep(setTimeout(go, PACK_MS_MAX));
    else go();
  };
  keep(setTimeout(look, LATE_MS_MAX));
}

function passTo(worker: Worker, whole: Uint8Array): void {
  const own = ownCopy(whole);
  worker.postMessage(own, [own.buffer]);
}

type Started = { worker: Worker; progress: Int32Array; posted(): number; exited: Promise<number> };

function startWorker(start: Omit<WorkerStart, "progress">): Started {
  const progress = new Int32Array(new SharedArrayBuffer(PROGRESS_FIELDS * Int32Array.BYTES_PER_ELEMENT));
  const workerData: WorkerStart = { ...start, progress };
  const worker = new Worker(process.argv[1] ?? "", { workerData, resourceLimits: HEAP_MB, env: {} });
  const posted = (): number => Atomics.load(progress, PROGRESS.posted) >>> 0;
  const exited = new Promise<number>((resolve) => void worker.once("exit", () => resolve(posted())));
  return { worker, progress, posted, exited };
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";

/** `posted`: how many messages its worker had put on its lane. */
export const failedOutcome = (cell: number, failure: Failure, posted = 0): Uint8Array =>
  messageBytes({ cell, kind: KINDS.outcome, number: posted, text: failedText(failure) });

/** The cell of a worker that has ended: whether it failed is decided by whoever reads what that worker said. */
export const unseatedCell = (cell: number, posted: number): Uint8Array =>
  messageBytes({ cell, kind: KINDS.unseated, number: posted, text: failedText(CRASHED) });

function failedText(failure: Failure): string {
  const outcome: WorkerOutcome = { status: "failed", ...failure, cutChars: 0, queued: [], asked: [] };
  return JSON.stringify(outcome);
}
