/** Reads what a subscriber has not received yet: the events of its session, and the present cards. */
import { isDeepStrictEqual } from "node:util";
import type { SessionId } from "../protocol/ids.ts";
import type { Json } from "../protocol/json.ts";
import type { Session } from "../protocol/session.ts";
import type { Delivery, Subscriber } from "../store/deliveries.ts";
import { PAGE_MAX, type StoredEvent } from "../store/store.ts";
import type { DeliveryParts } from "./delivery-parts.ts";
import { type FoundCard, type Planned, planBatch } from "./plan-batch.ts";

/** How many waiting sessions one subscriber is shown, last changed first. */
const WAITING_SESSIONS_MAX = 100;

const PAGE = 200;
/** Of a session that changes all the time: its card is drawn anyway, and again after that. */
const SAME_TRIES_MAX = 3;
/** A card that stood unchanged for longer than this many events ends without saying how. */
const FACT_PAGES_MAX = 50;

type Finding = Pick<DeliveryParts, "store" | "engine" | "clock" | "describe" | "lastState" | "textOf">;

export async function findWork(subscriber: Subscriber, parts: Finding): Promise<Planned> {
  const { store, clock, textOf } = parts;
  const { follows, cursor } = subscriber;
  const open = await store.openDeliveries({ subscriberId: subscriber.id, limit: PAGE_MAX });
  const base = { subscriber, open, textOf, atMs: clock.now() };
  if (follows.kind === "operator") {
    const cards = await cardsOf(await waitingSessions(open, parts), parts);
    const lastStates = await lastStatesOf({ open, cards }, parts);
    return planBatch({ ...base, events: [], moreEvents: false, upTo: cursor, cards, lastStates });
  }
  const events = await eventsAfter(subscriber, follows.sessionId, parts);
  const cards = await cardsOf([follows.sessionId], parts);
  const upTo = events.at(-1)?.cursor ?? cursor;
  const lastStates = await lastStatesOf({ open, cards }, parts);
  const told = sinceFirstMessage(events);
  return planBatch({ ...base, events: told, moreEvents: events.length === PAGE, upTo, cards, lastStates });
}

const eventsAfter = ({ cursor }: Subscriber, sessionId: SessionId, { store }: Finding): Promise<StoredEvent[]> =>
  store.events({ cursor, sessionId, limit: PAGE });

/** What a session says of its own creation is not said to the conversation whose message created it. */
function sinceFirstMessage(events: readonly StoredEvent[]): readonly StoredEvent[] {
  const created = events.findIndex(({ event }) => event.type === "session.created");
  const first = events.findIndex(({ event }) => event.type === "message.queued");
  return created < 0 || first < created ? events : events.slice(first);
}

async function waitingSessions(open: readonly Delivery[], { store }: Finding): Promise<SessionId[]> {
  const page = await store.sessions({ waiting: true, archived: false }, { cursor: null, limit: WAITING_SESSIONS_MAX });
  return [...new Set([...page.items.map(({ id }) => id), ...open.map(({ sessionId }) => sessionId)])];
}

async function cardsOf(sessionIds: readonly SessionId[], parts: Finding): Promise<FoundCard[]> {
  const found: FoundCard[] = [];
  for (const sessionId of sessionIds) {
    const { session, cursor } = await sessionAt(sessionId, parts);
    if (session === undefined) continue;
    found.push(...parts.describe(session).map((card) => ({ sessionId, card, cursor })));
  }
  return found;
}

/** A session and the cursor at which it was so: read again where it changed in between. */
async function sessionAt(
  sessionId: SessionId,
  { engine, store }: Finding,
): Promise<{ session: Session | undefined; cursor: number }> {
  let session = await engine.session(sessionId);
  let cursor = await store.lastCursor();
  for (let tries = 1; tries < SAME_TRIES_MAX; tries++) {
    const again = await engine.session(sessionId);
    if (isDeepStrictEqual(again, session)) break;
    session = again;
    cursor = await store.lastCursor();
  }
  return { session, cursor };
}

/** What slices recorded since a card was drawn. */
async function factsAfter(cursor: number, sessionId: SessionId, { store }: Finding): Promise<StoredEvent[]> {
  const facts: StoredEvent[] = [];
  let after = cursor;
  for (let pages = 0; pages < FACT_PAGES_MAX; pages++) {
    const page = await store.events({ cursor: after, sessionId, limit: PAGE });
    facts.push(...page.filter(({ event }) => event.type === "slice.changed"));
    if (page.length < PAGE) break;
    after = page.at(-1)?.cursor ?? after;
  }
  return facts;
}

type Shown = { open: readonly Delivery[]; cards: readonly FoundCard[] };

/** How cards ended that stand on a surface and are gone from their session, by their keys. */
async function lastStatesOf({ open, cards }: Shown, parts: Finding): Promise<ReadonlyMap<string, Json>> {
  const present = new Set(cards.map(({ card }) => card.cardId));
  const found = new Map<string, Json>();
  for (const { key, sessionId, messageId, drawn } of open) {
    if (present.has(key) || messageId === null || drawn === undefined) continue;
    const facts = await factsAfter(drawn.cursor, sessionId, parts);
    const payload = parts.lastState(drawn.payload, facts);
    if (payload !== undefined) found.set(key, payload);
  }
  return found;
}
