/**
 * The process's main thread: keeps workers warm, hands each message to the worker of its cell, and lets cells wait where
 * all workers are busy.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { headOf, KINDS, messageBytes, messageReader } from "../message-bytes.ts";
import { compileWasm } from "./compile-wasm.ts";
import { createImage, type Image, imageHash } from "./guest-vm.ts";
import { type Failure, failedOutcome, startSeat, type WorkerSeat } from "./worker-seat.ts";

const WARM_WORKERS = 2;
const WORKERS_MAX = 16;
const WAITING_MAX = 256;
/** So that what a worker collected over its cells is given back some time. */
const CELLS_PER_WORKER_MAX = 2_000;

const ABORTED: Failure = { code: "aborted", error: "The cell was aborted." };
const FULL: Failure = { code: "runtime_unavailable", error: "Too many cells wait for a worker." };
const WORN: Failure = { code: "internal_error", error: "The worker was replaced." };

export async function serveProcess(wasmPath: string): Promise<void> {
  const bytes = await readFile(wasmPath);
  const wasm = await compileWasm(bytes);
  const image = shared(await createImage(wasm));
  const onMessage = workerPool({ wasm, image });
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

type PoolParts = { wasm: WebAssembly.Module; image: Image };

/** Returns what takes the gateway's messages. */
function workerPool({ wasm, image }: PoolParts): (whole: Uint8Array<ArrayBuffer>) => void {
  const seats = new Set<WorkerSeat>();
  const waiting: { cell: number; whole: Uint8Array<ArrayBuffer> }[] = [];
  const events = {
    write,
    free(seat: WorkerSeat): void {
      seats.delete(seat); // to the end of the row: it restores its next machine meanwhile
      if (seat.cells >= CELLS_PER_WORKER_MAX) seat.end(WORN);
      else seats.add(seat);
      serveNext();
    },
    over(seat: WorkerSeat): void {
      seats.delete(seat);
      serveNext();
    },
  };
  function serveNext(): void {
    const free = [...seats].filter(({ cell }) => cell === undefined);
    const next = free.length === 0 ? undefined : waiting.shift();
    if (next !== undefined) free.shift()?.seat(next.cell, next.whole);
    const missing = Math.min(WARM_WORKERS + waiting.length - free.length, WORKERS_MAX - seats.size);
    for (let count = 0; count < missing; count++) seats.add(startSeat({ wasm, image }, events));
  }
  function abort(cell: number): void {
    const at = waiting.findIndex((one) => one.cell === cell);
    if (at >= 0) waiting.splice(at, 1);
    seatOf(cell)?.end(ABORTED);
  }
  const seatOf = (cell: number): WorkerSeat | undefined => [...seats].find((seat) => seat.cell === cell);
  serveNext();
  return (whole) => {
    const { cell, kind } = headOf(whole);
    if (kind === KINDS.abort) return abort(cell);
    if (kind !== KINDS.run && kind !== KINDS.resume) return seatOf(cell)?.pass(whole);
    if (waiting.length >= WAITING_MAX) return write(failedOutcome(cell, FULL));
    waiting.push({ cell, whole });
    serveNext();
  };
}
