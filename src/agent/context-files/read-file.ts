/** A file that people keep for the agent, read so that neither a link nor its size can turn it into something else. */
import { open, realpath } from "node:fs/promises";
import { join, sep } from "node:path";

const FILE_BYTES_MAX = 65_536;

/** `stamp` changes when the file does. */
export type ReadFile = { text: string; cut: boolean; stamp: string };

/** Undefined when it is not there, is no ordinary file, or is a link to somewhere outside its folder. */
export async function readWithin(folder: string, name: string): Promise<ReadFile | undefined> {
  const path = await insideOf(folder, name);
  if (path === undefined) return undefined;
  const file = await open(path, "r").catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const stat = await file.stat();
    if (!stat.isFile()) return undefined;
    const buffer = Buffer.alloc(Math.min(stat.size, FILE_BYTES_MAX));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    const text = buffer.subarray(0, bytesRead).toString("utf8").replaceAll("\u0000", "\u2400");
    return { text, cut: stat.size > FILE_BYTES_MAX, stamp: `${stat.ino}:${stat.size}:${stat.mtimeMs}` };
  } finally {
    await file.close();
  }
}

/** A link may stay inside its folder; what it leads to elsewhere is not the agent's to read. */
async function insideOf(folder: string, name: string): Promise<string | undefined> {
  try {
    const root = await realpath(folder);
    const path = await realpath(join(folder, name));
    return path.startsWith(root + sep) ? path : undefined;
  } catch {
    return undefined;
  }
}
