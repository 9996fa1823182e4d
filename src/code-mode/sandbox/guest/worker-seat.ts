/**
 * One worker and the cell in it, with the clock that ends it.
 *
 *   free ──seat()──▶ busy ──outcome──▶ free
 *                      └──time over · end() · died──▶ over
 */
import { Worker } from "node:worker_threads";
import type { ErrorCode } from "../sandbox.ts";
import { headOf, KINDS, messageBytes } from "../message-bytes.ts";
import { MEMORY, TIMEOUT, type WorkerOutcome } from "./cell-end.ts";
import { PHASES } from "./cell-run.ts";
import type { WorkerStart } from "./serve-worker.ts";

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
  /** How many it has had. */
  readonly cells: number;
  seat(cell: number, whole: Uint8Array<ArrayBuffer>): void;
  pass(whole: Uint8Array<ArrayBuffer>): void;
  /** The cell in it, if any, is answered with this. */
  end(failure: Failure): void;
};

export type SeatEvents = {
  write(whole: Uint8Array): void;
  free(seat: WorkerSeat): void;
  over(seat: WorkerSeat): void;
};

export function startSeat(start: Omit<WorkerStart, "phase">, events: SeatEvents): WorkerSeat {
  const phase = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const workerData: WorkerStart = { ...start, phase };
  const worker = new Worker(process.argv[1] ?? "", { workerData, resourceLimits: HEAP_MB, env: {} });
  let cell: number | undefined;
  let cells = 0;
  let watch: NodeJS.Timeout | undefined;
  let isOver = false;

  function end(failure: Failure): void {
    if (isOver) return;
    isOver = true;
    clearTimeout(watch);
    void worker.terminate();
    if (cell !== undefined) events.write(failedOutcome(cell, failure));
    events.over(self);
  }
  /** An idle machine is told, and packs itself; one that is in the guest is ended if the engine does not do it. */
  function timeOver(late: number): void {
    pass(messageBytes({ cell: late, kind: KINDS.timeOver }));
    watch = setTimeout(() => {
      if (Atomics.load(phase, 0) !== PHASES.packing) return end(LATE);
      watch = setTimeout(() => end(LATE), PACK_MS_MAX);
    }, LATE_MS_MAX);
  }
  function pass(whole: Uint8Array<ArrayBuffer>): void {
    worker.postMessage(whole, [whole.buffer]);
  }
  worker.on("message", (whole: Uint8Array) => {
    const head = headOf(whole);
    if (isOver || head.cell !== cell) return;
    events.write(whole);
    if (head.kind !== KINDS.outcome) return;
    clearTimeout(watch);
    cell = undefined;
    events.free(self);
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
    seat(given, whole) {
      cell = given;
      cells += 1;
      watch = setTimeout(() => timeOver(given), headOf(whole).number);
      pass(whole);
    },
    pass,
    end,
  };
  return self;
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";

export function failedOutcome(cell: number, failure: Failure): Uint8Array {
  const outcome: WorkerOutcome = { status: "failed", ...failure, cutChars: 0, queued: [], asked: [] };
  return messageBytes({ cell, kind: KINDS.outcome, text: JSON.stringify(outcome) });
}
