/**
 * One attack: a gateway process with a hostile agent in several sessions at once and a hostile plugin, links that are
 * exchanged under it, and a person who approves whatever waits. Ends with what gave way, and with how often what was tried.
 */
import { fileURLToPath } from "node:url";
import type { SessionId } from "../../src/protocol/ids.ts";
import { ApprovalId } from "../../src/protocol/ids.ts";
import { pendingApproval } from "../chaos/people.ts";
import { type GatewayChild, gatewayChild } from "../kit/gateway-child.ts";
import { type WireClient, wireClient } from "../kit/wire-client.ts";
import { type BesiegedPlace, besiegedPlace } from "./besieged-place.ts";
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
    return await attack(gateway, place, seconds);
  } finally {
    await gateway?.kill();
    await place.remove();
  }
}

async function attack(gateway: GatewayChild, place: BesiegedPlace, seconds: number): Promise<SiegeReport> {
  const client = await wireClient(gateway);
  const guest = await attackByPlugin(client, place);
  const before = await remember(client, place);
  const untilMs = Date.now() + seconds * 1_000;
  const isOver = (): boolean => Date.now() >= untilMs;
  const sessions = await Promise.all([
    ...Array.from({ length: SESSIONS }, () => attackUntil(isOver, gateway)),
    attackUntil(isOver, gateway, { agentId: "cells", order: "nothing" }),
    attackUntil(isOver, gateway, { agentId: "scoped", order: "submit scoped" }),
    attackByFamily(isOver, gateway),
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

type Conversation = { agentId: string; order?: "submit" | "submit scoped" | "nothing" };
/** How often a plan is submitted until the folder that it declares is no link at that moment. */
const SUBMISSIONS_MAX = 200;

/** One conversation after the other: attacks, submits, is approved, attacks again. */
async function attackUntil(isOver: () => boolean, gateway: GatewayChild, talk: Conversation = { agentId: "main" }) {
  const { agentId, order = "submit" } = talk;
  let approved = 0;
  const client = await wireClient(gateway);
  try {
    do {
      const { session } = await client.must("sessions.create", { agentId });
      await client.must("sessions.patch", { sessionId: session.id, planMode: "plan" });
      await client.must("sessions.subscribe", { sessionId: session.id });
      await turn(client, session.id, () => client.must("chat.send", { sessionId: session.id, text: "attack" }));
      if (order === "nothing") continue;
      let waiting: string | undefined;
      for (let tries = 0; waiting === undefined && tries < SUBMISSIONS_MAX; tries++) {
        await turn(client, session.id, () => client.must("chat.send", { sessionId: session.id, text: order }));
        waiting = pendingApproval((await client.must("sessions.get", { sessionId: session.id })).session);
      }
      if (waiting === undefined) throw new Error("its plan does not wait for anybody");
      const planApproval = { action: "approve", approvalId: ApprovalId.parse(waiting) } as const;
      await turn(client, session.id, () => client.must("sessions.patch", { sessionId: session.id, planApproval }));
      approved += 1;
    } while (!isOver());
  } catch (error) {
    return { approved, broke: [`a conversation could not go on: ${String(error)}`] };
  } finally {
    client.close();
  }
  return { approved, broke: [] };
}

/** Sub-agents of sub-agents attack for a session that plans and is deleted under them. */
async function attackByFamily(isOver: () => boolean, gateway: GatewayChild) {
  const client = await wireClient(gateway);
  const broke: string[] = [];
  try {
    do {
      const { id: sessionId } = (await client.must("sessions.create", {})).session;
      await client.must("sessions.patch", { sessionId, planMode: "plan" });
      await client.must("sessions.subscribe", { sessionId });
      await turn(client, sessionId, () => client.must("chat.send", { sessionId, text: "delegate twice" }));
      await client.must("sessions.delete", { sessionId });
    } while (!isOver());
  } catch (error) {
    broke.push(`a family could not go on: ${String(error)}`);
  } finally {
    client.close();
  }
  return { approved: 0, broke };
}

/** Starts a turn and waits for its end. */
async function turn(client: WireClient, sessionId: SessionId, start: () => Promise<unknown>): Promise<void> {
  const over = Promise.withResolvers<void>();
  const forget = client.onEvent(({ event, payload }) => {
    if (event === "turn.finished" && JSON.stringify(payload).includes(sessionId)) over.resolve();
  });
  void client.closed.then(() => over.reject(new Error("the connection ended")));
  await start();
  await over.promise;
  forget();
}
