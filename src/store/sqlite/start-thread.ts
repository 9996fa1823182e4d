/** Starts the thread in which SQLite runs. */
import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { Worker } from "node:worker_threads";

/** Plain JavaScript on purpose: it runs before the cache is on, and reading TypeScript without it costs 20 MB. */
const BOOT = `
const { enableCompileCache } = require("node:module");
const { workerData } = require("node:worker_threads");
if (workerData.cache !== undefined) enableCompileCache(workerData.cache);
import(workerData.entry);
`;

/** A thread does not inherit the compile cache of its process, so its place is passed along. */
export function startThread(entry: URL, data: Record<string, string>): Worker {
  const used = getCompileCacheDir();
  const cache = used === undefined ? {} : { cache: dirname(used) };
  return new Worker(BOOT, { eval: true, workerData: { ...data, entry: entry.href, ...cache } });
}
