/** A transcript that is a file of lines: its beginning, and its whole lines from a place on. */
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";

const READ_BYTES_MAX = 16 * 1_048_576;
const HEAD_BYTES = 65_536;

/** Whole lines alone: one that is being written is read at the next look. */
export async function linesFrom(file: string, place: number): Promise<{ lines: string; next: number }> {
  const pieces: Buffer[] = [];
  for await (const piece of createReadStream(file, { start: place, end: place + READ_BYTES_MAX - 1 })) {
    if (Buffer.isBuffer(piece)) pieces.push(piece);
  }
  const all = Buffer.concat(pieces);
  const end = all.lastIndexOf(0x0a) + 1;
  if (end === 0 && all.length === READ_BYTES_MAX) return { lines: "", next: place + all.length }; // one line, longer than any call
  return { lines: all.subarray(0, end).toString("utf8"), next: place + end };
}

/** Its beginning as text; empty where there is no such file. */
export async function headOf(file: string): Promise<string> {
  const handle = await open(file, "r").catch(() => undefined);
  if (handle === undefined) return "";
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** The folder that a run works in, as its transcript says near its beginning. */
export async function folderIn(file: string): Promise<string | undefined> {
  const named = /"cwd":\s?("(?:[^"\\]|\\.)*")/.exec(await headOf(file))?.[1];
  const folder: unknown = named === undefined ? undefined : JSON.parse(named);
  return typeof folder === "string" && folder.startsWith("/") ? folder : undefined;
}
