/**
 * Which host names a request may use for this gateway, and which pages may send requests.
 *
 * A foreign page can make a browser send requests here, either openly (visible in Origin) or under a name of its
 * own that resolves to this machine (visible in Host). The rules are deliberately simple:
 *   - Host is lower-cased and then compared as text with a closed list: localhost, 127.0.0.1, [::1] and the address we
 *     listen on, each with our port; and the configured names, with our port, their own, or none. A trailing dot,
 *     0.0.0.0, 127.1 and IPv4 inside IPv6 are other names and refused.
 *   - An absolute target (`GET http://name/`) must name a host of that list as well.
 *   - No Origin is a program, not a page: its token counts. `null` and foreign origins are refused; a page of another
 *     port on this machine is foreign.
 *   - `localhost` is a nickname: it can lead to 127.0.0.1 and to ::1, and another program of this machine may have taken
 *     our port on the one that we do not listen on. Programs may use it; a page opened by it is no page of ours, so that
 *     no log-in is ever kept under a name that another program can answer to. Configuring the name declares it safe.
 */
import type { IncomingMessage } from "node:http";

export type HostSettings = {
  host: string;
  port: number;
  allowedHosts: readonly string[];
  allowedOrigins: readonly string[];
};

export type Verdict =
  | { admitted: true; path: string; fromOwnPage: boolean; byNickname: boolean }
  | { admitted: false; status: 400 | 401 | 403 | 421; message: string };

const LOOPBACK_NAMES = ["localhost", "127.0.0.1", "[::1]"];
const EVERY_ADDRESS = new Set(["0.0.0.0", "::", "[::]", ""]);
const SECRET_NAMES = /^(?:.*(?:token|secret|password|passwd|bearer|jwt).*|auth|authorization|api[_-]?key|key)$/i;
/** A whole one, alone: the random letters of a link may well hold `hp_`. */
const TOKEN_TEXT = /(?<![A-Za-z0-9_-])hp_[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/;
const URL_CHARS_MAX = 2_048;

export function createHostCheck(settings: HostSettings): (request: IncomingMessage) => Verdict {
  const named = settings.allowedHosts.flatMap((host) => configured(host, settings.port));
  const hosts = new Set([...ownHosts(settings), ...named]);
  const nicknames = new Set(withPort("localhost", settings.port)).difference(new Set(named));
  const own = new Set([...hosts].filter((host) => !nicknames.has(host)).flatMap(bothSchemes));
  const origins = new Set([...[...hosts].flatMap(bothSchemes), ...settings.allowedOrigins.map(originOf)]);

  return (request) => {
    const target = targetOf(request.url ?? "");
    if (target === undefined) return no(400, "The request target is no address.");
    const host = hostOf(request);
    if (!hosts.has(host) || (target.host !== undefined && !hosts.has(target.host))) {
      return no(421, "This gateway is not known by that name. Use 127.0.0.1, or add the name to gateway.allowedHosts.");
    }
    const { origin } = request.headers;
    if (origin !== undefined && !origins.has(origin)) {
      return no(403, "Pages of this origin may not connect. Add it to gateway.allowedOrigins if you trust it.");
    }
    if (holdsSecret(target.path)) return no(401, "A token does not belong in an address. Send it in the request.");
    const fromOwnPage = origin !== undefined && own.has(origin);
    return { admitted: true, path: target.path, fromOwnPage, byNickname: nicknames.has(host) };
  };
}

const no = (status: 400 | 401 | 403 | 421, message: string): Verdict => ({ admitted: false, status, message });

function ownHosts({ host, port }: HostSettings): string[] {
  const own = EVERY_ADDRESS.has(host) ? [] : [host.includes(":") && !host.startsWith("[") ? `[${host}]` : host];
  return [...LOOPBACK_NAMES, ...own].flatMap((name) => withPort(name.toLowerCase(), port));
}

/** A client leaves the port out where it is the one that http means anyway. */
const withPort = (name: string, port: number): string[] => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]);

/** A configured name may stand behind a proxy, which speaks to the world on a port of its own. */
function configured(host: string, port: number): string[] {
  const name = host.toLowerCase();
  return /:\d+$/.test(name) ? [name] : [name, `${name}:${port}`];
}

const bothSchemes = (host: string): string[] => [`http://${host}`, `https://${host}`];

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url);

/** With two Host lines, a proxy in front of us may have used the other one. */
function hostOf(request: IncomingMessage): string {
  const lines = request.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host");
  return lines.length === 1 ? (request.headers.host ?? "").toLowerCase() : "";
}

function targetOf(url: string): { host?: string; path: string } | undefined {
  if (url.length > URL_CHARS_MAX) return undefined;
  if (url.startsWith("/") || url === "*") return { path: url };
  const absolute = /^http:\/\/([^/?#]*)(.*)$/i.exec(url);
  if (absolute === null) return undefined;
  const [, host = "", rest = ""] = absolute;
  return { host: host.toLowerCase(), path: rest.startsWith("/") ? rest : `/${rest}` };
}

function holdsSecret(path: string): boolean {
  if (TOKEN_TEXT.test(path)) return true;
  const query = path.indexOf("?");
  if (query === -1) return false;
  const fields = new URLSearchParams(path.slice(query + 1));
  return [...fields].some(([name, value]) => SECRET_NAMES.test(name) || TOKEN_TEXT.test(value));
}
