/**
 * A file that people keep for the agent, read by the gateway itself, so that neither a link nor its size can turn it into
 * something else. What was opened is judged, not its name: a name can be exchanged between the look and the opening.
 */
import { constants, type Stats } from "node:fs";
import { type FileHandle, open, readdir, readlink, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";

const FILE_BYTES_MAX = 65_536;
/** No waiting for the other end of a pipe. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** `stamp` changes when the file does. */
export type ReadFile = { text: string; cut: boolean; stamp: string };

/** Where names are looked up. Links may lead about inside it, but not out of it, nor into `closed`. */
export type Base = { folder: string; closed?: string };

/** Undefined when it is not there, is no ordinary file, or is a link to somewhere outside its base. */
export async function readWithin(base: Base, name: string): Promise<ReadFile | undefined>;
/** With the stamp of an earlier reading: "unchanged" when that is still the file's, and nothing is read. */
export async function readWithin(
  base: Base,
  name: string,
  seen: string | undefined,
): Promise<ReadFile | "unchanged" | undefined>;
export async function readWithin(base: Base, name: string, seen?: string): Promise<ReadFile | "unchanged" | undefined> {
  const path = join(base.folder, name);
  if (seen !== undefined && stampOf(await stat(path).catch(() => undefined)) === seen) return "unchanged";
  const file = await open(path, READ).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const opened = await file.stat();
    if (!opened.isFile() || !(await isWithin(base, await placeOf(file, path)))) return undefined;
    const buffer = Buffer.alloc(Math.min(opened.size, FILE_BYTES_MAX));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    const text = buffer.subarray(0, bytesRead).toString("utf8").replaceAll("\u0000", "\u2400");
    return { text, cut: opened.size > FILE_BYTES_MAX, stamp: stampOf(opened) };
  } finally {
    await file.close();
  }
}

/** Names of the folders in a folder of the base; none when it leads out of it. */
export async function foldersWithin(base: Base, name: string): Promise<string[]> {
  const path = join(base.folder, name);
  const folder = await open(path, READ | (constants.O_DIRECTORY ?? 0)).catch(() => undefined);
  if (folder === undefined) return [];
  try {
    const place = await placeOf(folder, path);
    if (place === undefined || !(await isWithin(base, place))) return [];
    const entries = await readdir(HAS_DESCRIPTOR_PATHS ? descriptorPath(folder) : place, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  } catch {
    return [];
  } finally {
    await folder.close();
  }
}

const stampOf = (stats: Stats | undefined): string =>
  stats === undefined ? "" : `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}`;

const HAS_DESCRIPTOR_PATHS = process.platform === "linux";
const descriptorPath = (file: FileHandle): string => `/proc/self/fd/${file.fd}`;

/** Where an open file lies, free of links. Other systems only know where its name leads by now. */
const placeOf = (file: FileHandle, path: string): Promise<string | undefined> =>
  (HAS_DESCRIPTOR_PATHS ? readlink(descriptorPath(file)) : realpath(path)).catch(() => undefined);

async function isWithin({ folder, closed }: Base, place: string | undefined): Promise<boolean> {
  const [root, shut] = await Promise.all([realOf(folder), closed === undefined ? undefined : realOf(closed)]);
  if (place === undefined || root === undefined || !place.startsWith(root + sep)) return false;
  return closed === undefined || (shut !== undefined && place !== shut && !place.startsWith(shut + sep));
}

const realOf = (path: string): Promise<string | undefined> => realpath(path).catch(() => undefined);
