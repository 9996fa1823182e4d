/**
 * The address under which people open the page, and the name that passkeys are made for. Browsers make none for an
 * address in numbers, and none without https, except for `localhost` (docs/adr/0026).
 */
import { isIP } from "node:net";
import type { Config } from "../../config/config.ts";
import { localized } from "../../protocol/localized/localized-text.ts";
import { refuse, type Refused } from "../../protocol/refusal.ts";

/** `rpId`: absent where passkeys cannot work under this address. */
export type PageAddress = { origin: string; rpId?: string };

type Served = { host: string; port: number };

export function pageAddress(config: Config, { host, port }: Served): PageAddress {
  const { pageAddress: configured } = config.gateway;
  if (configured !== undefined) return named(new URL(configured));
  if (usesPresence(config) && isLoopback(host)) return named(new URL(`http://localhost:${port}`));
  return { origin: `http://${host.includes(":") ? `[${host}]` : host}:${port}` };
}

function named({ origin, hostname, protocol }: URL): PageAddress {
  const isName = isIP(hostname.replace(/^\[|\]$/g, "")) === 0;
  const isSafe = protocol === "https:" || hostname === "localhost";
  return isName && isSafe ? { origin, rpId: hostname } : { origin };
}

const isLoopback = (host: string): boolean => host === "localhost" || host === "::1" || host.startsWith("127.");

/** Whether any level of the configuration asks for passkeys. */
export function usesPresence({ approvals, agents, bindings }: Config): boolean {
  const levels = [agents.defaults, ...agents.list, ...bindings].map(({ planMode }) => planMode?.approvals);
  return [approvals, ...levels].some((rules) => rules?.presence !== undefined && rules.presence !== "none");
}

/** Why no passkey can be made or given there. */
export const refuseNameless = ({ origin }: PageAddress): Refused =>
  refuse("PRESENCE_INVALID", localized("presenceNoName", { port: /:(\d+)$/.exec(origin)?.[1] ?? "443" }));
