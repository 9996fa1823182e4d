/** Reads objects out of a pack of git, by its index. Bounded in every respect: a pack may be anybody's. */
import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { inflateSync } from "node:zlib";

const INDEX_MAGIC = 0xff744f63;
const FANOUT = 256;
const OID_BYTES = 20;
const HEAD_BYTES = 8;
const TABLE = HEAD_BYTES + FANOUT * 4;
const INDEX_BYTES_MAX = 512 * 1_048_576;
const CHAIN_MAX = 200;
const OBJECT_HEAD_BYTES = 64;
const LARGE_OFFSET = 0x80000000;
const BLOB = 3;
const OFS_DELTA = 6;
const REF_DELTA = 7;

export type PackFile = {
  has(oid: string): boolean;
  /** Undefined: it is not in here, is no file, is larger than the limit or cannot be read. */
  blob(oid: string, bytesMax: number): Buffer | undefined;
  close(): void;
};

export function openPack(packPath: string, indexPath: string): PackFile | undefined {
  const index = readIndex(indexPath);
  if (index === undefined) return undefined;
  const fd = openSync(packPath, "r");
  const size = fstatSync(fd).size;
  return {
    has: (oid) => offsetOf(index, oid) !== undefined,
    blob(oid, bytesMax) {
      const at = offsetOf(index, oid);
      if (at === undefined) return undefined;
      try {
        const object = readObject({ fd, size, index, bytesMax }, at, CHAIN_MAX);
        return object?.type === BLOB ? object.bytes : undefined;
      } catch {
        return undefined; // it is damaged, or no pack
      }
    },
    close: () => closeSync(fd),
  };
}

type Index = { bytes: Buffer; count: number };

function readIndex(path: string): Index | undefined {
  const fd = openSync(path, "r");
  try {
    const { size } = fstatSync(fd);
    if (size > INDEX_BYTES_MAX || size < TABLE) return undefined;
    const bytes = readFileSync(fd);
    if (bytes.readUInt32BE(0) !== INDEX_MAGIC || bytes.readUInt32BE(4) !== 2) return undefined;
    const count = bytes.readUInt32BE(TABLE - 4);
    return TABLE + count * (OID_BYTES + 8) <= size ? { bytes, count } : undefined;
  } finally {
    closeSync(fd);
  }
}

function offsetOf({ bytes, count }: Index, oid: string): number | undefined {
  const wanted = Buffer.from(oid, "hex");
  if (wanted.length !== OID_BYTES) return undefined;
  const first = wanted[0] ?? 0;
  let low = first === 0 ? 0 : bytes.readUInt32BE(HEAD_BYTES + (first - 1) * 4);
  let high = Math.min(count, bytes.readUInt32BE(HEAD_BYTES + first * 4));
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = TABLE + middle * OID_BYTES;
    const order = bytes.compare(wanted, 0, OID_BYTES, at, at + OID_BYTES);
    if (order === 0) return placeAt({ bytes, count }, middle);
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return undefined;
}

function placeAt({ bytes, count }: Index, n: number): number | undefined {
  const small = TABLE + count * (OID_BYTES + 4);
  const offset = bytes.readUInt32BE(small + n * 4);
  if (offset < LARGE_OFFSET) return offset;
  const at = small + count * 4 + (offset - LARGE_OFFSET) * 8;
  return at + 8 <= bytes.length ? Number(bytes.readBigUInt64BE(at)) : undefined;
}

type Pack = { fd: number; size: number; index: Index; bytesMax: number };
type Stored = { type: number; bytes: Buffer };

function readObject(pack: Pack, at: number, chainLeft: number): Stored | undefined {
  if (chainLeft === 0 || at < 0 || at >= pack.size) return undefined;
  const head = readAt(pack, at, OBJECT_HEAD_BYTES);
  const { type, size, next } = typeAndSize(head);
  if (size > pack.bytesMax) return undefined;
  if (type === OFS_DELTA) {
    const { back, after } = distance(head, next);
    return resolved(pack, { base: readObject(pack, at - back, chainLeft - 1), deltaAt: at + after, size });
  }
  if (type === REF_DELTA) {
    const offset = offsetOf(pack.index, head.toString("hex", next, next + OID_BYTES));
    if (offset === undefined) return undefined;
    const base = readObject(pack, offset, chainLeft - 1);
    return resolved(pack, { base, deltaAt: at + next + OID_BYTES, size });
  }
  return { type, bytes: inflated(pack, at + next, size) };
}

function resolved(pack: Pack, { base, deltaAt, size }: { base: Stored | undefined; deltaAt: number; size: number }) {
  if (base === undefined) return undefined;
  const bytes = applied(inflated(pack, deltaAt, size), base.bytes, pack.bytesMax);
  return bytes === undefined ? undefined : { type: base.type, bytes };
}

function readAt({ fd, size }: Pack, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - at)));
  let done = 0;
  while (done < bytes.length) {
    const read = readSync(fd, bytes, done, bytes.length - done, at + done);
    if (read === 0) break;
    done += read;
  }
  return bytes.subarray(0, done);
}

/** What was compressed is never much longer than what it came from. */
function inflated(pack: Pack, at: number, size: number): Buffer {
  const packed = readAt(pack, at, size + (size >>> 6) + 1_024);
  const bytes = inflateSync(packed, { maxOutputLength: size + 1 });
  if (bytes.length !== size) throw new RangeError("an object of another size");
  return bytes;
}

function typeAndSize(head: Buffer): { type: number; size: number; next: number } {
  let byte = head.readUInt8(0);
  const type = (byte >> 4) & 7;
  let size = byte & 0x0f;
  let factor = 16;
  let next = 1;
  while ((byte & 0x80) !== 0) {
    byte = head.readUInt8(next++);
    size += (byte & 0x7f) * factor;
    factor *= 128;
  }
  return { type, size, next };
}

function distance(head: Buffer, from: number): { back: number; after: number } {
  let after = from;
  let byte = head.readUInt8(after++);
  let back = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    byte = head.readUInt8(after++);
    back = (back + 1) * 128 + (byte & 0x7f);
  }
  if (back === 0) throw new RangeError("a delta of itself");
  return { back, after };
}

/** A delta is a list of pieces of its base, and of bytes that it brings. */
function applied(delta: Buffer, base: Buffer, bytesMax: number): Buffer | undefined {
  const from = varint(delta, 0);
  const to = varint(delta, from.next);
  if (from.value !== base.length || to.value > bytesMax) return undefined;
  const out = Buffer.alloc(to.value);
  let at = to.next;
  let done = 0;
  while (at < delta.length) {
    const code = delta.readUInt8(at++);
    if (code === 0) return undefined;
    if ((code & 0x80) === 0) {
      done += delta.copy(out, done, at, at + code);
      at += code;
    } else {
      const piece = pieceAt(delta, at, code);
      done += base.copy(out, done, piece.offset, piece.offset + piece.length);
      at = piece.next;
    }
  }
  return done === to.value ? out : undefined;
}

function pieceAt(delta: Buffer, from: number, code: number): { offset: number; length: number; next: number } {
  let next = from;
  let [offset, length] = [0, 0];
  for (let bit = 0; bit < 4; bit++) if ((code & (1 << bit)) !== 0) offset += delta.readUInt8(next++) * 2 ** (8 * bit);
  for (let bit = 0; bit < 3; bit++)
    if ((code & (0x10 << bit)) !== 0) length += delta.readUInt8(next++) * 2 ** (8 * bit);
  return { offset, length: length === 0 ? 0x10000 : length, next };
}

function varint(bytes: Buffer, from: number): { value: number; next: number } {
  let [value, factor, next] = [0, 1, from];
  for (;;) {
    const byte = bytes.readUInt8(next++);
    value += (byte & 0x7f) * factor;
    factor *= 128;
    if ((byte & 0x80) === 0) return { value, next };
  }
}
