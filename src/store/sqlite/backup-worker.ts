/** One copy of the database, made in a thread of its own while the gateway goes on writing. */
import { parentPort, workerData } from "node:worker_threads";
import { copyDatabase } from "./copy-database.ts";

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage(copyDatabase({ folder: workerData.folder, path: workerData.path }));
