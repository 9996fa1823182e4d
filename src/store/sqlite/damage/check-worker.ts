/** Checks the pages of a large database while the gateway serves; answers with the first fault, or null. */
import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { openForReading } from "../database-file.ts";
import { faultIn } from "./inspect-database.ts";

const LOWEST = 19;

// on Linux this is the thread alone; elsewhere it would slow down the gateway
if (process.platform === "linux") setPriority(LOWEST);
const db = openForReading(workerData.folder);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage(faultIn(db) ?? null);
db.close();
