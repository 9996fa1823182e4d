/** Connections that are no WebSocket (yet): so many at once, and one more makes an idle older one go (see make-room.ts). */
import type { Server } from "node:http";
import type { Duplex } from "node:stream";
import type { Socket } from "node:net";
import { makeRoom } from "./make-room.ts";

/** Health checks, scrapers, browsers that load the page, and peers that are being refused. */
export const PLAIN_CONNECTIONS_MAX = 128;

export function boundPlainConnections(server: Server): void {
  const plain = new Map<Duplex, { peer: string; socket: Socket }>(); // oldest first
  const answering = new Map<Duplex, number>();
  server.on("connection", (socket: Socket) => {
    plain.set(socket, { peer: socket.remoteAddress ?? "unknown", socket });
    socket.once("close", () => void plain.delete(socket));
    makeRoom(plain, PLAIN_CONNECTIONS_MAX, (key) => key === socket || answering.has(key))?.socket.destroy();
  });
  server.on("request", ({ socket }, response) => {
    answering.set(socket, (answering.get(socket) ?? 0) + 1);
    response.once("close", () => {
      const left = (answering.get(socket) ?? 1) - 1;
      if (left > 0) answering.set(socket, left);
      else answering.delete(socket);
    });
  });
  server.on("upgrade", (_request, socket: Duplex) => void plain.delete(socket));
}
