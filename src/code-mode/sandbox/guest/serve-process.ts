/**
 * The process's main thread: workers, kept warm; each message handed to the worker of its cell; and the clock, which ends
 * a worker that does not come back in time.
 *
 *   worker: booting ──▶ ready ──run · resume──▶ busy ──outcome──▶ ready
 *                                                 └──time over · abort · died──▶ ended, and another boots
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import type { ErrorCode } from "../sandbox.ts";
import { headOf, KINDS, messageBytes, messageReader } from "../wire.ts";
import { PHASES, type WorkerOutcome } from "./cell-run.ts";
import { createImage, type Image, imageHash } from "./guest-vm.ts";
import { compileWasm } from "./compile-wasm.ts";

const WARM_WORKERS = 2;
const WORKERS_MAX = 16;
const WAITING_MAX = 256;
/** In the guest a program may be this late; the engine stops ordinary loops by itself, exactly in time. */
const LATE_MS_MAX = 30;
/** An idle machine is packed after its time is over. */
const PACK_MS_MAX = 3_000;
/** So that what a worker collected over its cells is given back some time. */
const CELLS_PER_WORKER_MAX = 2_000;
/** Of the worker's own heap; machines are outside of it. */
const HEAP_MB = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4, stackSizeMb: 4 };

type Seat = {
  worker: Worker;
  phase: Int32Array;
  cell?: number;
  cells: number;
  watch?: NodeJS.Timeout;
  isOver?: boolean;
};
type Waiting = { cell: number; whole: Uint8Array<ArrayBuffer> };

export async function serveProcess(wasmPath: string): Promise<void> {
  const bytes = await readFile(wasmPath);
  const wasm = await compileWasm(bytes);
  const image = shared(await createImage(wasm));
  const pool = workerPool({ wasm, image, write: (whole) => void process.stdout.write(whole) });
  const text = JSON.stringify({
    moduleHash: createHash("sha256").update(bytes).digest("hex"),
    imageHash: imageHash(image),
  });
  process.stdin.on("data", messageReader({ onMessage: pool.take, onBroken: () => process.exit(1) }));
  process.stdin.once("end", () => process.exit(0));
  process.stdout.write(messageBytes({ cell: 0, kind: KINDS.ready, text }));
}

/** One copy for all workers. */
function shared(image: Image): Image {
  const memory = new Uint8Array(new SharedArrayBuffer(image.memory.length));
  memory.set(image.memory);
  return { ...image, memory };
}

type PoolParts = { wasm: WebAssembly.Module; image: Image; write(whole: Uint8Array): void };

function workerPool({ wasm, image, write }: PoolParts) {
  const seats = new Set<Seat>();
  const waiting: Waiting[] = [];

  function boot(): void {
    const phase = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(process.argv[1] ?? "", {
      workerData: { wasm, image, phase },
      resourceLimits: HEAP_MB,
      env: {},
      stdin: false,
    });
    const seat: Seat = { worker, phase, cells: 0 };
    seats.add(seat);
    worker.on("message", (whole: Uint8Array) => fromWorker(seat, whole));
    worker.on("error", (error) => leave(seat, failureOfWorker(error)));
    worker.on("exit", () => leave(seat, CRASHED));
  }
  function keepWarm(): void {
    const free = [...seats].filter(({ cell }) => cell === undefined).length;
    const wanted = Math.min(WARM_WORKERS + waiting.length - free, WORKERS_MAX - seats.size);
    for (let count = 0; count < wanted; count++) boot();
  }
  function leave(seat: Seat, failure: Failure): void {
    if (seat.isOver === true) return;
    seat.isOver = true;
    clearTimeout(seat.watch);
    seats.delete(seat);
    void seat.worker.terminate();
    if (seat.cell !== undefined) write(outcomeOf(seat.cell, failure));
    serveNext();
  }
  function fromWorker(seat: Seat, whole: Uint8Array): void {
    if (seat.isOver === true || headOf(whole).cell !== seat.cell) return;
    write(whole);
    if (headOf(whole).kind === KINDS.outcome) free(seat);
  }
  function free(seat: Seat): void {
    clearTimeout(seat.watch);
    delete seat.cell;
    seats.delete(seat); // to the end of the row: it restores its next machine meanwhile
    seats.add(seat);
    if (seat.cells >= CELLS_PER_WORKER_MAX) leave(seat, CRASHED);
    else serveNext();
  }
  function serveNext(): void {
    const seat = [...seats].find(({ cell }) => cell === undefined);
    const next = seat === undefined ? undefined : waiting.shift();
    if (seat !== undefined && next !== undefined) seatCell(seat, next);
    keepWarm();
  }
  function seatCell(seat: Seat, { cell, whole }: Waiting): void {
    seat.cell = cell;
    seat.cells += 1;
    const { number } = headOf(whole);
    seat.watch = setTimeout(() => timeOver(seat, cell), number);
    seat.worker.postMessage(whole, [whole.buffer]);
  }
  /** An idle machine is told, and packs itself; one that is in the guest is ended if the engine does not do it. */
  function timeOver(seat: Seat, cell: number): void {
    const message = messageBytes({ cell, kind: KINDS.timeOver });
    seat.worker.postMessage(message, [message.buffer]);
    seat.watch = setTimeout(() => {
      if (Atomics.load(seat.phase, 0) !== PHASES.packing) return leave(seat, LATE);
      seat.watch = setTimeout(() => leave(seat, LATE), PACK_MS_MAX);
    }, LATE_MS_MAX);
  }
  function take(whole: Uint8Array<ArrayBuffer>): void {
    const { cell, kind } = headOf(whole);
    const seat = [...seats].find((one) => one.cell === cell);
    if (kind === KINDS.run || kind === KINDS.resume) {
      if (waiting.length >= WAITING_MAX) return write(outcomeOf(cell, FULL));
      waiting.push({ cell, whole });
      serveNext();
    } else if (kind === KINDS.abort) {
      const at = waiting.findIndex((one) => one.cell === cell);
      if (at >= 0) waiting.splice(at, 1);
      if (seat !== undefined) leave(seat, ABORTED);
    } else seat?.worker.postMessage(whole, [whole.buffer]);
  }
  keepWarm();
  return { take };
}

type Failure = { code: ErrorCode; error: string };

const CRASHED: Failure = { code: "internal_error", error: "The worker of this cell ended." };
const LATE: Failure = { code: "timeout", error: "The program ran longer than its time limit." };
const ABORTED: Failure = { code: "aborted", error: "The cell was aborted." };
const FULL: Failure = { code: "runtime_unavailable", error: "Too many cells wait for a worker." };
const MEMORY: Failure = { code: "memory_limit_exceeded", error: "The program needed more memory than its limit." };

const failureOfWorker = (error: unknown): Failure =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY" ? MEMORY : CRASHED;

function outcomeOf(cell: number, failure: Failure): Uint8Array {
  const outcome: WorkerOutcome = { status: "failed", ...failure, cutChars: 0, queued: [], asked: [] };
  return messageBytes({ cell, kind: KINDS.outcome, text: JSON.stringify(outcome) });
}
