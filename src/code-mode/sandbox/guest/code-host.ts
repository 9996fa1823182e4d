/**
 * The program of the sandbox's process. Its main thread hands messages on and watches the time; each of its workers runs
 * one cell at a time. Both start from this file.
 */
import { isMainThread, type MessagePort, parentPort, workerData } from "node:worker_threads";
import { serveProcess } from "./serve-process.ts";
import { serveWorker } from "./serve-worker.ts";
import type { WorkerStart } from "./worker-start.ts";

const isStart = (given: unknown): given is WorkerStart =>
  given !== null && typeof given === "object" && "wasm" in given && "image" in given;

const [, , wasm = "", first = "0", count = "0"] = process.argv;

export function startCodeHost(port: MessagePort | null): void {
  if (isMainThread) void serveProcess(wasm, { first: Number(first), count: Number(count) });
  else if (port !== null && isStart(workerData)) serveWorker(port, workerData);
}

startCodeHost(parentPort);
