/**
 * One port: plain addresses answer health, readiness, metrics, the log-in and the page; WebSocket carries everything
 * else. Every request passes the same checks first: host, origin, no token in its address.
 */
import type { IncomingMessage, Server } from "node:http";
import type { Logger } from "pino";
import type { OperatorId } from "../protocol/ids.ts";
import type { Feed } from "./feed.ts";
import { createGuessLimit } from "./guess-limit.ts";
import type { Authenticate } from "./socket/handshake.ts";
import { createHostCheck, type Verdict } from "./host-check.ts";
import { identifyBearer } from "./identify-bearer.ts";
import type { HttpRequest, HttpRoute } from "./http-route.ts";
import { createLoginRoute } from "./login/login-routes.ts";
import type { Logins } from "./login/logins.ts";
import { createPasskeyRoute, type Enrolments } from "./login/passkey-route.ts";
import { createLoopbackTwin, type LoopbackStatus } from "./loopback-twin.ts";
import type { LookUpMethod, MethodTable } from "./method-table.ts";
import { createServer } from "./node-server.ts";
import { boundPlainConnections } from "./plain-connections.ts";
import type { Operator } from "./operator.ts";
import type { Refused } from "../protocol/refusal.ts";
import { createRouter } from "./router.ts";
import { createRoutes } from "./routes.ts";
import { createSockets } from "./socket/sockets.ts";

const HEADERS_MS_MAX = 10_000;
const REQUEST_MS_MAX = 30_000;
/** How often those two are looked at; Node's own half minute would make ten seconds forty. */
const LOOK_EVERY_MS = 1_000;

/** Read anew for each request or connection, so that a getter makes a changed setting count at once. */
export type HttpSettings = {
  host: string;
  port: number;
  allowedOrigins: string[];
  allowedHosts: string[];
  requestsPerSecond: number;
  connectionsMax: number;
};

export type HttpParts = {
  settings: HttpSettings;
  methods: MethodTable;
  /** Methods that come and go while it runs. */
  lookUpMethod?: LookUpMethod;
  authenticate: Authenticate;
  logins: Logins;
  /** Absent: no passkeys are kept here. */
  enrolments?: Enrolments;
  /** Plain addresses besides our own, asked in this order. */
  routes?: readonly HttpRoute[];
  /** Plain addresses for programs that show a token. */
  bearerRoutes?(identify: (request: HttpRequest) => Promise<Operator | Refused>): readonly HttpRoute[];
  feed: Feed;
  ready(): Promise<{ ready: boolean; store: { writable: boolean; detail: string } }>;
  /** Prometheus text. */
  metrics(): Promise<string>;
  version: string;
  log: Logger;
  /** Milliseconds that never run backwards. */
  now?: () => number;
  /** Wall-clock time in milliseconds. */
  wallClock(): number;
};

export type HttpServer = {
  url: string;
  port: number;
  connections(): number;
  /** Ends the connections of a revoked token. */
  closeOperator(id: OperatorId): void;
  /** From here on `localhost` leads to this server alone, if no other program has taken its other address. */
  holdLocalhost(): Promise<LoopbackStatus>;
  /** Answers what is under way, sends every client its last cursor, and closes. */
  close(): Promise<void>;
};

export async function createHttpServer(parts: HttpParts): Promise<HttpServer> {
  const { settings } = parts;
  const now = parts.now ?? (() => performance.now());
  const guesses = createGuessLimit(now);
  const options = {
    headersTimeout: HEADERS_MS_MAX,
    requestTimeout: REQUEST_MS_MAX,
    connectionsCheckingInterval: LOOK_EVERY_MS,
  };
  const server = createServer(options);
  boundPlainConnections(server);
  const admit = createDoor(settings, server);
  const sockets = createSockets({
    ...parts,
    route: createRouter(parts.methods, parts.lookUpMethod),
    guesses,
    admit,
    now,
  });
  server.on("upgrade", sockets.upgrade);
  const { enrolments } = parts;
  const enrolling = enrolments === undefined ? [] : [createPasskeyRoute({ enrolments, guesses })];
  const bearer = parts.bearerRoutes?.((asked) => identifyBearer(asked, { ...parts, guesses })) ?? [];
  const routes = [...bearer, ...enrolling, createLoginRoute({ ...parts, guesses }), ...(parts.routes ?? [])];
  const request = createRoutes({ ...parts, guesses, admit, routes });
  server.on("request", request);
  const twin = createLoopbackTwin(options, { request, upgrade: sockets.upgrade });
  await listening(server, settings);
  const port = portOf(server);
  return {
    url: `http://${urlHost(settings.host)}:${port}`,
    port,
    connections: sockets.count,
    closeOperator: sockets.closeOperator,
    holdLocalhost: () => twin.hold({ host: settings.host, port }),
    async close() {
      await twin.close();
      const closed = new Promise((resolve) => void server.close(resolve)); // takes no new connection from here on
      await sockets.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function listening(server: Server, { host, port }: HttpSettings): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** The lists are made anew when the settings have new ones, and not before the port is known. */
function createDoor(settings: HttpSettings, server: Server): (request: IncomingMessage) => Verdict {
  let made: { hosts: string[]; origins: string[]; check: (request: IncomingMessage) => Verdict } | undefined;
  return (request) => {
    const { host, allowedHosts, allowedOrigins } = settings;
    if (made?.hosts !== allowedHosts || made.origins !== allowedOrigins) {
      const check = createHostCheck({ host, port: portOf(server), allowedHosts, allowedOrigins });
      made = { hosts: allowedHosts, origins: allowedOrigins, check };
    }
    return made.check(request);
  };
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

function urlHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
