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
import type { CardAction } from "../delivery/card.ts";
import type { Deliveries } from "../delivery/delivery.ts";
import { placeId } from "../delivery/place-id.ts";
import type { ChannelEvent, ChannelOutcome } from "../plugins/api/channel.ts";
import { canonicalJson } from "../protocol/text/canonical-json.ts";
import { CardSchema } from "../protocol/card/card-schema.ts";
import type { SessionId } from "../protocol/ids.ts";
import { Json } from "../protocol/json.ts";
import { MESSAGE_CHARS_MAX } from "../protocol/session.ts";
import { type Refusal, refuse, type Refused } from "../protocol/refusal.ts";
import type { Place } from "../store/deliveries.ts";
import type { Store } from "../store/store.ts";
import { TYPED_CODE } from "../plugins/button-code.ts";
import { answerUnderKey } from "./answer-once.ts";
import { ChannelEventShape, EventSender } from "./channel-event.ts";
import { type ConversationParts, sessionOf } from "./conversation-session.ts";
import { type IdentityParts, identify } from "./identity.ts";
import type { Inbound } from "./inbound.ts";
import { lackingScopes } from "./lacking-scopes.ts";
import type { Sender } from "./sender.ts";

export type ChannelInboundParts = IdentityParts &
  ConversationParts & {
    inbound: Inbound;
    store: Pick<Store, "commit" | "surfaceAccount" | "channelNote" | "saveChannelNote">;
    deliveries: Pick<Deliveries, "clicked" | "clickedSession" | "codeTyped" | "received" | "readIn">;
    /** Notes somebody unknown who asks to be paired, and says what to tell them; undefined where nobody is taken. */
    askToPair?(person: { place: Place; personId: string; name: string }): Promise<string | undefined>;
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
    if (event === undefined) return misshapen(surface, { given, error }, parts);
    const { account, conversation } = event;
    const place = { surface, account, conversation };
    return lanes.run(placeId(place), () => received(place, event, parts));
  };
}

type Misshapen = { given: ChannelEvent; error: z.ZodError };

/** Only somebody known is told what is wrong with it: a stranger learns not even that somebody listens. */
async function misshapen(
  surface: string,
  { given, error }: Misshapen,
  parts: ChannelInboundParts,
): Promise<ChannelOutcome> {
  const { data: from } = EventSender.safeParse(given);
  if (from === undefined) return { kind: "dropped" };
  const { account, person } = from;
  const why = whatIsWrong(given, error);
  if ((await identify({ surface, account, person }, parts)) !== undefined) return { kind: "refused", refusal: why };
  parts.turnedAway({ surface, account, conversation: "", personId: person.id, why: "not paired" });
  return { kind: "dropped" };
}

function whatIsWrong(given: ChannelEvent, error: z.ZodError): Refusal {
  const text = "text" in given && typeof given.text === "string" ? given.text : "";
  if (text.length > MESSAGE_CHARS_MAX)
    return refuse(
      "INVALID_REQUEST",
      `Your message has ${text.length} characters; at most ${MESSAGE_CHARS_MAX} are taken. Send it in parts.`,
    ).refused;
  const [issue] = error.issues;
  return refuse("INVALID_REQUEST", `event: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`).refused;
}

async function received(place: Place, event: ChannelEvent, parts: ChannelInboundParts): Promise<ChannelOutcome> {
  if (event.kind === "receipt") {
    const { messageId, state, detail = "", person } = event;
    await parts.deliveries.received({ place, messageId, state, detail, personId: person.assured ? person.id : "" });
    return { kind: "recorded" };
  }
  const actor = await identify({ ...place, person: event.person }, parts);
  if (actor === undefined) return unknownPerson(place, event, parts);
  const by = senderOf(actor, place, event);
  const outcome = await applied(place, event, { by, parts });
  if (outcome.kind !== "refused") return outcome;
  if (outcome.refusal.retry === true) throw new NotStored(outcome.refusal.message);
  return outcome.refusal.code === "FORBIDDEN"
    ? dropped(place, event, { why: outcome.refusal.message, parts })
    : outcome;
}

/** Silence, except for who asks to be paired where nobody else reads. */
async function unknownPerson(place: Place, event: ChannelEvent, parts: ChannelInboundParts): Promise<ChannelOutcome> {
  const { person, direct } = event;
  if (event.kind === "message" && direct === true && PAIR.test(event.text)) {
    const text = await parts.askToPair?.({ place, personId: person.id, name: person.name ?? "" });
    if (text !== undefined) return { kind: "reply", text };
  }
  return dropped(place, event, { why: "not paired", parts });
}

/** `/start` is what Telegram sends for whoever opens a conversation with a bot. */
const PAIR = /^\/(?:pair|start)(?:@\S*)?$/i;

async function applied(place: Place, event: Message | Click, within: Within): Promise<ChannelOutcome> {
  if (event.kind === "click") return pressed(place, event, within);
  const { person, direct, text } = event;
  const [, code, words = ""] = (person.assured || direct !== true ? null : TYPED_CODE.exec(text)) ?? [];
  return code === undefined ? sent(place, event, within) : typedCode(place, { ...event, code, words }, within);
}

/** Of these in a row, and the codes of the place are worth nothing for a while. */
const WRONG_CODES_MAX = 5;
const LOCKED_MS = 3_600_000;

/**
 * Whoever types the code of a button has received the card, so it counts as the press of the person whose conversation
 * this is (CH-12). A code that was given away, or is guessed, is the risk of such channels; five wrong ones lock them.
 */
async function typedCode(
  place: Place,
  message: Message & { code: string; words: string },
  { by, parts }: Within,
): Promise<ChannelOutcome> {
  const { code, words } = message;
  const { store, clock, deliveries } = parts;
  const { surface, account, conversation } = place;
  const note = { surface, account, key: `wrong-codes:${conversation}` };
  const noted = await store.channelNote(note);
  const wrong = noted !== undefined && (noted.untilMs ?? 0) > clock.now() ? Number(noted.value) : 0;
  if (wrong >= WRONG_CODES_MAX) return dropped(place, message, { why: "too many wrong codes", parts });
  const found = await deliveries.codeTyped({ place, code });
  if (found === undefined) {
    await store.saveChannelNote({ ...note, value: String(wrong + 1), untilMs: clock.now() + LOCKED_MS });
    return dropped(place, message, { why: "a wrong code", parts });
  }
  if ("refused" in found) return { kind: "refused", refusal: found.refused };
  await store.saveChannelNote({ ...note, value: null, untilMs: null });
  const proven = await identify({ ...place, person: { ...message.person, assured: true } }, parts);
  if (proven === undefined) return dropped(place, message, { why: "not paired", parts });
  return withWords(found, { code, words }) ?? act(found, words, { by: { ...by, actor: proven }, parts });
}

/** Nobody can be asked for words where a reply names no question, and words that nobody asked for may mean something else. */
function withWords({ action }: Acting, { code, words }: { code: string; words: string }): ChannelOutcome | undefined {
  if (action.kind === "set-text" && words === "")
    return { kind: "reply", text: `${action.label} Type it behind the code: ${code.toUpperCase()} …` };
  if (action.kind === "set-text" || words === "") return undefined;
  return { kind: "refused", refusal: refuse("INVALID_REQUEST", "This code takes no words. Type it alone.").refused };
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
  const found = await sessionOf(place, message, { by, parts });
  if ("refused" in found) return { kind: "refused", refusal: found.refused };
  const { sessionId, creates } = found;
  // events of a place come in order: what the surface reported as read, this person had read before they wrote
  const read = text.startsWith("/") ? await parts.deliveries.readIn(place, { sessionId, personId: person.id }) : [];
  const shown = read.flatMap((payload) => CardSchema.safeParse(payload).data ?? []);
  const answer = await parts.inbound.send({ sessionId, text, attachments, creates }, { ...by, shown });
  if ("refused" in answer) return { kind: "refused", refusal: answer.refused };
  if (answer.kind === "command") return { kind: "reply", text: answer.message };
  return { kind: "message", sessionId, messageId: answer.messageId, queued: answer.queued };
}

async function pressed(
  place: Place,
  { token, messageId, text = "" }: Click,
  { by, parts }: Within,
): Promise<ChannelOutcome> {
  const { deliveries } = parts;
  const click = { place, token, messageId };
  const shownIn = await deliveries.clickedSession(click);
  const earlier = shownIn === undefined ? undefined : await answerUnderKey(shownIn, by, parts);
  if (shownIn !== undefined && earlier !== undefined) return decided(shownIn, earlier);
  const found = await deliveries.clicked(click);
  if ("refused" in found) return { kind: "refused", refusal: found.refused };
  return act(found, text, { by, parts });
}

const decided = (
  sessionId: SessionId,
  outcome: { ok: true; reply: Json } | { ok: false; refusal: Refusal },
): ChannelOutcome =>
  outcome.ok ? { kind: "decision", sessionId, reply: outcome.reply } : { kind: "refused", refusal: outcome.refusal };

type Acting = { sessionId: SessionId; action: CardAction };

async function act(
  { sessionId, action }: Acting,
  text: string,
  { by, parts: { inbound } }: Within,
): Promise<ChannelOutcome> {
  switch (action.kind) {
    case "set-text": {
      const { field, value, textField, charsMax, label, scope } = action;
      const lacking = lackingScopes(field, [scope], by.actor.scopes);
      if (lacking !== undefined) return { kind: "refused", refusal: lacking.refused };
      if (text === "") return { kind: "asks", label, charsMax };
      return decided(
        sessionId,
        await inbound.setField({ sessionId, field, value: { ...value, [textField]: text } }, by),
      );
    }
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
