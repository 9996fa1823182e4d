/**
 * A suspended machine in its stored form: the pages that differ from the image, compressed with those pages of the image as what is
 * known already. A raw snapshot is as large as the memory ever was, and most of it is the image.
 *
 *   length of the text u32 · text (JSON) · page numbers u32 each · the pages, compressed
 */
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Snapshot } from "quickjs-wasi";
import type { Image } from "./guest-vm.ts";
import { changedPages, PAGE_BYTES } from "./renewal.ts";

const NUMBER_BYTES = 4;
const LEVEL = 3;
/** Reaches from each page to itself in the image, which is far smaller. */
const WINDOW_LOG = 22;

type Head = { memoryBytes: number; stackPointer: number; runtimePtr: number; contextPtr: number; pages: number };
type Machine = Omit<Snapshot, "extensions">;

export function packSnapshot({ memory, stackPointer, runtimePtr, contextPtr }: Machine, image: Image): Uint8Array {
  const pages = changedPages(memory, image.memory).map((from) => from / PAGE_BYTES);
  const numbers = Buffer.alloc(pages.length * NUMBER_BYTES);
  const raw = Buffer.alloc(pages.length * PAGE_BYTES);
  for (const [index, page] of pages.entries()) {
    numbers.writeUInt32LE(page, index * NUMBER_BYTES);
    raw.set(memory.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES), index * PAGE_BYTES);
  }
  const head: Head = { memoryBytes: memory.length, stackPointer, runtimePtr, contextPtr, pages: pages.length };
  const text = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(NUMBER_BYTES);
  length.writeUInt32LE(text.length, 0);
  const params = { [constants.ZSTD_c_compressionLevel]: LEVEL, [constants.ZSTD_c_windowLog]: WINDOW_LOG };
  const packed = zstdCompressSync(raw, { params, dictionary: knownPages(pages, image) });
  return Buffer.concat([length, text, numbers, packed]);
}

/** The same pages as the image has them: a difference alone would mix new text with what was left there, and compress badly. */
const knownPages = (pages: readonly number[], image: Image): Buffer =>
  Buffer.concat(pages.map((page) => image.memory.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES)));

type Unpacked = Machine | "too-large" | undefined;

/** Undefined for what is no snapshot. */
export function unpackSnapshot(packed: Uint8Array, image: Image, memoryBytesMax: number): Unpacked {
  const buffer = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const textEnd = NUMBER_BYTES + (buffer.length < NUMBER_BYTES ? 0 : buffer.readUInt32LE(0));
  const head = headFrom(buffer.toString("utf8", NUMBER_BYTES, textEnd));
  if (head === undefined) return undefined;
  if (head.memoryBytes > memoryBytesMax + image.memory.length) return "too-large";
  const pages = pageNumbers(buffer.subarray(textEnd), head);
  if (pages === undefined) return undefined;
  const raw = zstdDecompressSync(buffer.subarray(textEnd + pages.length * NUMBER_BYTES), {
    maxOutputLength: Math.max(1, pages.length * PAGE_BYTES),
    dictionary: knownPages(pages, image),
  });
  if (raw.length !== pages.length * PAGE_BYTES) return undefined;
  const memory = new Uint8Array(head.memoryBytes);
  memory.set(image.memory.subarray(0, Math.min(image.memory.length, memory.length)));
  for (const [index, page] of pages.entries())
    memory.set(raw.subarray(index * PAGE_BYTES, (index + 1) * PAGE_BYTES), page * PAGE_BYTES);
  const { stackPointer, runtimePtr, contextPtr } = head;
  return { memory, stackPointer, runtimePtr, contextPtr };
}

/** Undefined where they are not all there, or one of them is no page of this memory. */
function pageNumbers(bytes: Buffer, { pages, memoryBytes }: Head): number[] | undefined {
  if (pages > memoryBytes / PAGE_BYTES || bytes.length < pages * NUMBER_BYTES) return undefined;
  const numbers = Array.from({ length: pages }, (_, index) => bytes.readUInt32LE(index * NUMBER_BYTES));
  return numbers.every((page) => (page + 1) * PAGE_BYTES <= memoryBytes) ? numbers : undefined;
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
