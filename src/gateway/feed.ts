/** Publishes committed events to clients under their public names; internal events of the engine are left out. */
import type { Engine } from "../engine/engine.ts";
import type { Committed } from "../engine/commit-feed.ts";
import type { Feed, FeedEvent } from "../http/feed.ts";
import { type CardFeed, createCardFeed } from "./cards/card-feed.ts";
import { createDeltaRelay } from "./delta-relay.ts";
import { createSessionWatch } from "./session-watch.ts";
import type { SessionId } from "../protocol/ids.ts";
import type { JsonObject } from "../protocol/json.ts";
import { pluginIdOf } from "../protocol/plugin/plugin-state.ts";
import type { SessionEvent } from "../protocol/session.ts";
import type { Store, StoredEvent } from "../store/store.ts";
import { createSessionView, type ViewOf } from "./methods/session-view.ts";

const PAGE = 500;

/** Queued injections, timers and lease renewals: nothing that a person decides by. */
export const INTERNAL_EVENTS: ReadonlySet<SessionEvent["type"]> = new Set([
  "injection.queued",
  "injection.dropped",
  "timer.set",
  "timer.cleared",
  "turn.renewed",
  "caller.renewed",
]);

export type GatewayFeed = Feed & {
  /** A piece of an answer while it is being written: sent to present listeners, never stored. */
  delta(sessionId: SessionId, payload: JsonObject): void;
  /** An event about no single session, for clients that watch all of them. */
  announce(event: string, payload: object): void;
  /** Settings or plugins changed: watchers of a session receive its cards where these changed. */
  settingsChanged(): Promise<void>;
  /** An event that a plugin publishes to present watchers of the session. */
  tell(sessionId: SessionId, event: string, payload: JsonObject): void;
};

type Listener = (event: FeedEvent) => void;

async function sendResettled(listeners: ReadonlyMap<SessionId, ReadonlySet<Listener>>, cards: CardFeed): Promise<void> {
  for (const sessionId of listeners.keys()) {
    const shown = await cards.resettled(sessionId);
    if (shown !== undefined) for (const listener of listeners.get(sessionId) ?? []) listener(shown);
  }
}

export function createFeed({ engine, store }: { engine: Engine; store: Store }): GatewayFeed {
  const listeners = new Map<SessionId, Set<Listener>>();
  const view = createSessionView(engine);
  const gaps = new Set<() => void>();
  const announceGap = (): void => gaps.forEach((gap) => gap());
  const watch = createSessionWatch({ view, engine, report: announceGap });
  const cards = createCardFeed(engine);
  engine.subscribe({
    cares: (sessionId) => listeners.has(sessionId) || watch.isWatched(),
    onCommit: publish,
    missed: announceGap,
  });

  function publish(committed: Committed): void {
    const { sessionId, events } = committed;
    watch.changed(committed);
    others.published(committed);
    const listening = listeners.get(sessionId);
    if (listening === undefined) return;
    for (const stored of events) {
      const event = toFeed(stored, view);
      if (event !== undefined) for (const listener of listening) listener(event);
    }
    const shown = cards.after(committed);
    if (shown !== undefined) for (const listener of listening) listener(shown);
  }

  const others = createDeltaRelay({
    store,
    engine,
    receive: (said) => publishHere(said.sessionId, said.event, said.payload),
  });

  function tell(sessionId: SessionId, event: string, payload: JsonObject): void {
    publishHere(sessionId, event, payload);
    others.pass({ sessionId, event, payload });
  }

  function publishHere(sessionId: SessionId, name: string, payload: JsonObject): void {
    const listening = listeners.get(sessionId);
    if (listening === undefined) return;
    const event = { sessionId, event: name, payloadText: JSON.stringify({ sessionId, ...payload }) };
    for (const listener of listening) listener(event);
  }

  return {
    subscribe(sessionId, listener) {
      const listening = listeners.get(sessionId) ?? new Set();
      listeners.set(sessionId, listening.add(listener));
      return () => {
        listening.delete(listener);
        if (listening.size > 0 || listeners.get(sessionId) !== listening) return;
        listeners.delete(sessionId);
        cards.forget(sessionId);
      };
    },
    async replay(asked) {
      const missed = await missedBy(asked, { store, view });
      if (missed === undefined) return undefined;
      const present = await Promise.all(asked.sessionIds.map(cards.present));
      return [...missed, ...present.filter((event) => event !== undefined)];
    },
    lastCursor: () => store.lastCursor(),
    watch: watch.listen,
    onGap(listener) {
      gaps.add(listener);
      return () => void gaps.delete(listener);
    },
    settingsChanged: () => sendResettled(listeners, cards),
    announce: (event, payload) => watch.announce({ event, payloadText: JSON.stringify(payload) }),
    delta: (sessionId, payload) => tell(sessionId, "turn.delta", payload),
    tell,
  };
}

/** In commit order over all sessions; undefined when there are more than the limits allow. */
async function missedBy(
  { afterCursor, sessionIds, eventsMax, bytesMax }: Parameters<Feed["replay"]>[0],
  { store, view }: { store: Store; view: ViewOf },
): Promise<FeedEvent[] | undefined> {
  const missed: FeedEvent[] = [];
  let bytes = 0;
  for (const sessionId of sessionIds) {
    for await (const stored of eventsAfter(store, afterCursor, sessionId)) {
      const event = toFeed(stored, view);
      if (event === undefined) continue;
      bytes += event.payloadText.length;
      if (missed.push(event) > eventsMax || bytes > bytesMax) return undefined;
    }
  }
  return missed.toSorted((a, b) => (a.cursor ?? 0) - (b.cursor ?? 0));
}

async function* eventsAfter(store: Store, cursor: number, sessionId: SessionId): AsyncGenerator<StoredEvent> {
  let after = cursor;
  let page: StoredEvent[];
  do {
    page = await store.events({ cursor: after, sessionId, limit: PAGE });
    yield* page;
    after = page.at(-1)?.cursor ?? after;
  } while (page.length === PAGE);
}

/** A slice's events are public. Of a plugin's own state only the change is; what it shows is in the session's view. */
function publicFact(event: SessionEvent): { type: string } {
  if (event.type !== "slice.changed") return event;
  const pluginId = pluginIdOf(event.slice);
  if (pluginId === undefined) return event.event;
  const { type, version = null, cause = null } = event.event;
  const shown = { type, pluginId, version, cause };
  return shown;
}

/** Undefined for internal events of the engine. */
export function toFeed({ cursor, sessionId, atMs, event }: StoredEvent, view: ViewOf): FeedEvent | undefined {
  if (INTERNAL_EVENTS.has(event.type)) return undefined;
  const { type, ...fact } = publicFact(event);
  const shown = event.type === "session.created" ? { session: view(event.session) } : fact;
  return { sessionId, event: type, cursor, payloadText: JSON.stringify({ sessionId, atMs, ...shown }) };
}
