/** Reads what a subscriber has not received yet: the events of its session, and the present cards. */
import type { SessionId } from "../protocol/ids.ts";
import type { Delivery, Subscriber } from "../store/deliveries.ts";
import { PAGE_MAX, type StoredEvent } from "../store/store.ts";
import type { Card } from "./card.ts";
import type { DeliveryParts } from "./delivery-parts.ts";
import { type Planned, planBatch } from "./plan-batch.ts";

/** How many waiting sessions one subscriber is shown, last changed first. */
const WAITING_SESSIONS_MAX = 100;

const PAGE = 200;

type Finding = Pick<DeliveryParts, "store" | "engine" | "clock" | "describe" | "textOf">;

export async function findWork(subscriber: Subscriber, parts: Finding): Promise<Planned> {
  const { store, clock, textOf } = parts;
  const { follows, cursor } = subscriber;
  const open = await store.openDeliveries({ subscriberId: subscriber.id, limit: PAGE_MAX });
  const base = { subscriber, open, textOf, atMs: clock.now() };
  if (follows.kind === "operator") {
    const cards = await cardsOf(await waitingSessions(open, parts), parts);
    return planBatch({ ...base, events: [], moreEvents: false, upTo: cursor, cards });
  }
  const events = await eventsAfter(subscriber, follows.sessionId, parts);
  const cards = await cardsOf([follows.sessionId], parts);
  const upTo = events.at(-1)?.cursor ?? cursor;
  return planBatch({ ...base, events, moreEvents: events.length === PAGE, upTo, cards });
}

const eventsAfter = ({ cursor }: Subscriber, sessionId: SessionId, { store }: Finding): Promise<StoredEvent[]> =>
  store.events({ cursor, sessionId, limit: PAGE });

async function waitingSessions(open: readonly Delivery[], { store }: Finding): Promise<SessionId[]> {
  const page = await store.sessions({ waiting: true, archived: false }, { cursor: null, limit: WAITING_SESSIONS_MAX });
  return [...new Set([...page.items.map(({ id }) => id), ...open.map(({ sessionId }) => sessionId)])];
}

async function cardsOf(
  sessionIds: readonly SessionId[],
  { engine, describe }: Finding,
): Promise<{ sessionId: SessionId; card: Card }[]> {
  const found = [];
  for (const sessionId of sessionIds) {
    const session = await engine.session(sessionId);
    if (session !== undefined) found.push(...describe(session).map((card) => ({ sessionId, card })));
  }
  return found;
}
