/** A file that people keep for the agent, read so that neither a link nor its size can turn it into something else. */
import type { Stats } from "node:fs";
import { open, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";

const FILE_BYTES_MAX = 65_536;

/** `stamp` changes when the file does. */
export type ReadFile = { text: string; cut: boolean; stamp: string };

/** Undefined when it is not there, is no ordinary file, or is a link to somewhere outside its folder. */
export async function readWithin(folder: string, name: string): Promise<ReadFile | undefined>;
/** With the stamp of an earlier reading: "unchanged" when that is still the file's, and nothing is read. */
export async function readWithin(
  folder: string,
  name: string,
  seen: string | undefined,
): Promise<ReadFile | "unchanged" | undefined>;
export async function readWithin(
  folder: string,
  name: string,
  seen?: string,
): Promise<ReadFile | "unchanged" | undefined> {
  const path = await insideOf(folder, name);
  if (path === undefined) return undefined;
  if (seen !== undefined && stampOf(await stat(path).catch(() => undefined)) === seen) return "unchanged";
  const file = await open(path, "r").catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const opened = await file.stat();
    if (!opened.isFile()) return undefined;
    const buffer = Buffer.alloc(Math.min(opened.size, FILE_BYTES_MAX));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    const text = buffer.subarray(0, bytesRead).toString("utf8").replaceAll("\u0000", "\u2400");
    return { text, cut: opened.size > FILE_BYTES_MAX, stamp: stampOf(opened) };
  } finally {
    await file.close();
  }
}

const stampOf = (stats: Stats | undefined): string =>
  stats === undefined ? "" : `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}`;

/** A link may stay inside its folder; what it leads to elsewhere is not the agent's to read. */
async function insideOf(folder: string, name: string): Promise<string | undefined> {
  try {
    const [root, path] = await Promise.all([realpath(folder), realpath(join(folder, name))]);
    return path.startsWith(root + sep) ? path : undefined;
  } catch {
    return undefined;
  }
}
