/**
 * Ports inside the network of a kept tree, served from outside of it. The tree has a network of its own with nothing but
 * loopback. A process of ours enters it, listens, and hands the listening sockets to the keeper's process over its channel:
 * a socket belongs to the network that it was made in, whoever holds it.
 */
import type { ChildProcess } from "node:child_process";
import { Server } from "node:net";

/** Run with Node inside that network; its ports are its arguments. */
export const LISTENER = `
const { createServer } = require("node:net");
const ports = process.argv.slice(1).map(Number);
let left = ports.length;
for (const port of ports) {
  const server = createServer();
  server.on("error", () => process.exit(1));
  server.listen({ host: "127.0.0.1", port }, () => process.send({ port }, server, () => --left === 0 && process.exit(0)));
}
`;

/** Resolves with a server for each port, in their order; rejects when the tree is gone before. */
export function innerServers(child: ChildProcess, ports: readonly number[]): Promise<readonly Server[]> {
  const found = new Map<number, Server>();
  const { promise, resolve, reject } = Promise.withResolvers<readonly Server[]>();
  child.on("message", (message: unknown, handle: unknown) => {
    if (!(handle instanceof Server) || typeof message !== "object" || message === null || !("port" in message)) return;
    found.set(Number(message.port), handle);
    if (found.size === ports.length) resolve(ports.flatMap((port) => found.get(port) ?? []));
  });
  child.once("exit", () => reject(new Error("it ended before its network was there")));
  return promise;
}
