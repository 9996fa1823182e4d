/** Reads which files a repository tracks, and as what, from its index. What does not fit the format is no index. */
import type { FileStat } from "../entry.ts";

const SIGNATURE = 0x44495243; // "DIRC"
const HEAD_BYTES = 12;
const FIXED_BYTES = 62;
const REGULAR = 0o100000;
const TYPE = 0o170000;
const NAME_LENGTH = 0x0fff;
const STAGE = 0x3000;
const EXTENDED = 0x4000;
const ASSUME_VALID = 0x8000;
const ENTRIES_MAX = 500_000;
const NS_PER_MS = 1e6;
const MS_PER_S = 1_000;

export type IndexEntry = {
  oid: string;
  size: number;
  mtimeS: number;
  mtimeNs: number;
  ctimeS: number;
  ctimeNs: number;
  ino: number;
  /** Merged, really there, and of a kind that we trust. */
  isPlain: boolean;
};

/** Undefined where it is none that we can read. */
export function parseIndex(bytes: Buffer): Map<string, IndexEntry> | undefined {
  try {
    if (bytes.readUInt32BE(0) !== SIGNATURE) return undefined;
    const version = bytes.readUInt32BE(4);
    const count = bytes.readUInt32BE(8);
    if (version < 2 || version > 4 || count > ENTRIES_MAX) return undefined;
    const entries = new Map<string, IndexEntry>();
    let at = HEAD_BYTES;
    let name = "";
    for (let n = 0; n < count; n++) {
      const read = readEntry(bytes, { at, version, before: name });
      entries.set(read.name, read.entry);
      at = read.next;
      name = read.name;
    }
    return entries;
  } catch (error) {
    if (error instanceof RangeError) return undefined; // it ends before it should
    throw error;
  }
}

type Cursor = { at: number; version: number; before: string };

function readEntry(bytes: Buffer, { at, version, before }: Cursor): { name: string; entry: IndexEntry; next: number } {
  const flags = bytes.readUInt16BE(at + 60);
  const hasMore = version >= 3 && (flags & EXTENDED) !== 0;
  const more = hasMore ? bytes.readUInt16BE(at + FIXED_BYTES) : 0;
  const from = at + FIXED_BYTES + (hasMore ? 2 : 0);
  const { name, next } = version === 4 ? shortName(bytes, from, before) : fullName(bytes, { at, from, flags });
  const mode = bytes.readUInt32BE(at + 24);
  const entry: IndexEntry = {
    ctimeS: bytes.readUInt32BE(at),
    ctimeNs: bytes.readUInt32BE(at + 4),
    mtimeS: bytes.readUInt32BE(at + 8),
    mtimeNs: bytes.readUInt32BE(at + 12),
    ino: bytes.readUInt32BE(at + 20),
    size: bytes.readUInt32BE(at + 36),
    oid: bytes.toString("hex", at + 40, at + 60),
    isPlain: (mode & TYPE) === REGULAR && (flags & (STAGE | ASSUME_VALID)) === 0 && more === 0,
  };
  return { name, entry, next };
}

function fullName(bytes: Buffer, { at, from, flags }: { at: number; from: number; flags: number }) {
  const given = flags & NAME_LENGTH;
  const end = given < NAME_LENGTH ? from + given : bytes.indexOf(0, from);
  if (end < from || end >= bytes.length) throw new RangeError("a name without an end");
  const padded = Math.ceil((end - at + 1) / 8) * 8;
  return { name: bytes.toString("utf8", from, end), next: at + padded };
}

/** Version 4: how much of the name before is dropped, and what follows. */
function shortName(bytes: Buffer, from: number, before: string) {
  let at = from;
  let byte = bytes.readUInt8(at++);
  let drop = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    byte = bytes.readUInt8(at++);
    drop = ((drop + 1) << 7) | (byte & 0x7f);
  }
  const end = bytes.indexOf(0, at);
  if (end === -1) throw new RangeError("a name without an end");
  const last = Buffer.from(before);
  if (drop > last.length) throw new RangeError("a name that is shorter than nothing");
  const name = Buffer.concat([last.subarray(0, last.length - drop), bytes.subarray(at, end)]);
  return { name: name.toString("utf8"), next: end + 1 };
}

/** Whether the file is as it was when git last looked at it. `indexMs`: what changed as late as the index is not certain. */
export function isUnchanged(entry: IndexEntry, stat: FileStat, indexMs: number): boolean {
  const mtimeMs = entry.mtimeS * MS_PER_S + entry.mtimeNs / NS_PER_MS;
  return (
    entry.isPlain &&
    entry.size === stat.size &&
    mtimeMs < indexMs - 1 &&
    isSameTime(entry.mtimeS, entry.mtimeNs, stat.mtimeMs) &&
    isSameTime(entry.ctimeS, entry.ctimeNs, stat.ctimeMs) &&
    entry.ino === stat.ino % 2 ** 32
  );
}

/** Milliseconds with a fraction are exact to less than a microsecond. */
const isSameTime = (s: number, ns: number, ms: number): boolean => Math.abs(s * MS_PER_S + ns / NS_PER_MS - ms) < 0.001;
