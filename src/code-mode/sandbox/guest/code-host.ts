/**
 * The program of the sandbox's process. Its main thread hands messages on and watches the time; each of its workers runs
 * one cell at a time. Both start from this file.
 */
import { isMainThread, type MessagePort, parentPort, workerData } from "node:worker_threads";
import { serveProcess } from "./serve-process.ts";
import { serveWorker, type WorkerStart } from "./serve-worker.ts";

const isStart = (given: unknown): given is WorkerStart =>
  given !== null && typeof given === "object" && "wasm" in given && "image" in given;

export function startCodeHost(port: MessagePort | null): void {
  if (isMainThread) void serveProcess(process.argv[2] ?? "");
  else if (port !== null && isStart(workerData)) serveWorker(port, workerData);
}

startCodeHost(parentPort);
