/**
 * Messages between the gateway and the process of the sandbox, and on to its workers: a head of fixed length, a text of
 * JSON, then bytes. The process hands messages on by their head alone.
 *
 *   length u32 · cell u32 · kind u8 · number u32 · length of the text u32 · text · bytes
 */

/** The length counts what follows it. */
const LENGTH_BYTES = 4;
const HEAD_BYTES = 17;
/** A snapshot of the largest size that can be set, and what comes with it. */
const MESSAGE_BYTES_MAX = 268_435_456 + 16 * 1_024 * 1_024;

export const KINDS = {
  /** The process stands: the hashes of module and image. */
  ready: 1,
  /** A cell to be run, or to be resumed with its unsealed snapshot as bytes; `number` is the time limit. */
  run: 2,
  resume: 3,
  /** Answers of calls, as bytes that go to the machine unread (`answersText`). */
  answers: 4,
  abort: 5,
  /**
   * Of the program: requests (`readRequests`; `number`: how many batches of answers have arrived), one piece of output, the end (`number`: 1 where the
   * worker has to restore a machine first; where the process reports it, how many messages the worker has put on its lane).
   */
  calls: 6,
  output: 7,
  outcome: 8,
  /** From the process to its worker: the time is over. */
  timeOver: 9,
  /** From the process: every worker is busy and the cell waits for one; it has one now. */
  queued: 10,
  begun: 11,
  /** From the process: the worker of this lane (`number`) is lent to the gateway, whose cells go to it directly. */
  offered: 12,
  /** To the process: a cell went to the worker of this lane (as text; `number` is the time limit); none will any more (`number`). */
  seated: 13,
  declined: 14,
  /** Ids of calls that will not be answered soon. */
  parked: 15,
  /**
   * From the process: the worker of a cell that was `seated` had ended before. `number`: how many messages that worker has put on its lane; the text
   * is the outcome of the cell if one of them was its own.
   */
  unseated: 16,
} as const;

export type Message = { cell: number; kind: number; number: number; text: string; bytes: Uint8Array };
type Head = Pick<Message, "cell" | "kind" | "number">;
/** Both parts may be given as text or as its bytes: who hands on what another one wrote need not read it. */
export type NewMessage = Pick<Message, "cell" | "kind"> & {
  number?: number;
  text?: string | Uint8Array;
  bytes?: string | Uint8Array;
};

const NOTHING = Buffer.alloc(0);

export function messageBytes(given: NewMessage): Buffer<ArrayBuffer> {
  const { cell, kind, number = 0, text = "", bytes = NOTHING } = given;
  const textBytes = sizeOf(text);
  const whole = Buffer.allocUnsafe(HEAD_BYTES + textBytes + sizeOf(bytes));
  whole.writeUInt32LE(whole.length - LENGTH_BYTES, 0);
  whole.writeUInt32LE(cell, 4);
  whole.writeUInt8(kind, 8);
  whole.writeUInt32LE(number, 9);
  whole.writeUInt32LE(textBytes, 13);
  put(whole, text, HEAD_BYTES);
  put(whole, bytes, HEAD_BYTES + textBytes);
  return whole;
}

const sizeOf = (part: string | Uint8Array): number =>
  typeof part === "string" ? Buffer.byteLength(part) : part.length;

function put(whole: Buffer, part: string | Uint8Array, at: number): void {
  if (typeof part === "string") whole.write(part, at);
  else whole.set(part, at);
}

/** In memory of its own, which can be given to another thread. */
export const ownCopy = (whole: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(whole);

const bufferOf = (whole: Uint8Array): Buffer =>
  Buffer.isBuffer(whole) ? whole : Buffer.from(whole.buffer, whole.byteOffset, whole.byteLength);

/** Of a whole message. */
export function headOf(given: Uint8Array): Head {
  const whole = bufferOf(given);
  return { cell: whole.readUInt32LE(4), kind: whole.readUInt8(8), number: whole.readUInt32LE(9) };
}

export function readMessage(given: Uint8Array): Message {
  const whole = bufferOf(given);
  const textEnd = Math.min(whole.length, HEAD_BYTES + whole.readUInt32LE(13));
  return {
    cell: whole.readUInt32LE(4),
    kind: whole.readUInt8(8),
    number: whole.readUInt32LE(9),
    text: textEnd === HEAD_BYTES ? "" : whole.toString("utf8", HEAD_BYTES, textEnd),
    bytes: textEnd === whole.length ? NOTHING : whole.subarray(textEnd),
  };
}

type Reader = {
  /** It may lie in the piece that it came with: whoever keeps it longer than that one copies it. */
  onMessage(whole: Buffer): void;
  /** Called at most once, for what can be no message; nothing is read after it. */
  onBroken(): void;
};

/** Takes the pieces of a stream. */
export function messageReader({ onMessage, onBroken }: Reader): (chunk: Uint8Array) => void {
  let parts: Buffer[] = [];
  let bytes = 0;
  let needed = HEAD_BYTES; // pieces are joined only when a message is whole, or its length can be read
  let isBroken = false;
  /** How long the message is that begins there; undefined: it can be none. */
  function lengthAt(buffer: Buffer, at: number): number | undefined {
    const length = LENGTH_BYTES + buffer.readUInt32LE(at);
    if (length <= MESSAGE_BYTES_MAX && length >= HEAD_BYTES) return length;
    isBroken = true;
    parts = [];
    onBroken();
    return undefined;
  }
  /** Messages that lie whole in one piece, as nearly all do; returns where the rest begins. */
  function readWhole(chunk: Buffer): number {
    let from = 0;
    while (!isBroken && chunk.length - from >= HEAD_BYTES) {
      const length = lengthAt(chunk, from);
      if (length === undefined || chunk.length - from < length) break;
      from += length;
      onMessage(chunk.subarray(from - length, from));
    }
    return from;
  }
  function next(): Buffer | undefined {
    if (isBroken || bytes < needed) return undefined;
    const all = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
    parts = [all];
    const length = lengthAt(all, 0);
    if (length === undefined) return undefined;
    needed = bytes < length ? length : HEAD_BYTES;
    if (bytes < length) return undefined;
    parts = bytes === length ? [] : [all.subarray(length)];
    bytes -= length;
    return all.subarray(0, length);
  }
  return (given) => {
    if (isBroken) return;
    const chunk = bufferOf(given);
    const from = bytes === 0 ? readWhole(chunk) : 0;
    if (isBroken || from === chunk.length) return;
    parts.push(Buffer.from(chunk.subarray(from)));
    bytes += chunk.length - from;
    for (let whole = next(); whole !== undefined; whole = next()) onMessage(whole);
  };
}
