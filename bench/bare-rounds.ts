/**
 * The least that awaited calls of a cell can cost: short messages that a thread of another process sends back unread, one after the other
 * and over the same kind of connection as a worker of code mode has. Both sides of this file are here.
 */
import { spawn } from "node:child_process";
import { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { isMainThread, Worker, workerData } from "node:worker_threads";

const LANE = 3;
/** About what a call of a cell and its answer have. */
const MESSAGE = Buffer.alloc(60, 1);
const ROUNDS = 100;
const BUFFER_BYTES = 65_536;

type BareRounds = { hundred(): Promise<void>; end(): void };

export function bareRounds(): BareRounds {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), "echo"], {
    stdio: ["ignore", "ignore", "inherit", "pipe"],
  });
  const lane = child.stdio[LANE];
  if (!(lane instanceof Socket)) throw new Error("the other process has no connection");
  let heard = Promise.withResolvers<void>();
  lane.on("data", () => heard.resolve());
  return {
    async hundred() {
      for (let n = 0; n < ROUNDS; n++) {
        heard = Promise.withResolvers();
        lane.write(MESSAGE);
        await heard.promise;
      }
    },
    end: () => void child.kill(),
  };
}

function echo(): void {
  const onread = {
    buffer: new Uint8Array(BUFFER_BYTES),
    callback: (bytes: number, buffer: Uint8Array): boolean => (lane.write(buffer.slice(0, bytes)), true),
  };
  const lane = new Socket({ fd: LANE, readable: true, writable: true, onread });
}

if (!isMainThread && workerData === "echo") echo();
else if (process.argv[2] === "echo") {
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: "echo" });
  worker.once("error", () => process.exit(1));
}
