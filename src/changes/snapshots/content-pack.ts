/**
 * Contents of files, kept by their hash in one file that only grows. A record is written whole before anything names it; what
 * a killed process left half-written at the end is cut off when the file is opened again.
 *
 *   "HPC1" · sha256 (32 bytes) · length (4 bytes) · the bytes
 */
import { hash } from "node:crypto";
import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync, writevSync } from "node:fs";

const MAGIC = Buffer.from("HPC1");
const HASH_BYTES = 32;
const HEAD_BYTES = MAGIC.length + HASH_BYTES + 4;
/** Collected in memory before they are written together. */
const BATCH_BYTES_MAX = 4 * 1_048_576;
const BATCH_RECORDS_MAX = 500;
/** Waiting for the disk to take a whole workspace would hold up the first call by seconds. */
const SYNCED_BYTES_MAX = 4 * 1_048_576;
/** How much is read at a time while the file is opened. */
const WINDOW_BYTES = 1_048_576;

type Place = { at: number; length: number };

export type ContentPack = {
  /** The hash of the bytes, or undefined where the pack would grow beyond its limit. */
  put(bytes: Buffer): string | undefined;
  get(hash: string): Buffer | undefined;
  has(hash: string): boolean;
  /** Everything that was put is written: a killed process loses none of it. Small amounts survive a power cut, too. */
  flush(): void;
  bytes(): number;
  close(): void;
};

type WriteBuffers = (fd: number, buffers: Buffer[]) => number;

export function openContentPack(path: string, bytesMax: number, writeBuffers: WriteBuffers = writevSync): ContentPack {
  const fd = openSync(path, "a+", 0o600);
  const places = new Map<string, Place>();
  let end = readPlaces(fd, places);
  if (end < fstatSync(fd).size) ftruncateSync(fd, end);
  let batch: { hash: string; bytes: Buffer }[] = [];
  let waiting = 0;
  let unsynced = 0;
  const unwritten = new Map<string, Buffer>();

  function write(): void {
    if (batch.length === 0) return;
    const records = batch.flatMap(({ hash: key, bytes }) => [headOf(key, bytes.length), bytes]);
    try {
      writeAll(fd, records, writeBuffers);
    } catch (error) {
      ftruncateSync(fd, end); // what a full disk took of it would stand before all that follows
      throw error;
    }
    for (const { hash: key, bytes } of batch) {
      places.set(key, { at: end + HEAD_BYTES, length: bytes.length });
      end += HEAD_BYTES + bytes.length;
    }
    unsynced += waiting;
    batch = [];
    waiting = 0;
    unwritten.clear();
  }
  return {
    put(bytes) {
      const key = hash("sha256", bytes, "hex");
      if (places.has(key) || unwritten.has(key)) return key;
      if (end + waiting + HEAD_BYTES + bytes.length > bytesMax) return undefined;
      const own = Buffer.from(bytes);
      batch.push({ hash: key, bytes: own });
      unwritten.set(key, own);
      waiting += HEAD_BYTES + own.length;
      if (waiting >= BATCH_BYTES_MAX || batch.length >= BATCH_RECORDS_MAX) write();
      return key;
    },
    get(key) {
      const place = places.get(key);
      return place === undefined ? unwritten.get(key) : readAt(fd, place, key);
    },
    has: (key) => places.has(key) || unwritten.has(key),
    flush() {
      write();
      if (unsynced > 0 && unsynced <= SYNCED_BYTES_MAX) fdatasyncSync(fd);
      unsynced = 0;
    },
    bytes: () => end + waiting,
    close: () => closeSync(fd),
  };
}

function headOf(key: string, length: number): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(length);
  return Buffer.concat([MAGIC, Buffer.from(key, "hex"), size]);
}

/** A write may be cut short by a signal or a full disk; the latter throws at the next one. */
function writeAll(fd: number, buffers: Buffer[], writeBuffers: WriteBuffers): void {
  let left = buffers.filter(({ length }) => length > 0);
  while (left.length > 0) {
    let written = writeBuffers(fd, left);
    while (written > 0) {
      const [first] = left;
      if (first === undefined) return;
      if (written < first.length) {
        left[0] = first.subarray(written);
        break;
      }
      written -= first.length;
      left = left.slice(1);
    }
  }
}

/** Altered bytes are as good as none. */
function readAt(fd: number, { at, length }: Place, key: string): Buffer | undefined {
  const bytes = Buffer.alloc(length);
  const read = readWhole(fd, bytes, at);
  return read === length && hash("sha256", bytes, "hex") === key ? bytes : undefined;
}

function readWhole(fd: number, into: Buffer, at: number): number {
  let done = 0;
  while (done < into.length) {
    const read = readSync(fd, into, done, into.length - done, at + done);
    if (read === 0) break;
    done += read;
  }
  return done;
}

/** Where each record is; returns where the last whole one ends. */
function readPlaces(fd: number, places: Map<string, Place>): number {
  const { size } = fstatSync(fd);
  const window = Buffer.alloc(WINDOW_BYTES);
  let [from, filled] = [0, 0];
  let at = 0;
  while (at + HEAD_BYTES <= size) {
    if (at < from || at + HEAD_BYTES > from + filled) {
      from = at;
      filled = readWhole(fd, window.subarray(0, Math.min(WINDOW_BYTES, size - at)), at);
      if (filled < HEAD_BYTES) break;
    }
    const head = window.subarray(at - from, at - from + HEAD_BYTES);
    if (!head.subarray(0, MAGIC.length).equals(MAGIC)) break;
    const length = head.readUInt32BE(HEAD_BYTES - 4);
    if (at + HEAD_BYTES + length > size) break;
    places.set(head.toString("hex", MAGIC.length, MAGIC.length + HASH_BYTES), { at: at + HEAD_BYTES, length });
    at += HEAD_BYTES + length;
  }
  return at;
}
