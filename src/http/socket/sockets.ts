/** All WebSocket connections of the gateway: admission, heartbeats, and orderly closing. */
import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Logger } from "pino";
import { type WebSocket, WebSocketServer } from "ws";
import { FRAME_BYTES_MAX } from "../../protocol/frames.ts";
import type { OperatorId } from "../../protocol/ids.ts";
import { type Connection, type ConnectionParts, createConnection } from "./connection.ts";
import type { Feed } from "../feed.ts";
import type { GuessLimit } from "../guess-limit.ts";
import type { Authenticate, AuthenticateTab } from "./handshake.ts";
import type { Verdict } from "../host-check.ts";
import { readCookie } from "../login/cookie.ts";
import type { Logins } from "../login/logins.ts";
import { makeRoom } from "../make-room.ts";
import { STATUS_CODES } from "../node-server.ts";
import type { Router } from "../router.ts";
import { SECURITY_HEADERS } from "../routes.ts";

/** Connections that have not shown a token yet. They have places of their own: one more makes an older one go. */
export const UNAUTHENTICATED_MAX = 256;
const FRAGMENTS_MAX = 2_048;
/** Of the last revoked tokens it is known that a handshake which began before must not succeed after. */
const REVOKED_MAX = 10_000;
const PING_EVERY_MS = 30_000;
const FINISH_MS_MAX = 3_000;
const CLOSE_MS_MAX = 2_000;

export type SocketParts = {
  settings: { requestsPerSecond: number; connectionsMax: number };
  admit(request: IncomingMessage): Verdict;
  route: Router;
  authenticate: Authenticate;
  logins: Logins;
  guesses: GuessLimit;
  feed: Feed;
  version: string;
  log: Logger;
  now(): number;
};

export type Sockets = {
  upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void;
  count(): number;
  closeOperator(id: OperatorId): void;
  close(): Promise<void>;
};

type Open = { connection: Connection; socket: WebSocket; alive: boolean };

export function createSockets(parts: SocketParts): Sockets {
  const { settings, log } = parts;
  const open = new Map<string, Open>();
  const strangers = new Map<string, { peer: string; socket: WebSocket }>(); // oldest first
  const revoked = new Set<OperatorId>();
  let closing = false;
  const acceptor = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: FRAME_BYTES_MAX,
    maxFragments: FRAGMENTS_MAX,
    handleProtocols: () => false,
  });
  const pings = setInterval(() => checkPulse(open.values()), PING_EVERY_MS).unref();
  const hasRoom = (): boolean => open.size - strangers.size < settings.connectionsMax;

  function upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    stream.on("error", () => stream.destroy());
    const verdict = parts.admit(request);
    if (!verdict.admitted) return turnAway(stream, verdict.status, verdict.message);
    if (verdict.path !== "/ws") return turnAway(stream, 404, "There is nothing here. WebSocket is at /ws.");
    if (closing) return turnAway(stream, 503, "The gateway is stopping.");
    if (!hasRoom()) return turnAway(stream, 503, "Too many connections.");
    const peer = request.socket.remoteAddress ?? "unknown"; // headers that name another are the client's own words
    const authenticateTab = verdict.fromOwnPage ? tabOf(request, parts.logins) : undefined;
    acceptor.handleUpgrade(request, stream, head, (socket) => accept(socket, { stream, peer, authenticateTab }));
  }

  function accept(socket: WebSocket, from: Pick<ConnectionParts, "stream" | "peer" | "authenticateTab">): void {
    const id = `con_${randomBytes(9).toString("base64url")}`;
    const connection = createConnection({
      ...parts,
      id,
      socket,
      ...from,
      hasRoom,
      requestsPerSecond: settings.requestsPerSecond,
      greeted({ operator, params }) {
        strangers.delete(id);
        const { id: operatorId, device } = operator;
        if (revoked.has(operatorId) || (device !== undefined && revoked.has(device))) connection.revoke();
        log.info({ connectionId: id, operator: operatorId, device, client: params.client }, "connected");
      },
      report: (error, method) => report(log, { err: error, method, connectionId: id }),
    });
    const entry: Open = { connection, socket, alive: true };
    makeRoom(strangers, UNAUTHENTICATED_MAX - 1)?.socket.terminate();
    open.set(id, entry);
    strangers.set(id, { peer: from.peer, socket });
    socket.on("pong", () => (entry.alive = true));
    socket.on("close", (code) => {
      strangers.delete(id);
      open.delete(id);
      log.info({ connectionId: id, code }, "connection closed");
    });
  }

  return {
    upgrade,
    count: () => open.size,
    closeOperator(id) {
      revoked.add(id);
      dropOldest(revoked, REVOKED_MAX);
      for (const { connection } of open.values()) if (connection.isOf(id)) connection.revoke();
    },
    async close() {
      closing = true;
      clearInterval(pings);
      await sendAway([...open.values()], parts.feed);
    },
  };
}

function dropOldest<Item>(items: Set<Item>, max: number): void {
  const oldest = items.values().next().value;
  if (items.size > max && oldest !== undefined) items.delete(oldest);
}

function tabOf({ headers }: IncomingMessage, logins: Logins): AuthenticateTab {
  const cookie = readCookie(headers);
  return cookie === undefined ? undefined : (tabSecret) => logins.identifyTab({ cookie, tabSecret });
}

function report(log: Logger, what: { err: unknown; method: string; connectionId: string }): string {
  const reference = `err_${randomBytes(9).toString("base64url")}`;
  log.error({ ...what, reference }, "a request failed");
  return reference;
}

function checkPulse(open: Iterable<Open>): void {
  for (const entry of open) {
    if (!entry.alive) entry.socket.terminate();
    entry.alive = false;
    entry.socket.ping();
  }
}

async function sendAway(open: readonly Open[], feed: Feed): Promise<void> {
  const finished = open.map(({ connection }) => connection.finish());
  await within(Promise.allSettled(finished), FINISH_MS_MAX);
  const cursor = await feed.lastCursor().catch(() => 0); // a store that fails must not keep the gateway from stopping
  const gone = open.map(({ socket }) => closed(socket));
  for (const { connection } of open) connection.goAway(cursor);
  await within(Promise.all(gone), CLOSE_MS_MAX);
  for (const { socket } of open) socket.terminate();
}

const closed = (socket: WebSocket): Promise<void> =>
  socket.readyState === socket.CLOSED
    ? Promise.resolve()
    : new Promise((resolve) => socket.once("close", () => resolve()));

async function within(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([work, late]);
  clearTimeout(timer);
}

function turnAway(stream: Duplex, status: number, message: string): void {
  const body = JSON.stringify({ error: { message } });
  const headers = { ...SECURITY_HEADERS, connection: "close", "content-length": Buffer.byteLength(body) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  stream.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("\r\n")}\r\n\r\n${body}`);
}
