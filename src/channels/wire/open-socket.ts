/** A web socket to a vendor: messages are taken one after the other, and silence counts as a lost connection. */
import { WebSocket } from "ws";

const HANDSHAKE_MS = 15_000;
const MESSAGE_BYTES_MAX = 4 * 1024 * 1024;
/** How often somebody silent is asked for a sign of life. */
const ASK_MS = 30_000;
const SILENCE_MS = 60_000;

export type Socket<Message = unknown> = {
  send(message: Message): void;
  close(code?: number): void;
  /** Resolves with the code when it is closed, by whomever. */
  closed: Promise<number>;
};

/** How messages are written on the wire. */
export type Codec<Message> = { encode(message: Message): string | Uint8Array; decode(bytes: Buffer): Message };

export const jsonCodec: Codec<unknown> = {
  encode: (message) => JSON.stringify(message),
  decode: (bytes) => JSON.parse(bytes.toString("utf8")),
};

export type SocketParts<Message> = {
  headers?: Record<string, string>;
  codec: Codec<Message>;
  /** After so long without a sign of life the connection counts as lost; a minute where nothing is said. */
  silenceMs?: number;
  signal: AbortSignal;
  /** The next message waits for this one. Where it throws, the connection is closed: what was not taken must come again. */
  take(message: Message, socket: Socket<Message>): Promise<void> | void;
  /** Told why a connection was closed because of us. */
  failed(error: unknown): void;
};

/** Resolves when the connection is open; rejects when it cannot be opened. */
export function openSocket<Message>(url: string, parts: SocketParts<Message>): Promise<Socket<Message>> {
  const { headers = {}, codec, silenceMs = SILENCE_MS, signal, take, failed } = parts;
  const { promise, resolve, reject } = Promise.withResolvers<Socket<Message>>();
  const ws = new WebSocket(url, { headers, handshakeTimeout: HANDSHAKE_MS, maxPayload: MESSAGE_BYTES_MAX });
  const ended = Promise.withResolvers<number>();
  const socket: Socket<Message> = {
    send: (message) => {
      if (ws.readyState === WebSocket.OPEN) ws.send(codec.encode(message));
    },
    close: (code) => (code === undefined ? ws.terminate() : ws.close(code)),
    closed: ended.promise,
  };
  const callOff = (): void => ws.terminate();
  signal.addEventListener("abort", callOff, { once: true });
  const stopWatching = watchSilence(ws, silenceMs);
  let taking: Promise<void> = Promise.resolve();
  let isFailed = false;
  ws.on("message", (data) => {
    const takeNext = async (): Promise<void> => {
      if (isFailed || signal.aborted) return;
      try {
        await take(codec.decode(bytesOf(data)), socket);
      } catch (error) {
        isFailed = true;
        failed(error);
        ws.terminate();
      }
    };
    taking = taking.then(takeNext);
  });
  ws.once("open", () => resolve(socket));
  ws.on("error", reject);
  ws.once("close", (code) => {
    stopWatching();
    signal.removeEventListener("abort", callOff);
    reject(new Error(`the connection was closed (${code})`));
    void taking.then(() => ended.resolve(code));
  });
  if (signal.aborted) ws.terminate();
  return promise;
}

function bytesOf(data: Buffer | ArrayBuffer | Buffer[]): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}

function watchSilence(ws: WebSocket, silenceMs: number): () => void {
  let lastMs = performance.now();
  const alive = (): void => void (lastMs = performance.now());
  for (const event of ["message", "ping", "pong"]) ws.on(event, alive);
  const timer = setInterval(() => {
    if (performance.now() - lastMs > silenceMs) return ws.terminate();
    if (ws.readyState === WebSocket.OPEN) ws.ping();
  }, ASK_MS);
  return () => clearInterval(timer);
}
