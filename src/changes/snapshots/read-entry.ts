/** Reads one file of a workspace into our contents, whatever it is by then: a pipe is not waited for, a link not followed. */
import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, readSync, type Stats } from "node:fs";
import type { ContentPack } from "./content-pack.ts";
import { type ContentRef, type Entry, type FileStat, gitOid, kept, linkTo, notKept } from "./entry.ts";
import { codeOf } from "./held-folder.ts";

const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
/** Coarser than the clock of any file system that is in use. */
const RACY_MS = 50;

export type Reading = {
  contents: ContentPack;
  fileBytesMax: number;
  /** When this look at the workspace began. */
  nowMs: number;
};

export const statOf = ({ mode, size, mtimeMs, ctimeMs, ino }: Stats): FileStat => ({
  mode,
  size,
  mtimeMs,
  ctimeMs,
  ino,
});

/** Undefined where nothing stands there. */
export function lookAt(at: string): Stats | undefined {
  try {
    return lstatSync(at);
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

/** `before`: where its content was kept so far; it is kept once where it is still the same. */
export function readEntry(file: { at: string; stats: Stats }, reading: Reading, before?: ContentRef): Entry {
  const { at, stats } = file;
  const { nowMs } = reading;
  const entry = (stat: FileStat, ref: ContentRef): Entry => ({
    stat,
    ref,
    ...(stat.ctimeMs >= nowMs - RACY_MS ? { racy: true } : {}),
  });
  if (stats.isSymbolicLink()) return entry(statOf(stats), targetOf(at));
  if (!stats.isFile()) return entry(statOf(stats), notKept("special"));
  let fd: number;
  try {
    fd = openSync(at, READ);
  } catch {
    return entry(statOf(stats), notKept("unreadable"));
  }
  try {
    const now = fstatSync(fd);
    if (!now.isFile()) return entry(statOf(now), notKept("special"));
    if (now.size > reading.fileBytesMax) return entry(statOf(now), notKept("too-large"));
    const bytes = readBounded(fd, now.size, reading.fileBytesMax);
    if (bytes === undefined) return entry(statOf(now), notKept("too-large"));
    if (before !== undefined && gitOid(before) === blobId(bytes)) return entry(statOf(now), before);
    const hash = reading.contents.put(bytes);
    return entry(statOf(now), hash === undefined ? notKept("full") : kept(hash));
  } catch {
    return entry(statOf(stats), notKept("unreadable"));
  } finally {
    closeSync(fd);
  }
}

export const blobId = (bytes: Buffer): string =>
  createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");

function targetOf(at: string): ContentRef {
  try {
    return linkTo(readlinkSync(at));
  } catch {
    return notKept("unreadable");
  }
}

/** A file that grows while it is read ends at the limit; undefined where it is larger. */
function readBounded(fd: number, size: number, bytesMax: number): Buffer | undefined {
  let buffer = Buffer.allocUnsafe(size + 1);
  let length = 0;
  for (;;) {
    const read = readSync(fd, buffer, length, buffer.length - length, null);
    if (read === 0) return buffer.subarray(0, length);
    length += read;
    if (length > bytesMax) return undefined;
    if (length === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length)]);
  }
}
