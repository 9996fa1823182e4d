/**
 * `localhost` leads to 127.0.0.1 and to ::1. A page that is opened by that name is ours alone only while we answer on
 * both, so the other one is held too.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { createServer } from "./node-server.ts";
import { boundPlainConnections } from "./plain-connections.ts";

/** `absent`: this machine has no such address, so nobody can take it. `taken`: another program answers there. */
export type LoopbackStatus = "held" | "absent" | "taken";

export type LoopbackTwin = {
  /** May be asked again: another program may have gone. */
  hold(at: { host: string; port: number }): Promise<LoopbackStatus>;
  close(): Promise<void>;
};

type Handlers = {
  request(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
};

const ABSENT: ReadonlySet<string> = new Set(["EADDRNOTAVAIL", "EAFNOSUPPORT"]);

export function createLoopbackTwin(options: Parameters<typeof createServer>[0], handlers: Handlers): LoopbackTwin {
  let server: Server | undefined;
  return {
    async hold({ host, port }) {
      if (server !== undefined || host === "::") return "held";
      const twin = createServer(options);
      boundPlainConnections(twin);
      twin.on("request", handlers.request);
      twin.on("upgrade", handlers.upgrade);
      const failed = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
        twin.once("error", resolve);
        twin.listen({ host: host === "::1" ? "127.0.0.1" : "::1", port, ipv6Only: true }, () => resolve(undefined));
      });
      if (failed !== undefined) return ABSENT.has(failed.code ?? "") ? "absent" : "taken";
      server = twin;
      return "held";
    },
    async close() {
      const closing = server;
      if (closing === undefined) return;
      server = undefined;
      await new Promise((resolve) => {
        closing.close(resolve);
        closing.closeAllConnections();
      });
    },
  };
}
