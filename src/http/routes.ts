/** The plain HTTP side: three pages to read, nothing to change, no body to take. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { hasScope } from "../protocol/actor.ts";
import type { GuessLimit } from "./guess-limit.ts";
import { type Authenticate, identify } from "./handshake.ts";
import type { Verdict } from "./host-check.ts";

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
  admit(request: IncomingMessage): Verdict;
  authenticate: Authenticate;
  guesses: GuessLimit;
  ready(): Promise<{ ready: boolean; store: { writable: boolean } }>;
  metrics(): Promise<string>;
  log: { error(what: object, message: string): void };
};

type Answer = { status: number; body: string; headers?: Record<string, string> };

export function createRoutes(parts: RouteParts): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const verdict = parts.admit(request);
    if (!verdict.admitted) return send(response, { ...told(verdict.status, verdict.message), headers: CLOSE });
    if (hasBody(request)) {
      request.resume();
      return send(response, { ...told(413, "No page here takes a body."), headers: CLOSE });
    }
    // the one form that was checked is the one that is routed
    answerFor(verdict.path, request, parts).then(
      (answer) => send(response, answer),
      (error: unknown) => {
        parts.log.error({ err: error }, "an HTTP request failed");
        send(response, told(500, "Something went wrong on our side."));
      },
    );
  };
}

type Page = (request: IncomingMessage, parts: RouteParts) => Promise<Answer>;

const PAGES: Readonly<Record<string, Page>> = {
  "/healthz": async () => shown({ alive: true }),
  "/readyz": async (_request, parts) => {
    const { ready, store } = await parts.ready();
    return { ...shown({ ready, store: { writable: store.writable } }), status: ready ? 200 : 503 };
  },
  "/metrics": metrics,
};

async function answerFor(address: string, request: IncomingMessage, parts: RouteParts): Promise<Answer> {
  const [path = ""] = address.split("?");
  if (path === "/ws") return { ...told(426, "Connect here with WebSocket."), headers: { upgrade: "websocket" } };
  const page = Object.hasOwn(PAGES, path) ? PAGES[path] : undefined;
  if (page === undefined) return told(404, "There is nothing here.");
  if (request.method === "GET" || request.method === "HEAD") return page(request, parts);
  return { ...told(405, "This page can only be read."), headers: { allow: "GET, HEAD" } };
}

async function metrics(request: IncomingMessage, parts: RouteParts): Promise<Answer> {
  const secret = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(request.headers.authorization ?? "")?.[1];
  if (secret === undefined) {
    const headers = { "www-authenticate": "Bearer" };
    return { ...told(401, "Send a token: Authorization: Bearer …"), headers };
  }
  const operator = await identify(secret, { ...parts, peer: request.socket.remoteAddress ?? "unknown" });
  if ("refused" in operator) {
    const locked = operator.refused.code === "RATE_LIMITED";
    return told(locked ? 429 : 401, operator.refused.message);
  }
  if (!hasScope(operator.scopes, "operator.read")) return told(403, "This needs the scope operator.read.");
  const headers = { "content-type": "text/plain; version=0.0.4; charset=utf-8" };
  return { status: 200, body: await parts.metrics(), headers };
}

const CLOSE = { connection: "close" };

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";

const shown = (body: object): Answer => ({ status: 200, body: JSON.stringify(body) });
const told = (status: number, message: string): Answer => ({ status, body: JSON.stringify({ error: { message } }) });

/** Node leaves the body of an answer to HEAD out by itself. */
function send(response: ServerResponse, { status, body, headers }: Answer): void {
  const length = String(Buffer.byteLength(body));
  response.writeHead(status, { ...SECURITY_HEADERS, "content-length": length, ...headers }).end(body);
}
