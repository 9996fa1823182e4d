/**
 * Connects plugins' channels to the gateway: each starts when its plugin is enabled and stops when it is disabled.
 * Their events go through the inbound port; what people there should see goes through delivery.
 */
import { hostname } from "node:os";
import { createDelivery, type Deliveries } from "../delivery/delivery.ts";
import type { Undelivered } from "../delivery/delivery-parts.ts";
import { createChannelInbound } from "../inbound/channel-inbound.ts";
import { type IdentityParts, mayWrite } from "../inbound/identity.ts";
import type { Inbound } from "../inbound/inbound.ts";
import type { ChannelFollows, ChannelIo, ChannelPlace } from "../plugins/api/channel.ts";
import { PLAN_MODE_SLICE } from "../plan-mode/machine/gate.ts";
import { OperatorId, SessionId } from "../protocol/ids.ts";
import type { Follows } from "../store/deliveries.ts";
import { every } from "../engine/every.ts";
import type { ComposedEngine } from "./engine.ts";
import type { State } from "./state.ts";
import type { Tokens } from "../gateway/tokens.ts";
import { createAccountHolds } from "../gateway/channels/account-holds.ts";
import { createChannelCards } from "../gateway/channels/channel-cards.ts";
import type { Pairing } from "../gateway/channels/pairing.ts";
import { createRunningChannels } from "../gateway/channels/running-channels.ts";
import { textOf } from "../gateway/channels/text-of.ts";

/** With several gateways on one store, subscriptions made through another gateway are looked for this often. */
const SHARED_LOOK_EVERY_MS = 30_000;

/** How long what is being sent may take before its connection is closed under it. */
const SENT_MS_MAX = 2_000;
/** Enough of a node's name to find it in the log. */
const NODE_CHARS = 13;

export type Channels = {
  /** Deliveries that need an operator's attention. */
  notes(): string[];
  start(): Promise<void>;
  stop(): Promise<void>;
};

export type ChannelsParts = {
  state: State;
  machine: ComposedEngine;
  inbound: Inbound;
  tokens: Tokens;
  node: string;
  pairing: Pairing;
  pageOf(sessionId: SessionId): string | undefined;
};

export function openChannels({ state, machine, inbound, tokens, node, pairing, pageOf }: ChannelsParts): Channels {
  const { store, clock, log } = state;
  const { engine, host, shared } = machine;
  const report = (error: unknown, subscriber?: string): void =>
    log.warn({ err: error, subscriber }, "a delivery met a failure; it will be tried again");
  const deliveries = createDelivery({
    store,
    engine,
    clock,
    node,
    shared,
    ...createChannelCards(engine),
    textOf,
    channel: (surface) => host.channels.get(surface)?.channel,
    undelivered: tellSession(engine, report),
    report,
  });
  const identity: IdentityParts = {
    store,
    operator: (id) => tokens.operator(id),
    admits: ({ account }, operator) => isAdmitted(operator, state.config.current().channels[account]?.operators),
  };
  const receive = createChannelInbound({
    ...identity,
    inbound,
    engine,
    store,
    clock,
    deliveries,
    askToPair: (person) => pairing.ask(person),
    turnedAway: (who) => log.warn(who, "turned away: what a channel brought was not applied"),
  });
  const name = `${hostname()}:${process.pid} (${node.slice(0, NODE_CHARS)})`;
  const hold = createAccountHolds({ store, clock, node: { id: node, name }, shared, report });
  const running = createRunningChannels({
    clock,
    ioFor: (surface) => ({
      receive: (event) => receive(surface, event),
      mayWrite: (account, person) => mayWrite({ surface, account, person }, identity),
      ...followingOf(surface, deliveries),
      notes: notesOf(surface, state),
      hold: (account) => hold({ surface, account }),
      resume: () => deliveries.wake(surface),
      pageOf,
    }),
    failed: (pluginId, error) => host.failed(pluginId, error),
    started: (surface) => deliveries.wake(surface),
  });
  const reconcile = (): void => running.reconcile(host.channels);
  const stops = [host.onChange(reconcile)];
  if (shared) stops.push(every(state, SHARED_LOOK_EVERY_MS, () => void deliveries.start().catch(report)));
  return {
    notes: deliveries.notes,
    async start() {
      await deliveries.start();
      reconcile();
    },
    async stop() {
      for (const stop of stops) stop();
      // what is being sent is recorded before another gateway takes the accounts over
      const sent = deliveries.stop();
      await Promise.race([sent, new Promise((resolve) => setTimeout(resolve, SENT_MS_MAX).unref())]);
      await Promise.all([running.stop(), sent]);
    },
  };
}

/** What waits learns that a place was not reached; whatever does not wait any more refuses it. */
const tellSession =
  ({ dispatch }: Pick<ComposedEngine["engine"], "dispatch">, report: (error: unknown) => void) =>
  ({ sessionId, cardId, placeId, why }: Undelivered): void => {
    const command = { type: "undelivered", approvalId: cardId, place: placeId, why };
    const by = { actor: { kind: "system", reason: "delivery" } } as const;
    void dispatch(sessionId, { type: "slice.apply", slice: PLAN_MODE_SLICE, command }, by).catch(report);
  };

function followingOf(surface: string, deliveries: Deliveries): Pick<ChannelIo, "follow" | "unfollow"> {
  const placed = ({ account, conversation }: ChannelPlace) => ({ surface, account, conversation });
  return {
    follow: (place, follows) => deliveries.follow(placed(place), followsOf(follows)),
    unfollow: (place) => deliveries.unfollow(placed(place)),
  };
}

/** An empty list means nobody. */
const isAdmitted = ({ id, name }: { id: string; name: string }, operators: readonly string[] | undefined): boolean =>
  operators === undefined || operators.includes(id) || operators.includes(name);

function notesOf(surface: string, { store, clock }: Pick<State, "store" | "clock">): ChannelIo["notes"] {
  return {
    async get(account, key) {
      const note = await store.channelNote({ surface, account, key });
      return note === undefined || (note.untilMs !== null && note.untilMs <= clock.now()) ? undefined : note.value;
    },
    async set(account, key, note) {
      const change = { surface, account, key, value: note?.value ?? null, untilMs: note?.untilMs ?? null };
      const { status } = await store.saveChannelNote(change);
      if (status !== "committed") throw new Error(`a note of ${surface} was not stored: ${status}`);
    },
    async add(account, key, { value, untilMs = null }) {
      const { status } = await store.saveChannelNote({ surface, account, key, value, untilMs, expected: null });
      if (status === "failed") throw new Error(`a note of ${surface} was not stored`);
      return status === "committed";
    },
  };
}

const followsOf = (follows: ChannelFollows): Follows =>
  "sessionId" in follows
    ? { kind: "session", sessionId: SessionId.parse(follows.sessionId) }
    : {
        kind: "operator",
        operatorId: OperatorId.parse(follows.operatorId),
        ...(follows.level === undefined ? {} : { level: follows.level }),
      };
