/** The writer's thread: takes everything that waits, writes it in one transaction, answers, and looks again. */
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { collectAll } from "./collect-all.ts";
import { openConnection } from "./connection.ts";
import { PAGES_AT_REST } from "./database-file.ts";
import { createGroupCommit, type GroupCommit } from "./group-commit.ts";
import { type FromWriter, handedOver, type Job, type Outcome, type ToWriter } from "./jobs.ts";
import { createWriterRest } from "./writer-rest.ts";

/** Enough to share one fsync among many; few enough that the first of them does not wait long. */
const GROUP_JOBS_MAX = 1_000;
const RECOVER_MS = 500;

function serve(port: MessagePort, folder: string): void {
  const tell = (message: FromWriter): void =>
    port.postMessage(message, message.kind === "outcomes" ? message.spent : []);
  const writer = opened(folder, tell);
  if (writer === undefined) return port.close();
  let health = writer.health();
  const watch = setInterval(() => guarded(look), RECOVER_MS);
  const rest = createWriterRest({ moveLog: () => writer.moveLog(PAGES_AT_REST), collect: collectAll });
  tell({ kind: "health", health });
  tell({ kind: "ready" });
  port.on("message", (message: ToWriter) => guarded(() => take(message)));

  function look(): void {
    writer?.recover();
    rest.look();
  }

  function take(first: ToWriter): void {
    const jobs: Job[] = [];
    let message: ToWriter | undefined = first;
    while (message?.kind === "jobs") {
      jobs.push(...message.jobs);
      message = jobs.length < GROUP_JOBS_MAX ? nextOn(port) : undefined;
    }
    if (jobs.length > 0) {
      answer(writer?.run(jobs) ?? [], handedOver(jobs));
      writer?.moveLog();
      rest.wrote();
    }
    if (message?.kind === "close") end();
  }

  /** The disk's health is sent first, so that a refused caller can already read the reason. */
  function answer(outcomes: Outcome[], spent: ArrayBuffer[]): void {
    tellHealth();
    tell({ kind: "outcomes", outcomes, spent });
  }

  function tellHealth(): void {
    const now = writer?.health() ?? health;
    if (now !== health) tell({ kind: "health", health: now });
    health = now;
  }

  function guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      tell({ kind: "fatal", message: messageOf(error) });
      clearInterval(watch);
      return port.close(); // without closing the database: a failed disk gets no more requests
    }
    tellHealth();
  }

  function end(): void {
    clearInterval(watch);
    writer?.close();
    port.close();
  }
}

function opened(folder: string, tell: (message: FromWriter) => void): GroupCommit | undefined {
  try {
    return createGroupCommit(folder, openConnection(folder));
  } catch (error) {
    tell({ kind: "refused", message: messageOf(error) });
    return undefined;
  }
}

const nextOn = (port: MessagePort): ToWriter | undefined => receiveMessageOnPort(port)?.message;
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

if (parentPort !== null) serve(parentPort, workerData.folder);
