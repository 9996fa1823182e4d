/**
 * One attack: a gateway process with a hostile agent in several sessions at once and a hostile plugin, links that are
 * exchanged under it, and a person who approves whatever waits. Ends with what gave way, and with how often what was tried.
 */
import { fileURLToPath } from "node:url";
import { type GatewayChild, gatewayChild } from "../kit/gateway-child.ts";
import { type WireClient, wireClient } from "../kit/wire-client.ts";
import { type BesiegedPlace, besiegedPlace } from "./besieged-place.ts";
import { attackByFamily, attackByOrphans, attackUntil } from "./conversations.ts";
import { attackByPlugin } from "./hostile-guest.ts";
import type { Tried } from "./hostile-model.ts";
import { changesSince, remember } from "./inspect.ts";

const SCRIPT = fileURLToPath(new URL("gateway-process.ts", import.meta.url));
const SESSIONS = 3;

export const FLAVOURS = ["bubblewrap", "perl", "util-linux", "none"] as const;
export type Flavour = (typeof FLAVOURS)[number];

export type Siege = {
  /** Which sandbox the gateway may use; `none`: as on a machine that has none. */
  flavour: Flavour;
  seconds: number;
  seed: number;
  /** A hole to be found: commands run without a sandbox. */
  hole: boolean;
};

export type SiegeReport = {
  tried: Tried;
  /** Links that were exchanged, and plans that were approved. */
  exchanges: number;
  approved: number;
  broke: string[];
};

export async function besiege({ flavour, seconds, seed, hole }: Siege): Promise<SiegeReport> {
  const place = await besiegedPlace({ tools: { exec: { sandbox: hole ? "none" : "auto" } } });
  let gateway: GatewayChild | undefined;
  try {
    gateway = await startUnder(place, { flavour, seed, hole });
    return await attack(gateway, place, { seconds, hole });
  } finally {
    await gateway?.kill();
    await place.remove();
  }
}

type Course = Pick<Siege, "seconds" | "hole">;

async function attack(gateway: GatewayChild, place: BesiegedPlace, { seconds, hole }: Course): Promise<SiegeReport> {
  const client = await wireClient(gateway);
  const guest = await attackByPlugin(client, place);
  const before = await remember(client, place);
  const untilMs = Date.now() + seconds * 1_000;
  const by = { gateway, isOver: (): boolean => Date.now() >= untilMs };
  // families take their time, and a hole is found without them
  const families = hole ? [] : [attackByOrphans(by), attackByFamily(by, "main"), attackByFamily(by, "cells")];
  const sessions = await Promise.all([
    ...Array.from({ length: SESSIONS }, () => attackUntil(by, { agentId: "main" })),
    attackUntil(by, { agentId: "cells", order: "nothing" }),
    attackUntil(by, { agentId: "cells" }),
    attackUntil(by, { agentId: "scoped", order: "submit scoped" }),
    ...families,
  ]);
  const byPlugin = await guest.tryAll();
  await place.calm();
  const approved = sessions.reduce((sum, session) => sum + session.approved, 0);
  const alive = await Promise.race([gateway.exited, client.request("health", {}).then(() => "alive")]);
  const changed =
    alive === "alive" ? await changesSince(before, { client, place, approved }) : [`the gateway ended (${alive})`];
  const tried = await stop(gateway, client);
  const broke = [
    ...gateway.said.flatMap((message) => (message.broke === undefined ? [] : [message.broke])),
    ...sessions.flatMap((session) => session.broke),
    ...byPlugin.broke,
    ...changed,
    ...place.asked.map((line) => `a service was ${line}`),
  ];
  return {
    tried: { ...tried, ...byPlugin.tried },
    exchanges: place.exchanges(),
    approved,
    broke: [...new Set(broke)].toSorted(),
  };
}

function startUnder(place: BesiegedPlace, { flavour, seed, hole }: Omit<Siege, "seconds">): Promise<GatewayChild> {
  const { home, workspace, person, outside, sockets, abstractName, environmentTrace } = place;
  const orders = { person, outside, sockets, abstractName, seed, isEnclosed: !hole };
  return gatewayChild({
    home,
    workspace,
    script: SCRIPT,
    env: {
      HOME: person,
      HOLDPOINT_SANDBOX: flavour,
      ATTACK_ORDERS: JSON.stringify(orders),
      ATTACKED_API_KEY: environmentTrace,
    },
  });
}

/** Asks it what it tried, and ends it. */
async function stop(gateway: GatewayChild, client: WireClient): Promise<Tried> {
  client.close();
  const told = gateway.next("tried").catch(() => ({ tried: {} }));
  gateway.signal("SIGTERM");
  const { tried = {} } = await told;
  await gateway.exited;
  return tried;
}
