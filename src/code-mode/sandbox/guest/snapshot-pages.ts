/**
 * A suspended machine in its stored form: the pages that differ from the image, as what differs, compressed. A raw snapshot is as
 * large as the memory ever was, and most of it is the image.
 *
 *   length of the text u32 · text (JSON) · page numbers u32 each, and the pages, compressed
 */
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Snapshot } from "quickjs-wasi";
import type { Image } from "./guest-vm.ts";
import { changedPages, PAGE_BYTES } from "./renewal.ts";

const NUMBER_BYTES = 4;
const LEVEL = 3;

type Head = { memoryBytes: number; stackPointer: number; runtimePtr: number; contextPtr: number; pages: number };
type Machine = Omit<Snapshot, "extensions">;

export function packSnapshot({ memory, stackPointer, runtimePtr, contextPtr }: Machine, image: Image): Uint8Array {
  const numbers = changedPages(memory, image.memory).map((from) => from / PAGE_BYTES);
  const raw = Buffer.alloc(numbers.length * (NUMBER_BYTES + PAGE_BYTES));
  for (const [index, page] of numbers.entries()) {
    raw.writeUInt32LE(page, index * NUMBER_BYTES);
    const from = numbers.length * NUMBER_BYTES + index * PAGE_BYTES;
    raw.set(memory.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES), from);
    takeDifference(raw, from, image.memory.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES));
  }
  const head: Head = { memoryBytes: memory.length, stackPointer, runtimePtr, contextPtr, pages: numbers.length };
  const text = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(NUMBER_BYTES);
  length.writeUInt32LE(text.length, 0);
  const packed = zstdCompressSync(raw, { params: { [constants.ZSTD_c_compressionLevel]: LEVEL } });
  return Buffer.concat([length, text, packed]);
}

/** Against the image most bytes of a page are zero; done twice it is the page again. */
function takeDifference(target: Uint8Array, from: number, page: Uint8Array): void {
  for (let at = 0; at < page.length; at++) target[from + at] = (target[from + at] ?? 0) ^ (page[at] ?? 0);
}

type Unpacked = Machine | "too-large" | undefined;

/** Undefined for what is no snapshot. */
export function unpackSnapshot(packed: Uint8Array, image: Image, memoryBytesMax: number): Unpacked {
  const buffer = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const textEnd = NUMBER_BYTES + (buffer.length < NUMBER_BYTES ? 0 : buffer.readUInt32LE(0));
  const head = headFrom(buffer.toString("utf8", NUMBER_BYTES, textEnd));
  if (head === undefined) return undefined;
  if (head.memoryBytes > memoryBytesMax + image.memory.length) return "too-large";
  const rawBytes = head.pages * (NUMBER_BYTES + PAGE_BYTES);
  const raw = zstdDecompressSync(buffer.subarray(textEnd), { maxOutputLength: Math.max(1, rawBytes) });
  if (raw.length !== rawBytes) return undefined;
  const memory = new Uint8Array(head.memoryBytes);
  memory.set(image.memory.subarray(0, Math.min(image.memory.length, memory.length)));
  for (let index = 0; index < head.pages; index++) {
    const at = raw.readUInt32LE(index * NUMBER_BYTES) * PAGE_BYTES;
    if (at >= memory.length) return undefined;
    const from = head.pages * NUMBER_BYTES + index * PAGE_BYTES;
    const page = raw.subarray(from, from + PAGE_BYTES);
    takeDifference(page, 0, image.memory.subarray(at, at + PAGE_BYTES));
    memory.set(page, at);
  }
  const { stackPointer, runtimePtr, contextPtr } = head;
  return { memory, stackPointer, runtimePtr, contextPtr };
}

const FIELDS = ["memoryBytes", "stackPointer", "runtimePtr", "contextPtr", "pages"] as const;

function headFrom(text: string): Head | undefined {
  try {
    const given: unknown = JSON.parse(text);
    if (given === null || typeof given !== "object") return undefined;
    const numbers = new Map(Object.entries(given));
    const [memoryBytes, stackPointer, runtimePtr, contextPtr, pages] = FIELDS.map((name) => Number(numbers.get(name)));
    if (memoryBytes === undefined || stackPointer === undefined || runtimePtr === undefined) return undefined;
    if (contextPtr === undefined || pages === undefined) return undefined;
    const head = { memoryBytes, stackPointer, runtimePtr, contextPtr, pages };
    return Object.values(head).every((value) => Number.isSafeInteger(value) && value >= 0) ? head : undefined;
  } catch {
    return undefined;
  }
}
