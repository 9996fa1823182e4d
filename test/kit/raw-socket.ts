/** Bytes on a TCP connection, for what no well-behaved client would ever send. */
import { connect, type Socket } from "node:net";

export type RawSocket = {
  write(bytes: string | Buffer): void;
  /** Resolves with what has come once it satisfies the test, or with all of it at the end. */
  until(isEnough: (received: Buffer) => boolean): Promise<Buffer>;
  readonly ended: Promise<Buffer>;
  destroy(): void;
};

export async function rawSocket(port: number): Promise<RawSocket> {
  const socket: Socket = connect(port, "127.0.0.1");
  let received = Buffer.alloc(0);
  const ended = Promise.withResolvers<Buffer>();
  const waiting = new Set<() => void>();
  socket.on("data", (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    for (const look of waiting) look();
  });
  socket.on("error", () => socket.destroy());
  socket.on("close", () => {
    ended.resolve(received);
    for (const look of waiting) look();
  });
  await new Promise<void>((resolve) => void socket.once("connect", () => resolve()));
  return {
    write: (bytes) => void socket.write(bytes),
    until(isEnough) {
      const { promise, resolve } = Promise.withResolvers<Buffer>();
      const look = (): void => {
        if (!isEnough(received) && !socket.destroyed) return;
        waiting.delete(look);
        resolve(received);
      };
      waiting.add(look);
      look();
      return promise;
    },
    ended: ended.promise,
    destroy: () => socket.destroy(),
  };
}

/** The status of the answer to one HTTP request, written out line by line. */
export async function rawRequest(port: number, lines: string[]): Promise<{ status: number; text: string }> {
  const socket = await rawSocket(port);
  socket.write([...lines, "", ""].join("\r\n"));
  const bytes = await socket.until((received) => received.includes("\r\n\r\n"));
  socket.destroy();
  const text = bytes.toString("latin1");
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text };
}

export const UPGRADE = [
  "Upgrade: websocket",
  "Connection: Upgrade",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
];

export type WsFrame = { opcode: number; payload: Buffer };

/** Whole frames of a server in what has come after the upgrade's answer. */
export function framesIn(received: Buffer): WsFrame[] {
  const start = received.indexOf("\r\n\r\n");
  const frames: WsFrame[] = [];
  for (let at = start + 4; start >= 0 && at + 2 <= received.length;) {
    const short = (received[at + 1] ?? 0) & 0x7f;
    const header = short === 127 ? 10 : short === 126 ? 4 : 2;
    if (at + header > received.length) break;
    const length =
      short === 127 ? Number(received.readBigUInt64BE(at + 2)) : short === 126 ? received.readUInt16BE(at + 2) : short;
    if (at + header + length > received.length) break;
    frames.push({ opcode: (received[at] ?? 0) & 0x0f, payload: received.subarray(at + header, at + header + length) });
    at += header + length;
  }
  return frames;
}

/** The close code of a close frame, 1005 when it names none. */
export const closeCode = ({ payload }: WsFrame): number => (payload.length < 2 ? 1005 : payload.readUInt16BE(0));

/** A text frame as a client writes it: masked, here with zeros. */
export function clientFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const header = payload.length < 126 ? Buffer.from([0x81, 0x80 | payload.length]) : Buffer.alloc(4);
  if (payload.length >= 126) {
    header.set([0x81, 0x80 | 126]);
    header.writeUInt16BE(payload.length, 2);
  }
  return Buffer.concat([header, Buffer.alloc(4), payload]);
}
