/**
 * Where one request may go: an address of the web → the host, its checked addresses, and nothing else. Asked again for
 * every redirect, because a page may send its reader anywhere.
 */
import { isIP } from "node:net";
import { isPublicAddress } from "./address.ts";

export const URL_CHARS_MAX = 2_048;
const ADDRESSES_MAX = 16;
/** Names that never mean a public host; they are not even looked up. */
const INSIDE_NAME = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa|onion)$/;

export type WebRules = {
  /** When not empty, only these hosts and what lies below them. */
  hosts: readonly string[];
  /** `host:port` that may be reached although it is not public. */
  privateHosts: readonly string[];
  ports: readonly number[];
};

/** Names → addresses. Tests hand one in. */
export type Resolver = (host: string) => Promise<string[]>;

export type Destination = {
  url: URL;
  /** Without brackets or a dot at its end. */
  host: string;
  port: number;
  /** All of them checked; one of these is connected to, and nothing is looked up again. */
  addresses: string[];
};

export type Judged = { ok: true; destination: Destination } | { ok: false; error: string };

const no = (error: string): Judged => ({ ok: false, error });

/** Without a look at the network: whether this is a web address at all, and of a host that may be named. */
export function parseDestination(given: string, rules: WebRules): Omit<Destination, "addresses"> | { error: string } {
  if (given.length > URL_CHARS_MAX) return { error: `The address has more than ${URL_CHARS_MAX} characters.` };
  const url = URL.parse(given);
  if (url === null) return { error: "That is no web address. Write it like https://example.org/page." };
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return { error: `Only http and https can be fetched, not ${url.protocol.slice(0, 20)}` };
  if (url.username !== "" || url.password !== "") return { error: "An address with a user name in it is not fetched." };
  const host = plainHost(url.hostname);
  if (host === "") return { error: "The address names no host." };
  if (
    rules.hosts.length > 0 &&
    !isException(host, portOf(url), rules) &&
    !rules.hosts.some((allowed) => isBelow(host, allowed))
  )
    return { error: `The gateway's settings do not allow fetching from ${host}.` };
  return { url, host, port: portOf(url) };
}

/** The URL parser has already turned 0x7f.1, 2130706433 and full-width digits into 127.0.0.1. */
const plainHost = (hostname: string): string =>
  hostname
    .replace(/^\[|\]$/g, "")
    .replace(/\.+$/, "")
    .toLowerCase();
const portOf = (url: URL): number => (url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port));
const isBelow = (host: string, allowed: string): boolean => {
  const name = plainHost(allowed);
  return host === name || host.endsWith(`.${name}`);
};

/** Named in the settings as an exception, port included. */
export const isException = (host: string, port: number, { privateHosts }: WebRules): boolean =>
  privateHosts.some((exception) => exception.toLowerCase() === `${host}:${port}`);

/** `exceptions`: whether the private hosts of the settings count, which they do not for a call that only reads. */
export async function judgeDestination(
  given: string,
  { rules, resolve, exceptions }: { rules: WebRules; resolve: Resolver; exceptions: boolean },
): Promise<Judged> {
  const parsed = parseDestination(given, rules);
  if ("error" in parsed) return no(parsed.error);
  const { host, port } = parsed;
  const excepted = exceptions && isException(host, port, rules);
  if (!excepted && !rules.ports.includes(port)) return no(`Port ${port} is not one that may be fetched from.`);
  if (!excepted && isInsideName(host)) return no(INSIDE(host));
  const addresses = isIP(host) === 0 ? await lookUp(host, resolve) : [host];
  if (addresses.length === 0) return no(`The host ${host} could not be found.`);
  // one bad address among good ones is a trick, not an accident
  if (!excepted && !addresses.every(isPublicAddress)) return no(INSIDE(host));
  return { ok: true, destination: { ...parsed, addresses } };
}

const INSIDE = (host: string): string =>
  `${host} is not on the public web, and only that may be fetched. Ask the person if you need it.`;

const isInsideName = (host: string): boolean => isIP(host) === 0 && (INSIDE_NAME.test(host) || !host.includes("."));

async function lookUp(host: string, resolve: Resolver): Promise<string[]> {
  try {
    return (await resolve(host)).slice(0, ADDRESSES_MAX);
  } catch {
    return []; // whatever the reason, there is nothing to connect to
  }
}
