/** The plain HTTP side: three pages to read, nothing to change. */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { hasScope } from "../protocol/actor.ts";
import type { GuessLimit } from "./guess-limit.ts";
import { type Authenticate, identify } from "./handshake.ts";
import type { Verdict } from "./host-check.ts";

const BODY_BYTES_MAX = 1_024;
const PATHS = ["/healthz", "/readyz", "/metrics"];

/** Nothing here is a page: whatever a browser makes of an answer, it may run, frame, cache and pass on none of it. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "application/json; charset=utf-8",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-frame-options": "DENY",
  "cross-origin-resource-policy": "same-origin",
};

export type RouteParts = {
  server: Server;
  admit(request: IncomingMessage): Verdict;
  authenticate: Authenticate;
  guesses: GuessLimit;
  ready(): Promise<{ ready: boolean; store: { writable: boolean } }>;
  metrics(): Promise<string>;
  log: { error(what: object, message: string): void };
};

/** Bodies are parsed with zod. Fastify's own compilers would load 130 files of ajv at each start for nobody. */
const noCompiler = () => (): never => {
  throw new Error("A route must not declare a JSON Schema here: parse its input with zod.");
};

export async function createRoutes(parts: RouteParts): Promise<FastifyInstance> {
  const app = fastify({
    logger: false, // addresses may hold what strangers put there; what is worth logging is logged by name
    bodyLimit: BODY_BYTES_MAX,
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    serverFactory(handle) {
      parts.server.on("request", (request: IncomingMessage, response: ServerResponse) => {
        const verdict = parts.admit(request);
        if (!verdict.admitted) return refuseRaw(response, verdict.status, verdict.message);
        request.url = verdict.path; // the one form that was checked is the one that is routed
        handle(request, response);
      });
      return parts.server;
    },
  });
  app.addHook("onRequest", async (_request, reply) => void reply.headers(SECURITY_HEADERS));
  app.get("/healthz", async () => ({ alive: true }));
  app.get("/readyz", async (_request, reply) => {
    const { ready, store } = await parts.ready();
    return reply.code(ready ? 200 : 503).send({ ready, store: { writable: store.writable } });
  });
  app.get("/metrics", async (request, reply) => metrics(request, reply, parts));
  app.setNotFoundHandler((request, reply) => notFound(request, reply));
  app.setErrorHandler((error, _request, reply) => {
    const status = statusOf(error);
    if (status >= 500) parts.log.error({ err: error }, "an HTTP request failed");
    return answer(reply, status, status >= 500 ? "Something went wrong on our side." : "This request is not valid.");
  });
  await app.ready();
  return app;
}

async function metrics(request: FastifyRequest, reply: FastifyReply, parts: RouteParts): Promise<FastifyReply> {
  const secret = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(request.headers.authorization ?? "")?.[1];
  if (secret === undefined) {
    return answer(reply.header("www-authenticate", "Bearer"), 401, "Send a token: Authorization: Bearer …");
  }
  const operator = await identify(secret, { ...parts, peer: request.raw.socket.remoteAddress ?? "unknown" });
  if ("refused" in operator) {
    const locked = operator.refused.code === "RATE_LIMITED";
    return answer(reply, locked ? 429 : 401, operator.refused.message);
  }
  if (!hasScope(operator.scopes, "operator.read")) return answer(reply, 403, "This needs the scope operator.read.");
  return reply.type("text/plain; version=0.0.4; charset=utf-8").send(await parts.metrics());
}

function notFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const [path = ""] = request.url.split("?");
  if (PATHS.includes(path)) return answer(reply.header("allow", "GET, HEAD"), 405, "This page can only be read.");
  if (path === "/ws") return answer(reply.header("upgrade", "websocket"), 426, "Connect here with WebSocket.");
  return answer(reply, 404, "There is nothing here.");
}

const answer = (reply: FastifyReply, status: number, message: string): FastifyReply =>
  reply.code(status).send({ error: { message } });

function statusOf(error: unknown): number {
  if (typeof error !== "object" || error === null || !("statusCode" in error)) return 500;
  return typeof error.statusCode === "number" && error.statusCode >= 400 ? error.statusCode : 500;
}

function refuseRaw(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { ...SECURITY_HEADERS, connection: "close" }).end(JSON.stringify({ error: { message } }));
}
