/**
 * The cookie of a browser's log-in. A browser sends cookies to every port of a host, so where there is no https the port
 * is part of the name, or two gateways on one machine would overwrite each other's.
 */
import type { IncomingHttpHeaders } from "node:http";

const COOKIES_CHARS_MAX = 8_192;
const SECRET = /^[A-Za-z0-9_-]{1,128}$/;

export type CookieName = { name: string; secure: boolean };

export function cookieName({ host, origin }: Pick<IncomingHttpHeaders, "host" | "origin">): CookieName {
  if (origin?.startsWith("https://") === true) return { name: "__Host-holdpoint", secure: true };
  return { name: `holdpoint-${/:(\d+)$/.exec(host ?? "")?.[1] ?? "80"}`, secure: false };
}

/** Undefined where there is none, and where two of one name say different things: one of them was put there. */
export function readCookie(headers: IncomingHttpHeaders): string | undefined {
  const { cookie: line = "" } = headers;
  if (line.length > COOKIES_CHARS_MAX) return undefined;
  const { name } = cookieName(headers);
  const values = line.split(";").flatMap((pair) => {
    const at = pair.indexOf("=");
    return at !== -1 && pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : [];
  });
  const [value] = values;
  return new Set(values).size === 1 && value !== undefined && SECRET.test(value) ? value : undefined;
}

/** No Domain: only the very host that set it gets it back. */
export function writeCookie({ name, secure }: CookieName, secret: string, maxAgeMs: number): string {
  const maxAge = Math.max(0, Math.floor(maxAgeMs / 1_000));
  const attributes = ["Path=/", `Max-Age=${maxAge}`, "HttpOnly", "SameSite=Strict", ...(secure ? ["Secure"] : [])];
  return [`${name}=${secret}`, ...attributes].join("; ");
}
