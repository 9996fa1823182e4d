/** The configuration as it may be shown. */
import { Json } from "../protocol/json.ts";
import type { Config } from "./config.ts";

const MASK = "***";

/** A copy without secrets: the password of the store's address, what MCP servers are handed, and tokens of channels. */
export function withoutSecrets(config: Config): Json {
  const { store, mcp, channels } = config;
  const shown = {
    ...config,
    store: store.kind === "postgres" ? { ...store, url: maskUrl(store.url) } : store,
    mcp: { ...mcp, servers: mapValues(mcp.servers, maskServer) },
    channels: mapValues(channels, maskAccount),
  };
  return Json.parse(JSON.parse(JSON.stringify(shown)));
}

const mapValues = <From, To>(table: Readonly<Record<string, From>>, map: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(table).map(([name, value]) => [name, map(value)]));

/** A value that only names a secret, as in ${ACME_TOKEN}, is none itself. */
const maskValue = (value: string): string => (/^[^${}]{0,16}\$\{[A-Za-z_][A-Za-z0-9_]*\}$/.test(value) ? value : MASK);

type Server = Config["mcp"]["servers"][string];
const maskServer = (server: Server): Server =>
  "url" in server
    ? { ...server, url: maskUrl(server.url), headers: mapValues(server.headers, maskValue) }
    : { ...server, args: server.args.map(maskArgument), env: mapValues(server.env, maskValue) };

/** What is named like a secret; one that only names a secret is none itself. */
const maskAccount = (account: Config["channels"][string]): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(account).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === "string" && SECRET_NAME.test(name) ? maskValue(value) : value,
    ]),
  );

/** `--token x`, `--api-key=x`: the value of an option that is named like a secret. */
const SECRET_OPTION = /^--?[\w-]*(?:pass(?:word|wd|phrase)?|secret|token|key)$/i;
function maskArgument(given: string, at: number, all: readonly string[]): string {
  if (SECRET_OPTION.test(all[at - 1] ?? "") && !given.startsWith("-")) return maskValue(given);
  const [, name = "", value = ""] = /^([^=]+)=(.+)$/s.exec(given) ?? [];
  return SECRET_OPTION.test(name) ? `${name}=${maskValue(value)}` : given;
}

function maskUrl(text: string): string {
  if (!URL.canParse(text)) return MASK; // unreadable: the secret could be anywhere in it
  const url = new URL(text);
  if (url.password !== "") url.password = MASK;
  for (const name of url.searchParams.keys().toArray()) {
    if (/pass|secret|token|key$/i.test(name)) url.searchParams.set(name, MASK);
  }
  return url.href;
}

const SECRET_NAME = /pass|secret|token|credential|(?:^|_|[a-z])key$/i;

/**
 * What plugins are configured with is known to them alone: without `plugins` none of it is shown, with it what is not
 * named like a secret.
 */
export function withoutPluginSecrets(value: Json, path: readonly string[], show: { plugins: boolean }): Json {
  const isPluginConfig = path[0] === "plugins" && path.includes("config");
  const isSecret =
    isPluginConfig && (!show.plugins || (SECRET_NAME.test(path.at(-1) ?? "") && typeof value !== "object"));
  if (value !== null && isSecret) return MASK;
  const inside = (key: string, item: Json): Json => withoutPluginSecrets(item, [...path, key], show);
  if (Array.isArray(value)) return value.map((item, at) => inside(String(at), item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inside(key, item)]));
}

/** Whether a value is masked as it was shown: writing it back would overwrite the secret. */
export function isMasked(value: Json): boolean {
  if (typeof value === "string") return /(?:^|:|=)\*{3}(?:$|@|&)/.test(value);
  return value !== null && typeof value === "object" && Object.values(value).some(isMasked);
}
