/** Where the page is, as the configuration says at the moment, and whether it is ours alone under that name. */
import type { Config } from "../config/config.ts";
import type { LoopbackStatus } from "../http/loopback-twin.ts";
import type { HttpServer } from "../http/server.ts";
import { type PageAddress, pageAddress, usesPresence } from "../gateway/presence/page-address.ts";
import type { State } from "./state.ts";

export type PagePlace = {
  address(): PageAddress;
  /** Host names under which requests are taken; the same array while nothing changes. */
  allowedHosts(): string[];
  /** Follows the configuration from here on, and holds `localhost` where the page needs that name. */
  follow(server: Pick<HttpServer, "port" | "holdLocalhost">): Promise<() => void>;
  /** What an operator should know. */
  notes(): string[];
};

export function createPagePlace({ config, log }: Pick<State, "config" | "log">): PagePlace {
  let port: number | undefined;
  let localhost: LoopbackStatus | undefined;
  let allowed: { config: Config; localhost: LoopbackStatus | undefined; hosts: string[] } | undefined;

  const wanted = (): PageAddress => {
    const { host, port: asked } = config.current().gateway;
    return pageAddress(config.current(), { host, port: port ?? asked });
  };
  /** Under `localhost` only while nobody else can answer to it. */
  const isOurs = ({ rpId }: PageAddress): boolean =>
    rpId !== undefined && (rpId !== "localhost" || localhost === "held" || localhost === "absent");

  function address(): PageAddress {
    const found = wanted();
    return isOurs(found) ? found : { origin: found.origin };
  }

  async function hold(server: Pick<HttpServer, "holdLocalhost">): Promise<void> {
    if (wanted().rpId === "localhost") localhost = await server.holdLocalhost();
  }

  const report = (error: unknown): void => log.error({ err: error }, "localhost could not be held");

  return {
    address,
    allowedHosts() {
      const now = config.current();
      if (allowed?.config === now && allowed.localhost === localhost) return allowed.hosts;
      const found = wanted();
      const named = isOurs(found) ? [new URL(found.origin).host] : [];
      allowed = { config: now, localhost, hosts: [...now.gateway.allowedHosts, ...named] };
      return allowed.hosts;
    },
    async follow(server) {
      ({ port } = server);
      allowed = undefined;
      await hold(server);
      return config.onChange(({ kind }) => kind === "applied" && void hold(server).catch(report));
    },
    notes() {
      if (!usesPresence(config.current()) || address().rpId !== undefined) return [];
      return localhost === "taken" ? [TAKEN] : [NO_NAME];
    },
  };
}

const NO_NAME =
  "approvals.presence asks for passkeys, which need a page with a name: set gateway.pageAddress to https://… or http://localhost:PORT. Until then nothing can be approved.";
const TAKEN =
  "approvals.presence asks for passkeys, but another program answers at localhost on this port: end it, or choose another gateway.port. Until then nothing can be approved.";
