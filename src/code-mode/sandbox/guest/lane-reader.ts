/** A worker's own connection to the gateway, read without a stream in between: it comes for every call. */
import { Socket } from "node:net";
import { messageReader } from "../message-bytes.ts";

const CHUNK_BYTES = 65_536;

export type LaneReader = { write(whole: Uint8Array, sent?: () => void): void };

export function openLane(fd: number, onMessage: (whole: Uint8Array<ArrayBuffer>) => void): LaneReader {
  const feed = messageReader({ onMessage, onBroken: () => socket.destroy() });
  const onread = {
    buffer: new Uint8Array(CHUNK_BYTES),
    callback(bytes: number, buffer: Uint8Array): boolean {
      feed(buffer.slice(0, bytes)); // a copy: the next piece is written over this one
      return true;
    },
  };
  const socket = new Socket({ fd, readable: true, writable: true, onread });
  socket.on("error", () => undefined); // then the gateway is gone, and this process ends
  return { write: (whole, sent) => void socket.write(whole, sent) };
}
