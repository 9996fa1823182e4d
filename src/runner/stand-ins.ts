/**
 * bubblewrap mounts on what is there, and makes what is not. A place that was to be hidden may go while the view is built; then an
 * empty file or folder stands where a service wants to listen again. What it made is taken away when the program has ended:
 * empty, born while the view was built, and with the rights that it gives.
 */
import type { Stats } from "node:fs";
import { lstat, rmdir, unlink } from "node:fs/promises";
import { dirname } from "node:path";

export type StandIns = { paths: readonly string[]; sinceMs: number };

/** The clock of a file system stands still between two ticks of the kernel. */
const TICK_MS = 20;
/** What appears later is not the sandbox's. */
const BUILT_WITHIN_MS = 5_000;
const RIGHTS = 0o777;
const OF_A_FILE = 0o444;

export const standInsFor = (paths: readonly string[]): StandIns => ({ paths, sinceMs: Date.now() - TICK_MS });

export async function removeStandIns({ paths, sinceMs }: StandIns): Promise<void> {
  for (const path of paths) {
    let made = path; // it makes the folders above, too
    while (await isRemoved(made, sinceMs)) made = dirname(made);
  }
}

async function isRemoved(path: string, sinceMs: number): Promise<boolean> {
  try {
    const seen = await lstat(path);
    if (!isBornWithin(seen, sinceMs)) return false;
    if (seen.isDirectory()) await rmdir(path);
    else if (isEmptyFile(seen)) await unlink(path);
    else return false;
    return true;
  } catch {
    return false; // there is nothing, or a folder with something in it, which is somebody's own
  }
}

const isBornWithin = ({ birthtimeMs }: Stats, sinceMs: number): boolean =>
  birthtimeMs >= sinceMs && birthtimeMs <= sinceMs + BUILT_WITHIN_MS;

const isEmptyFile = (seen: Stats): boolean =>
  seen.isFile() && seen.size === 0 && seen.nlink === 1 && (seen.mode & RIGHTS & ~OF_A_FILE) === 0;
