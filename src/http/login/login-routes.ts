/** `/auth/…`: the routes by which a browser logs in and out. Only our own page may use them. */
import type { z } from "zod";
import { LOGINS, type LoginPath } from "../../protocol/wire/login.ts";
import { type Refusal, refuse, type Refused } from "../../protocol/refusal.ts";
import { describeError } from "../describe-error.ts";
import type { GuessLimit } from "../guess-limit.ts";
import type { HttpAnswer, HttpRequest, HttpRoute } from "../http-route.ts";
import { cookieName, readCookie, writeCookie } from "./cookie.ts";
import type { LoggedIn, Logins, NotLoggedIn } from "./logins.ts";

const BODY_BYTES_MAX = 1_024;

type Parts = { logins: Logins; guesses: GuessLimit; now(): number };
type Work = (request: HttpRequest, parts: Parts) => Promise<HttpAnswer>;

export function createLoginRoute(parts: { logins: Logins; guesses: GuessLimit; wallClock(): number }): HttpRoute {
  const inner = { ...parts, now: parts.wallClock };
  return {
    takes: (path) => path.startsWith("/auth/"),
    methods: ["POST"],
    bodyBytesMax: BODY_BYTES_MAX,
    async answer(request) {
      const work = Object.hasOwn(ROADS, request.path) ? ROADS[request.path] : undefined;
      if (work === undefined) return told(404, refuse("INVALID_REQUEST", "There is nothing here."));
      const stranger = notOurPage(request);
      return stranger ?? work(request, inner);
    },
  };
}

const ROADS: Readonly<Record<string, Work>> = {
  "/auth/exchange": exchange,
  "/auth/tab": openTab,
  "/auth/logout": logout,
} satisfies Record<LoginPath, Work>;

/**
 * A browser says where a request comes from, and a page cannot change what it says. Programs can; they have no cookie.
 */
export function notOurPage({ headers, fromOwnPage }: HttpRequest): HttpAnswer | undefined {
  const site = headers["sec-fetch-site"];
  if (!fromOwnPage || (site !== undefined && site !== "same-origin")) {
    return told(403, refuse("FORBIDDEN", "Only the page of this gateway may ask this."));
  }
  if (!/^application\/json(?:; ?charset=utf-8)?$/i.test(headers["content-type"] ?? "")) {
    return told(415, refuse("INVALID_REQUEST", "Send JSON: Content-Type: application/json."));
  }
  return undefined;
}

async function exchange(request: HttpRequest, { logins, guesses, now }: Parts): Promise<HttpAnswer> {
  const body = bodyOf(request, LOGINS["/auth/exchange"].request);
  if ("refused" in body) return told(400, body);
  const userAgent = request.headers["user-agent"] ?? "";
  const found = await logins.exchange({ code: body.code, cookie: readCookie(request.headers), userAgent });
  if ("refused" in found) return told(503, found);
  if ("notLoggedIn" in found) return wrong(request.peer, guesses) ?? told(401, USED_UP);
  guesses.right(request.peer);
  const { cookie, browserSecret, tabSecret, operator, expiresAtMs } = found;
  const set = writeCookie(cookieName(request.headers), cookie, expiresAtMs - now());
  return shown({ browserSecret, tabSecret, operator, expiresAtMs }, set);
}

async function openTab(request: HttpRequest, { logins, guesses, now }: Parts): Promise<HttpAnswer> {
  const body = bodyOf(request, LOGINS["/auth/tab"].request);
  if ("refused" in body) return told(400, body);
  const cookie = readCookie(request.headers);
  if (cookie === undefined) return told(401, NOT_LOGGED_IN);
  const found = await logins.openTab({ cookie, browserSecret: body.browserSecret });
  if ("refused" in found) return told(503, found);
  if ("notLoggedIn" in found) return notLoggedIn(found, request, guesses);
  const { tabSecret, operator, expiresAtMs }: LoggedIn = found;
  return shown(
    { tabSecret, operator, expiresAtMs },
    writeCookie(cookieName(request.headers), cookie, expiresAtMs - now()),
  );
}

async function logout(request: HttpRequest, { logins, guesses }: Parts): Promise<HttpAnswer> {
  const body = bodyOf(request, LOGINS["/auth/logout"].request);
  if ("refused" in body) return told(400, body);
  const cookie = readCookie(request.headers);
  if (cookie === undefined) return told(401, NOT_LOGGED_IN);
  const failed = await logins.logout({ cookie, browserSecret: body.browserSecret });
  if (failed === undefined) return shown({}, forgotten(request));
  return "refused" in failed ? told(503, failed) : notLoggedIn(failed, request, guesses);
}

const forgotten = ({ headers }: HttpRequest): string => writeCookie(cookieName(headers), "", 0);

function notLoggedIn({ notLoggedIn: why }: NotLoggedIn, request: HttpRequest, guesses: GuessLimit): HttpAnswer {
  return (why === "guess" ? wrong(request.peer, guesses) : undefined) ?? told(401, NOT_LOGGED_IN);
}

/** Counts a guess, or says how long to wait. It comes after the look at the secret, so a valid one is never kept out. */
function wrong(peer: string, guesses: GuessLimit): HttpAnswer | undefined {
  const waitMs = guesses.waitMs(peer);
  if (waitMs > 0) return tooManyGuesses(waitMs);
  guesses.wrong(peer);
  return undefined;
}

export function bodyOf<Schema extends z.ZodType>({ body }: HttpRequest, schema: Schema): z.output<Schema> | Refused {
  const given = parsed(body);
  const read = schema.safeParse(given);
  return read.success ? read.data : refuse("INVALID_REQUEST", describeError(read.error, given, "body").message);
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined; // what is not JSON does not fit the schema either; the answer says so
  }
}

const USED_UP = refuse(
  "UNAUTHENTICATED",
  "This link was used already, or is too old. Make another in the terminal: holdpoint link",
);
const NOT_LOGGED_IN = refuse(
  "UNAUTHENTICATED",
  "This browser is not logged in. Make a link for it in the terminal: holdpoint link",
);

export function tooManyGuesses(waitMs: number): HttpAnswer {
  const { refused } = refuse("RATE_LIMITED", "Too many wrong secrets came from this address. Wait, then try again.", {
    retryAfterMs: Math.ceil(waitMs),
  });
  const headers = { "retry-after": String(Math.ceil(waitMs / 1_000)) };
  return { ...told(429, { refused: { ...refused, retry: true } }), headers };
}

export const told = (status: number, { refused }: { refused: Refusal }): HttpAnswer => ({
  status,
  body: JSON.stringify({ error: refused }),
});

const shown = (body: object, cookie: string): HttpAnswer => ({
  status: 200,
  body: JSON.stringify(body),
  headers: { "set-cookie": cookie },
});
