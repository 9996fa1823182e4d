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
  /** Answers of calls, and ids of calls that are parked. */
  answers: 4,
  abort: 5,
  /**
   * Of the program: requests (`number`: how many batches of answers have arrived), one piece of output, the end (`number`, where the
   * process reports it: how many messages the worker has put on its lane).
   */
  calls: 6,
  output: 7,
  outcome: 8,
  /** From the process to its worker: the time is over. */
  timeOver: 9,
  /** From the process: every worker is busy and the cell waits for one; it has one now. */
  queued: 10,
  begun: 11,
  /** From the process: the worker of this lane (`number`) is kept for the next cell, which goes to it directly. */
  offered: 12,
  /** To the process: the cell went to the worker that was offered (`number` is the time limit), or nothing will. */
  seated: 13,
  declined: 14,
} as const;

export type Message = { cell: number; kind: number; number: number; text: string; bytes: Uint8Array };

const NOTHING = new Uint8Array(0);

export function messageBytes(given: Pick<Message, "cell" | "kind"> & Partial<Message>): Uint8Array<ArrayBuffer> {
  const { cell, kind, number = 0, text = "", bytes = NOTHING } = given;
  const textBytes = Buffer.byteLength(text);
  const whole = Buffer.from(new ArrayBuffer(HEAD_BYTES + textBytes + bytes.length));
  whole.writeUInt32LE(whole.length - LENGTH_BYTES, 0);
  whole.writeUInt32LE(cell, 4);
  whole.writeUInt8(kind, 8);
  whole.writeUInt32LE(number, 9);
  whole.writeUInt32LE(textBytes, 13);
  whole.write(text, HEAD_BYTES);
  whole.set(bytes, HEAD_BYTES + textBytes);
  return new Uint8Array(whole.buffer);
}

/** Of a whole message. */
export const headOf = (whole: Uint8Array): Pick<Message, "cell" | "kind" | "number"> => {
  const view = new DataView(whole.buffer, whole.byteOffset, whole.byteLength);
  return { cell: view.getUint32(4, true), kind: view.getUint8(8), number: view.getUint32(9, true) };
};

export function readMessage(whole: Uint8Array): Message {
  const buffer = Buffer.from(whole.buffer, whole.byteOffset, whole.byteLength);
  const textEnd = Math.min(buffer.length, HEAD_BYTES + buffer.readUInt32LE(13));
  return { ...headOf(whole), text: buffer.toString("utf8", HEAD_BYTES, textEnd), bytes: buffer.subarray(textEnd) };
}

type Reader = {
  /** Each message in memory of its own. */
  onMessage(whole: Uint8Array<ArrayBuffer>): void;
  /** Called at most once, for what can be no message; nothing is read after it. */
  onBroken(): void;
};

/** Takes the pieces of a stream. */
export function messageReader({ onMessage, onBroken }: Reader): (chunk: Uint8Array) => void {
  let parts: Uint8Array[] = [];
  let bytes = 0;
  let needed = HEAD_BYTES; // pieces are joined only when a message is whole, or its length can be read
  let isBroken = false;
  function next(): Uint8Array<ArrayBuffer> | undefined {
    if (isBroken || bytes < needed) return undefined;
    const all = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
    parts = [all];
    const length = LENGTH_BYTES + new DataView(all.buffer, all.byteOffset, LENGTH_BYTES).getUint32(0, true);
    if (length > MESSAGE_BYTES_MAX || length < HEAD_BYTES) {
      isBroken = true;
      parts = [];
      onBroken();
      return undefined;
    }
    needed = bytes < length ? length : HEAD_BYTES;
    if (bytes < length) return undefined;
    parts = bytes === length ? [] : [all.subarray(length)];
    bytes -= length;
    return new Uint8Array(all.subarray(0, length));
  }
  return (chunk) => {
    if (isBroken) return;
    parts.push(chunk);
    bytes += chunk.length;
    for (let whole = next(); whole !== undefined; whole = next()) onMessage(whole);
  };
}
