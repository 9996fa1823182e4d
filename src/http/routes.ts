/** The plain HTTP side: three addresses of our own, and the routes of other parts, behind the same checks. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline, Readable } from "node:stream";
import { hasScope } from "../protocol/actor.ts";
import { RefusalError } from "../protocol/refusal.ts";
import type { GuessLimit } from "./guess-limit.ts";
import { identifyBearer } from "./identify-bearer.ts";
import type { Authenticate } from "./socket/handshake.ts";
import type { Verdict } from "./host-check.ts";
import type { HttpAnswer, HttpRequest, HttpRoute } from "./http-route.ts";
import { readBody } from "./request-body.ts";

/** Whatever a browser makes of an answer, it may run, frame, cache and pass on none of it; a page says otherwise itself. */
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
  /** Asked in this order for what is not our own. */
  routes: readonly HttpRoute[];
  ready(): Promise<{ ready: boolean; store: { writable: boolean } }>;
  metrics(): Promise<string>;
  log: { error(what: object, message: string): void };
};

type Admitted = Extract<Verdict, { admitted: true }>;

export function createRoutes(parts: RouteParts): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const verdict = parts.admit(request);
    if (!verdict.admitted) return send(response, { ...told(verdict.status, verdict.message), headers: CLOSE });
    // the one form that was checked is the one that is routed
    answerFor(verdict, request, parts)
      .then((answer) => send(response, answer)) // an answer that cannot be sent is a failure, too
      .catch((error: unknown) => {
        const isAway = error instanceof RefusalError && error.refusal.retry === true;
        if (!isAway) parts.log.error({ err: error }, "an HTTP request failed");
        if (response.headersSent) response.destroy();
        else if (isAway) send(response, { ...told(503, error.refusal.message), headers: RETRY_SOON });
        else send(response, told(500, "Something went wrong on our side."));
      });
  };
}

async function answerFor(verdict: Admitted, request: IncomingMessage, parts: RouteParts): Promise<HttpAnswer> {
  const [path = ""] = verdict.path.split("?");
  const route = own(path, parts) ?? parts.routes.find((item) => item.takes(path)) ?? NOWHERE;
  const body = await readBody(request, route.bodyBytesMax);
  if (body === undefined) return { ...told(413, tooLarge(route.bodyBytesMax)), headers: CLOSE };
  if (path === "/ws") return { ...told(426, "Connect here with WebSocket."), headers: { upgrade: "websocket" } };
  const { method = "", headers, socket } = request;
  if (route !== NOWHERE && !route.methods.includes(method)) return wrongMethod(route.methods);
  const peer = socket.remoteAddress ?? "unknown";
  const { fromOwnPage, byNickname } = verdict;
  const query = verdict.path.slice(path.length + 1);
  return route.answer({ method, path, query, headers, body, peer, fromOwnPage, byNickname });
}

const NOWHERE: HttpRoute = {
  takes: () => true,
  methods: [],
  bodyBytesMax: 0,
  answer: async () => told(404, "There is nothing here."),
};

function wrongMethod(methods: readonly string[]): HttpAnswer {
  const advice = methods.includes("POST") ? "This address takes POST only." : "This page can only be read.";
  return { ...told(405, advice), headers: { allow: methods.join(", ") } };
}

const tooLarge = (bytesMax: number): string =>
  bytesMax === 0 ? "No page here takes a body." : `At most ${bytesMax} bytes are taken here.`;

type Page = (request: HttpRequest, parts: RouteParts) => Promise<HttpAnswer>;

const PAGES: Readonly<Record<string, Page>> = {
  "/healthz": async () => shown({ alive: true }),
  "/readyz": async (_request, parts) => {
    const { ready, store } = await parts.ready();
    return { ...shown({ ready, store: { writable: store.writable } }), status: ready ? 200 : 503 };
  },
  "/metrics": metrics,
};

function own(path: string, parts: RouteParts): HttpRoute | undefined {
  const page = Object.hasOwn(PAGES, path) ? PAGES[path] : undefined;
  if (page === undefined) return undefined;
  return { takes: () => true, methods: ["GET", "HEAD"], bodyBytesMax: 0, answer: (request) => page(request, parts) };
}

async function metrics(request: HttpRequest, parts: RouteParts): Promise<HttpAnswer> {
  if (request.headers.authorization === undefined) {
    const headers = { "www-authenticate": "Bearer" };
    return { ...told(401, "Send a token: Authorization: Bearer …"), headers };
  }
  const operator = await identifyBearer(request, parts);
  if ("refused" in operator) {
    const locked = operator.refused.code === "RATE_LIMITED";
    return told(locked ? 429 : 401, operator.refused.message);
  }
  if (!hasScope(operator.scopes, "operator.read")) return told(403, "This needs the scope operator.read.");
  const headers = { "content-type": "text/plain; version=0.0.4; charset=utf-8" };
  return { status: 200, body: await parts.metrics(), headers };
}

const RETRY_SOON = { "retry-after": "1" };
const CLOSE = { connection: "close" };

const shown = (body: object): HttpAnswer => ({ status: 200, body: JSON.stringify(body) });
const told = (status: number, message: string): HttpAnswer => ({
  status,
  body: JSON.stringify({ error: { message } }),
});

/** Node leaves the body of an answer to HEAD out by itself. */
function send(response: ServerResponse, { status, body, stream, headers }: HttpAnswer): void {
  const length = status === 304 || stream !== undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  response.writeHead(status, { ...SECURITY_HEADERS, ...length, ...headers });
  if (stream === undefined) response.end(body);
  else pipeline(Readable.from(stream), response, () => undefined); // whoever asked has gone: nobody is left to be told
}
