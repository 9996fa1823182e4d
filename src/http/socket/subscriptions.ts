/**
 * The sessions that one connection listens to.
 *
 *   add ──▶ listening, live events held back ──missed events sent──▶ held ones sent, then live
 *
 * Listening begins before the missed events are read, so nothing falls in between; what arrives by both roads has a
 * cursor that was sent already and is dropped.
 */
import type { SessionId } from "../../protocol/ids.ts";
import { refuse } from "../../protocol/refusal.ts";
import { asIs } from "../../protocol/localized/localized-text.ts";
import type { Feed, FeedEvent, FeedNotice } from "../feed.ts";
import type { Subscriptions } from "../method-table.ts";

export const SUBSCRIPTIONS_MAX = 1_000;
export const REPLAY_EVENTS_MAX = 5_000;
export const REPLAY_BYTES_MAX = 8 * 1_048_576;
const HELD_MAX = 10_000;

type Subscription = { stop(): void; lastCursor: number; held: FeedEvent[] | undefined };
type Missed = { cursor: number; resumed: boolean; events: FeedEvent[] };
type Prepared = { cursor: number; resumed: boolean; release(): void };
type Outlet = { send(event: FeedEvent | FeedNotice): void; overflow(): void };

export type ConnectionSubscriptions = Subscriptions & {
  /** Listens to all of these and reads what they missed; nothing is sent before `release`. */
  prepare(sessionIds: readonly SessionId[], afterCursor: number | undefined): Promise<Prepared>;
  stop(): void;
};

export function createSubscriptions({ feed, ...outlet }: Outlet & { feed: Feed }): ConnectionSubscriptions {
  const listening = new Map<SessionId, Subscription>();
  let stopped = false;
  let stopWatching: (() => void) | undefined;
  const stopMinding = feed.onGap(() => {
    if (listening.size > 0 || stopWatching !== undefined) outlet.overflow();
  });

  function listen(sessionId: SessionId): Subscription {
    remove(sessionId);
    const mine: Subscription = { stop: () => {}, lastCursor: 0, held: [] };
    if (stopped) return mine; // the connection closed while its request was under way
    mine.stop = feed.subscribe(sessionId, (event) => deliverOrHold(mine, event, outlet));
    listening.set(sessionId, mine);
    return mine;
  }

  function remove(sessionId: SessionId): void {
    listening.get(sessionId)?.stop();
    listening.delete(sessionId);
  }

  async function prepare(sessionIds: readonly SessionId[], afterCursor: number | undefined): Promise<Prepared> {
    const mine = new Map(sessionIds.map((sessionId) => [sessionId, listen(sessionId)]));
    try {
      const missed = await missedSince(feed, sessionIds, afterCursor);
      const startsAt = afterCursor === undefined || !missed.resumed ? missed.cursor : afterCursor;
      for (const subscription of mine.values()) subscription.lastCursor = startsAt;
      const isCurrent = (id: SessionId): boolean => mine.has(id) && listening.get(id) === mine.get(id);
      return { ...missed, release: () => release(missed.events, { mine, isCurrent, outlet }) };
    } catch (error) {
      for (const sessionId of sessionIds) remove(sessionId); // or their held-back events would never be released
      throw error;
    }
  }

  return {
    prepare,
    async add(sessionId, afterCursor) {
      if (listening.size >= SUBSCRIPTIONS_MAX && !listening.has(sessionId)) return TOO_MANY;
      const prepared = await prepare([sessionId], afterCursor);
      prepared.release();
      return { cursor: prepared.cursor, resumed: prepared.resumed };
    },
    remove,
    watch() {
      if (!stopped) stopWatching ??= feed.watch(outlet.send);
    },
    stop() {
      stopped = true;
      stopMinding();
      stopWatching?.();
      for (const sessionId of listening.keys()) remove(sessionId);
    },
  };
}

const TOO_MANY = refuse(
  "QUEUE_FULL",
  asIs(
    `A connection listens to at most ${SUBSCRIPTIONS_MAX} sessions. Unsubscribe from one, or open another connection.`,
  ),
);

async function missedSince(
  feed: Feed,
  sessionIds: readonly SessionId[],
  afterCursor: number | undefined,
): Promise<Missed> {
  const last = await feed.lastCursor();
  if (afterCursor === undefined) return { cursor: last, resumed: true, events: [] };
  if (afterCursor > last) return { cursor: last, resumed: false, events: [] }; // of another store, or of an older copy
  const limits = { eventsMax: REPLAY_EVENTS_MAX, bytesMax: REPLAY_BYTES_MAX };
  const events = await feed.replay({ afterCursor, sessionIds, ...limits });
  if (events === undefined) return { cursor: last, resumed: false, events: [] };
  const lastSent = events.findLast(({ cursor }) => cursor !== undefined)?.cursor;
  return { cursor: lastSent ?? afterCursor, resumed: true, events };
}

function deliverOrHold(subscription: Subscription, event: FeedEvent, outlet: Outlet): void {
  if (subscription.held === undefined) return deliver(subscription, event, outlet);
  subscription.held.push(event);
  if (subscription.held.length > HELD_MAX) outlet.overflow();
}

function deliver(subscription: Subscription, event: FeedEvent, { send }: Outlet): void {
  if (event.cursor !== undefined) {
    if (event.cursor <= subscription.lastCursor) return;
    subscription.lastCursor = event.cursor;
  }
  send(event);
}

type Releasing = { mine: Map<SessionId, Subscription>; isCurrent(id: SessionId): boolean; outlet: Outlet };

/** A subscription that was replaced or ended while its events were read sends nothing. */
function release(events: FeedEvent[], { mine, isCurrent, outlet }: Releasing): void {
  for (const event of events) {
    const subscription = mine.get(event.sessionId);
    if (subscription !== undefined && isCurrent(event.sessionId)) deliver(subscription, event, outlet);
  }
  for (const [id, subscription] of mine) {
    const held = subscription.held ?? [];
    subscription.held = undefined;
    if (isCurrent(id)) for (const event of held) deliver(subscription, event, outlet);
  }
}
