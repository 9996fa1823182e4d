/** Connections that are no WebSocket (yet): so many at once, and one more makes an idle older one go (see make-room.ts). */
import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import type { Socket } from "node:net";
import { makeRoom } from "./make-room.ts";

/** Health checks, scrapers, browsers that load the page, and peers that are being refused. */
export const PLAIN_CONNECTIONS_MAX = 128;

export function boundPlainConnections(server: Server): void {
  const plain = new Map<Duplex, { peer: string; socket: Socket }>(); // oldest first
  const answering = new Map<Duplex, Set<IncomingMessage>>();
  /** Only a request that has come whole is worth waiting for: half a body may be held back for ever. */
  const isAnswered = (key: Duplex): boolean =>
    answering
      .get(key)
      ?.values()
      .some(({ complete }) => complete) ?? false;
  server.on("connection", (socket: Socket) => {
    plain.set(socket, { peer: socket.remoteAddress ?? "unknown", socket });
    socket.once("close", () => void plain.delete(socket));
    makeRoom(plain, PLAIN_CONNECTIONS_MAX, (key) => key === socket || isAnswered(key))?.socket.destroy();
  });
  server.on("request", (request, response) => {
    const { socket } = request;
    const requests = answering.get(socket) ?? new Set();
    answering.set(socket, requests.add(request));
    response.once("close", () => {
      requests.delete(request);
      if (requests.size === 0) answering.delete(socket);
    });
  });
  server.on("upgrade", (_request, socket: Duplex) => void plain.delete(socket));
}
