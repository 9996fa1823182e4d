/** Messages between the gateway and a runner on its pipes: the length in four bytes, then JSON. */
import type { Readable } from "node:stream";

const LENGTH_BYTES = 4;
/** More than any answer of a tool; whoever says more is not one of ours. */
const FRAME_BYTES_MAX = 32 * 1_024 * 1_024;

export function frameOf(message: unknown): Buffer {
  const text = JSON.stringify(message);
  const frame = Buffer.allocUnsafe(LENGTH_BYTES + Buffer.byteLength(text));
  frame.writeUInt32LE(frame.length - LENGTH_BYTES, 0);
  frame.write(text, LENGTH_BYTES);
  return frame;
}

type Reader = {
  onFrame(message: unknown): void;
  /** Called at most once, for what can be no frame; nothing is read after it. */
  onBroken(why: string): void;
};

export function readFrames(from: Readable, { onFrame, onBroken }: Reader): void {
  let parts: Buffer[] = [];
  let bytes = 0;
  let isBroken = false;
  const stop = (why: string): undefined => {
    isBroken = true;
    onBroken(why);
  };
  /** The next whole frame as text; undefined while there is none. */
  function next(): string | undefined {
    if (isBroken || bytes < LENGTH_BYTES) return undefined;
    const all = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
    parts = [all];
    const end = LENGTH_BYTES + all.readUInt32LE(0);
    if (end > FRAME_BYTES_MAX) return stop(`a message of ${end} bytes`);
    if (bytes < end) return undefined;
    parts = bytes === end ? [] : [all.subarray(end)];
    bytes -= end;
    return all.toString("utf8", LENGTH_BYTES, end);
  }
  from.on("data", (chunk: Buffer) => {
    if (isBroken) return;
    parts.push(chunk);
    bytes += chunk.length;
    for (let text = next(); text !== undefined; text = next()) {
      let message: unknown;
      try {
        message = JSON.parse(text);
      } catch {
        return stop("a message that is no JSON");
      }
      onFrame(message);
    }
  });
}
