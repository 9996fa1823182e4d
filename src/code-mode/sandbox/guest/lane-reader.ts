/** A worker's own connection to the gateway, read and written without a stream in between: it comes for every call. */
import { writeSync } from "node:fs";
import { Socket } from "node:net";
import { messageReader } from "../message-bytes.ts";

const CHUNK_BYTES = 65_536;

export type LaneReader = {
  /** `sent` is called when the system has all of it. */
  write(whole: Uint8Array, sent?: () => void): void;
};

/** A message is valid during the call: the next piece is written over it. */
export function openLane(fd: number, onMessage: (whole: Uint8Array) => void): LaneReader {
  const feed = messageReader({ onMessage, onBroken: () => socket.destroy() });
  const onread = {
    buffer: Buffer.alloc(CHUNK_BYTES),
    callback(bytes: number, buffer: Uint8Array): boolean {
      feed(buffer.subarray(0, bytes));
      return true;
    },
  };
  const socket = new Socket({ fd, readable: true, writable: true, onread });
  socket.on("error", () => undefined); // then the gateway is gone, and this process ends
  return {
    write(whole, sent) {
      const written = socket.writableLength > 0 || socket.destroyed ? 0 : writeNow(fd, whole);
      if (written === whole.length) sent?.();
      else socket.write(whole.subarray(written), sent);
    },
  };
}

/** How much of it the system took; what it did not take at once waits in the stream, and all that follows behind it. */
function writeNow(fd: number, whole: Uint8Array): number {
  try {
    return writeSync(fd, whole);
  } catch {
    return 0; // it is full, or closed: the stream reports that
  }
}
