/**
 * The socket in the state folder, which only its owner reaches: one line of JSON asks, one answers. Whoever hangs up
 * before has stopped waiting. What answers is loaded with the first line, so that a gateway nobody asks starts as before.
 */
import { randomBytes } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { dirname } from "node:path";

const LINE_BYTES_MAX = 1_048_576;
const CONNECTIONS_MAX = 128;
/** The kernel takes no longer name for a socket. */
const PATH_BYTES_MAX = 107;
const OWNER_ONLY = 0o600;
const FOLDER_OWNER_ONLY = 0o700;

/** Answers one line; `write` may be used more than once by whoever goes on telling. */
export type LineAnswer = (line: string, asked: { signal: AbortSignal; write(answer: object): void }) => Promise<void>;

export type DecisionSocket = { path: string; close(): Promise<void> };

/** A text: why there is none. */
export async function openDecisionSocket(path: string, answer: LineAnswer): Promise<DecisionSocket | string> {
  if (process.platform === "win32") return "agents outside cannot be connected by hooks on Windows yet";
  const own = `${path}.${randomBytes(2).toString("hex")}`;
  if (Buffer.byteLength(own) > PATH_BYTES_MAX) return `its name is too long for a socket: ${path}`;
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    serve(socket, answer);
  });
  server.maxConnections = CONNECTIONS_MAX;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: FOLDER_OWNER_ONLY });
    await listening(server, own);
    // Under a name of its own first: a server that closes removes the name that it was opened by, and one that ended a
    // moment ago must not remove this one's. The folder is claimed, so a socket that lies there belongs to nobody any more.
    renameSync(own, path);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  const inode = lstatSync(path).ino;
  return {
    path,
    async close() {
      const closed = new Promise((resolve) => void server.close(resolve));
      for (const socket of open) socket.destroy();
      await closed;
      if (lstatSync(path, { throwIfNoEntry: false })?.ino === inode) rmSync(path);
    },
  };
}

/** The folder above is its owner's alone, so nobody else can be quicker than the second step. */
function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ path }, () => {
      server.off("error", reject);
      chmodSync(path, OWNER_ONLY);
      resolve();
    });
  });
}

function serve(socket: Socket, answer: LineAnswer): void {
  const gone = new AbortController();
  const pieces: Buffer[] = [];
  let bytes = 0;
  let isAsked = false;
  const write = (said: object): void => void (socket.writable && socket.write(`${JSON.stringify(said)}\n`));
  socket.on("error", () => undefined); // `close` follows, and says the same
  socket.once("close", () => gone.abort());
  socket.once("end", () => isAsked || socket.destroy());
  socket.on("data", (piece: Buffer) => {
    if (isAsked) return;
    bytes += piece.length;
    pieces.push(piece);
    const end = piece.indexOf(0x0a);
    if (end === -1) return void (bytes > LINE_BYTES_MAX && socket.destroy());
    isAsked = true;
    const whole = Buffer.concat(pieces);
    const line = whole.subarray(0, whole.indexOf(0x0a)).toString("utf8");
    answer(line, { signal: gone.signal, write })
      .catch(() => write({ error: "The gateway failed to answer." }))
      .finally(() => socket.end());
  });
}
