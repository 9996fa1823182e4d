/**
 * What comes in from a channel: one event, applied once.
 *
 *   event ─▶ who is it? ──nobody, or not allowed──▶ dropped, and logged
 *              └─▶ which session? (what the place follows; else a new one) ─▶ the inbound port ─▶ outcome, stored by then
 */
import { hash } from "node:crypto";
import type { z } from "zod";
import { never } from "../core/never.ts";
import { createLanes } from "../lane/lane.ts";
import type { Clock } from "../engine/clock.ts";
import type { Engine } from "../engine/engine.ts";
import type { CardAction } from "../delivery/card.ts";
import type { Deliveries } from "../delivery/delivery.ts";
import { placeId } from "../delivery/place-id.ts";
import type { ChannelEvent, ChannelOutcome } from "../plugins/api/channel.ts";
import { canonicalJson } from "../protocol/text/canonical-json.ts";
import { CardSchema } from "../protocol/card/card-schema.ts";
import type { SessionId } from "../protocol/ids.ts";
import { Json } from "../protocol/json.ts";
import { type Refusal, refuse, type Refused } from "../protocol/refusal.ts";
import type { Place } from "../store/deliveries.ts";
import type { Store } from "../store/store.ts";
import { answerUnderKey } from "./answer-once.ts";
import { ChannelEventShape } from "./channel-event.ts";
import { type IdentityParts, identify } from "./identity.ts";
import type { Inbound } from "./inbound.ts";
import type { Sender } from "./sender.ts";

export type ChannelInboundParts = IdentityParts & {
  inbound: Inbound;
  engine: Pick<Engine, "session">;
  store: Pick<Store, "commit" | "surfaceAccount">;
  clock: Clock;
  deliveries: Pick<Deliveries, "following" | "follow" | "clicked" | "clickedSession" | "received" | "readIn">;
  /** Called when a sender is turned away, with the reason: this is the only trace that a stranger leaves. */
  turnedAway(who: { surface: string; account: string; conversation: string; personId: string; why: string }): void;
};

/** Thrown when an event could not be stored: it must not be acknowledged, and may be sent again. */
class NotStored extends Error {
  override readonly name = "NotStored";
}

/** The surface is the channel's registered name; an event cannot choose it. */
export type ReceiveEvent = (surface: string, event: ChannelEvent) => Promise<ChannelOutcome>;

export function createChannelInbound(parts: ChannelInboundParts): ReceiveEvent {
  const lanes = createLanes();
  return async (surface, given) => {
    const { data: event, error } = ChannelEventShape.safeParse(given);
    if (event === undefined) return { kind: "refused", refusal: misshapen(error) };
    const { account, conversation } = event;
    const place = { surface, account, conversation };
    return lanes.run(placeId(place), () => received(place, event, parts));
  };
}

const misshapen = (error: z.ZodError): Refusal =>
  refuse("INVALID_REQUEST", `event: ${error.issues[0]?.path.join(".") ?? ""}: ${error.issues[0]?.message ?? ""}`)
    .refused;

async function received(place: Place, event: ChannelEvent, parts: ChannelInboundParts): Promise<ChannelOutcome> {
  if (event.kind === "receipt") {
    const { messageId, state, detail = "", person } = event;
    await parts.deliveries.received({ place, messageId, state, detail, personId: person.assured ? person.id : "" });
    return { kind: "recorded" };
  }
  const actor = await identify({ ...place, person: event.person }, parts);
  if (actor === undefined) return dropped(place, event, { why: "not paired", parts });
  const by = senderOf(actor, place, event);
  const outcome =
    event.kind === "message" ? await sent(place, event, { by, parts }) : await pressed(place, event, { by, parts });
  if (outcome.kind !== "refused") return outcome;
  if (outcome.refusal.retry === true) throw new NotStored(outcome.refusal.message);
  return outcome.refusal.code === "FORBIDDEN"
    ? dropped(place, event, { why: outcome.refusal.message, parts })
    : outcome;
}

type Dropping = { why: string; parts: ChannelInboundParts };

function dropped(place: Place, { person }: ChannelEvent, { why, parts }: Dropping): ChannelOutcome {
  parts.turnedAway({ ...place, personId: person.id, why });
  return { kind: "dropped" };
}

/** A repeated event is the same request, even when the place has subscribed to another session meanwhile. */
function senderOf(actor: Sender["actor"], { surface, account }: Place, event: ChannelEvent): Sender {
  const { eventId, person: _person, ...what } = event;
  const key = `channel:${hash("sha256", JSON.stringify([surface, account, eventId]))}`;
  const requestDigest = hash("sha256", canonicalJson(Json.parse(what)));
  return { actor, idempotency: { key, requestDigest }, onChannel: true };
}

type Within = { by: Sender; parts: ChannelInboundParts };
type Message = Extract<ChannelEvent, { kind: "message" }>;
type Click = Extract<ChannelEvent, { kind: "click" }>;

async function sent(place: Place, message: Message, { by, parts }: Within): Promise<ChannelOutcome> {
  const { text, attachments, person } = message;
  const sessionId = await sessionOf(place, { by, parts });
  if (typeof sessionId !== "string") return { kind: "refused", refusal: sessionId.refused };
  // events of a place come in order: what the surface reported as read, this person had read before they wrote
  const read = text.startsWith("/") ? await parts.deliveries.readIn(place, { sessionId, personId: person.id }) : [];
  const shown = read.flatMap((payload) => CardSchema.safeParse(payload).data ?? []);
  const answer = await parts.inbound.send({ sessionId, text, attachments }, { ...by, shown });
  if ("refused" in answer) return { kind: "refused", refusal: answer.refused };
  if (answer.kind === "command") return { kind: "reply", text: answer.message };
  return { kind: "message", sessionId, messageId: answer.messageId, queued: answer.queued };
}

/** The session that the place subscribed to; a place without one, or whose session is gone, gets a new session. */
async function sessionOf(place: Place, { by, parts }: Within): Promise<SessionId | Refused> {
  const follows = await parts.deliveries.following(place);
  if (follows?.kind === "operator") return NO_TALK;
  if (follows !== undefined && (await parts.engine.session(follows.sessionId)) !== undefined) return follows.sessionId;
  const opened = await parts.inbound.open({ title: "", instance: place.account }, underKey(by, "session"));
  if (!opened.ok) return { refused: opened.refusal };
  if (opened.session === undefined) return GONE;
  const sessionId = opened.session.id;
  await parts.deliveries.follow(place, { kind: "session", sessionId });
  return sessionId;
}

const underKey = ({ actor, idempotency }: Sender, what: string): Sender =>
  idempotency === undefined
    ? { actor }
    : { actor, idempotency: { key: `${idempotency.key}#${what}`, requestDigest: what } };

const NO_TALK = refuse(
  "INVALID_REQUEST",
  "This conversation shows what waits for a person; it is no session to talk in.",
);
const GONE = refuse("SESSION_NOT_FOUND", "The session of this message was deleted.");

async function pressed(place: Place, { token, messageId }: Click, { by, parts }: Within): Promise<ChannelOutcome> {
  const { deliveries } = parts;
  const click = { place, token, messageId };
  const shownIn = await deliveries.clickedSession(click);
  const earlier = shownIn === undefined ? undefined : await answerUnderKey(shownIn, by, parts);
  if (shownIn !== undefined && earlier !== undefined) return decided(shownIn, earlier);
  const found = await deliveries.clicked(click);
  if ("refused" in found) return { kind: "refused", refusal: found.refused };
  return act(found, { by, parts });
}

const decided = (
  sessionId: SessionId,
  outcome: { ok: true; reply: Json } | { ok: false; refusal: Refusal },
): ChannelOutcome =>
  outcome.ok ? { kind: "decision", sessionId, reply: outcome.reply } : { kind: "refused", refusal: outcome.refusal };

type Acting = { sessionId: SessionId; action: CardAction };

async function act({ sessionId, action }: Acting, { by, parts: { inbound } }: Within): Promise<ChannelOutcome> {
  switch (action.kind) {
    case "set":
      return decided(sessionId, await inbound.setField({ sessionId, ...action }, by));
    case "action":
      return replied(await inbound.press({ sessionId, ...action }, by));
    case "command":
      return replied(await inbound.run({ sessionId, ...action }, by));
    default:
      return never(action);
  }
}

const replied = (answer: { message: string } | Refused): ChannelOutcome =>
  "refused" in answer ? { kind: "refused", refusal: answer.refused } : { kind: "reply", text: answer.message };
