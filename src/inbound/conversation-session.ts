/**
 * Which session a conversation talks in.
 *
 *   what the place follows is there ─▶ that one
 *   else a message ─▶ the place follows a new id ─▶ the message creates the session under it
 *   else a command ─▶ a session is created ─▶ the place follows it ─▶ the command is run
 *
 * Of several gateways one wins, and the others go on with the id that won (ADR 0068).
 */
import type { Clock } from "../engine/clock.ts";
import type { Engine } from "../engine/engine.ts";
import type { Deliveries } from "../delivery/delivery.ts";
import type { SessionId } from "../protocol/ids.ts";
import { refuse, type Refused } from "../protocol/refusal.ts";
import type { Follows, Place } from "../store/deliveries.ts";
import type { Store } from "../store/store.ts";
import { commandIn } from "./command-text.ts";
import { type Creation, newSessionId, type SessionOpening } from "./open-session.ts";
import type { Sender } from "./sender.ts";

export type ConversationParts = {
  inbound: Pick<SessionOpening, "open" | "creation">;
  engine: Pick<Engine, "session" | "dispatch">;
  store: Pick<Store, "events">;
  clock: Clock;
  deliveries: Pick<Deliveries, "following" | "followInstead">;
};

type Within = { by: Sender; parts: ConversationParts };
type Talking = { text: string; attachments?: readonly unknown[] | undefined };

/** `creates`: the session is not there yet, and the message creates it. */
type Conversation = { sessionId: SessionId; creates?: Creation };

/** The session that the place subscribed to; a place without one, or whose session is gone, gets a new one. */
export async function sessionOf(place: Place, message: Talking, within: Within): Promise<Conversation | Refused> {
  const { deliveries, engine } = within.parts;
  const follows = await deliveries.following(place);
  if (follows?.kind === "operator") return NO_TALK;
  if (follows !== undefined && (await engine.session(follows.sessionId)) !== undefined) return follows;
  const isCommand = commandIn(message.text) !== undefined && (message.attachments ?? []).length === 0;
  return (isCommand ? openedByCommand : createdByMessage)({ place, follows }, within);
}

type OfSession = Extract<Follows, { kind: "session" }>;
/** A place, and what it follows although it is not there. */
type Beginning = { place: Place; follows: OfSession | undefined };

async function createdByMessage(beginning: Beginning, { by, parts }: Within): Promise<Conversation | Refused> {
  const given = await parts.inbound.creation(wantedAt(beginning, newSessionId()), by);
  if ("refused" in given) return given;
  const chosen = await chosenId(beginning, given.sessionId, parts);
  return "refused" in chosen ? chosen : { ...chosen, creates: { ...given, ...chosen } };
}

/** A command is run in a session that is there. */
async function openedByCommand(beginning: Beginning, { by, parts }: Within): Promise<Conversation | Refused> {
  const open = async (sessionId: SessionId, what: string): Promise<Conversation | Refused> => {
    const outcome = await parts.inbound.open(wantedAt(beginning, sessionId), underKey(by, what));
    if (!outcome.ok) return outcome.refusal.code === "SESSION_EXISTS" ? { sessionId } : { refused: outcome.refusal };
    return outcome.session === undefined ? GONE : { sessionId: outcome.session.id };
  };
  const mine = await open(newSessionId(), "session");
  if ("refused" in mine) return mine;
  const chosen = await chosenId(beginning, mine.sessionId, parts);
  if ("sessionId" in chosen && chosen.sessionId === mine.sessionId) return mine;
  // another was first, elsewhere
  await parts.engine.dispatch(mine.sessionId, { type: "session.delete" }, { actor: by.actor });
  return "refused" in chosen ? chosen : open(chosen.sessionId, `session ${chosen.sessionId}`);
}

const wantedAt = ({ place }: Beginning, sessionId: SessionId) => ({ sessionId, title: "", instance: place.account });

/** The id that the place follows from now on: this one, unless another was chosen before. */
async function chosenId(
  { place, follows }: Beginning,
  sessionId: SessionId,
  parts: ConversationParts,
): Promise<{ sessionId: SessionId } | Refused> {
  if (follows !== undefined && (await isToCome(follows, parts))) return { sessionId: follows.sessionId };
  const mine = { kind: "session", sessionId, chosenAtMs: parts.clock.now() } as const;
  const now = await parts.deliveries.followInstead(place, { follows: mine, instead: follows });
  return now.kind === "operator" ? NO_TALK : { sessionId: now.sessionId };
}

/** So long the message that chose an id may be on its way. Shorter than events of a deleted session are kept. */
const CHOSEN_MS_MAX = 60_000;

/**
 * An id that was just chosen, and under which nothing has happened; what was deleted has left events behind. What was
 * created since we looked has left some, too: it is there now.
 */
async function isToCome({ sessionId, chosenAtMs }: OfSession, parts: ConversationParts): Promise<boolean> {
  const { store, clock, engine } = parts;
  if (chosenAtMs === undefined || clock.now() - chosenAtMs > CHOSEN_MS_MAX) return false;
  if ((await store.events({ cursor: 0, sessionId, limit: 1 })).length === 0) return true;
  return (await engine.session(sessionId)) !== undefined;
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
