/** The gateway's side of the writer thread: posts jobs, remembers who waits for which answer, and never blocks. */
import type { Worker } from "node:worker_threads";
import type { StoreHealth } from "../store.ts";
import { failures } from "./failure.ts";
import { type FromWriter, handedOver, type Job, type Outcome, type ToWriter } from "./jobs.ts";
import { createSpareBuffers, type SpareBuffers } from "./spare-buffers.ts";
import { startThread } from "./start-thread.ts";

/** More than this waiting for the disk, and new writes are turned away instead of filling the memory. */
const WAITING_MAX = 20_000;

export type Writer = {
  write(job: Job): Promise<Outcome>;
  /** Room for a document of so many bytes; it is gone from here with the job that it is written in. */
  take: SpareBuffers["take"];
  health(): StoreHealth;
  /** Resolves when everything that was posted is written and the database is closed. */
  close(): Promise<void>;
};

type Waiter = { resolve(outcome: Outcome): void };

export async function startWriter(folder: string, onFatal: (error: Error) => void): Promise<Writer> {
  const worker = startThread(new URL("./writer-worker.ts", import.meta.url), { folder });
  const waiters: Waiter[] = [];
  const spare = createSpareBuffers();
  let outgoing: Job[] = [];
  let health: StoreHealth = { writable: false, detail: "opening" };
  let ended: Outcome | undefined;
  const exited = new Promise<void>((resolve) => worker.once("exit", () => resolve()));

  function fail(error: Error): void {
    if (ended !== undefined) return;
    ended = { status: "failed", failure: failures.fatal };
    health = { writable: false, detail: error.message };
    for (const waiter of waiters.splice(0)) waiter.resolve(ended);
    onFatal(error);
  }

  function receive(message: FromWriter): void {
    switch (message.kind) {
      case "outcomes": {
        spare.putBack(message.spent);
        const answered = waiters.splice(0, message.outcomes.length);
        message.outcomes.forEach((outcome, index) => answered[index]?.resolve(outcome));
        return;
      }
      case "health":
        health = message.health;
        return;
      case "fatal":
        return fail(new Error(`The disk failed: ${message.message}`));
      case "ready":
      case "refused":
        return;
    }
  }

  function flush(): void {
    const jobs = outgoing;
    outgoing = [];
    if (jobs.length > 0) post(worker, { kind: "jobs", jobs });
  }

  worker.on("message", receive);
  await ready(worker).catch(async (error: unknown) => {
    await exited; // until its thread has ended, a database that could not be opened stays locked
    throw error;
  });
  worker.on("error", fail);
  worker.once("exit", () => {
    if (waiters.length > 0) fail(new Error("The writer thread ended while writes were waiting."));
  });

  return {
    write(job) {
      if (ended !== undefined) return Promise.resolve(ended);
      if (waiters.length >= WAITING_MAX) return Promise.resolve({ status: "failed", failure: failures.crowded });
      if (outgoing.length === 0) setImmediate(flush); // jobs of the same tick travel together
      outgoing.push(job);
      return new Promise((resolve) => waiters.push({ resolve }));
    },
    take: spare.take,
    health: () => health,
    async close() {
      if (ended === undefined) {
        flush();
        post(worker, { kind: "close" });
        ended = { status: "failed", failure: failures.closed };
        health = { writable: false, detail: "closed" };
      }
      await exited;
    },
  };
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
const post = (worker: Worker, message: ToWriter): void =>
  worker.postMessage(message, message.kind === "jobs" ? handedOver(message.jobs) : []);

function ready(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.once("error", reject);
    worker.on("message", function receive(message: FromWriter) {
      if (message.kind === "ready") resolve();
      else if (message.kind === "refused") reject(new Error(message.message));
      else return;
      worker.off("message", receive);
      worker.off("error", reject);
    });
  });
}
