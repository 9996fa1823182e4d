/** Checks the pages of a large database while the gateway serves; answers with the first fault, or null. */
import { parentPort, workerData } from "node:worker_threads";
import { openForReading } from "./database-file.ts";
import { faultIn } from "./inspect-database.ts";

const db = openForReading(workerData.folder);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage(faultIn(db) ?? null);
db.close();
