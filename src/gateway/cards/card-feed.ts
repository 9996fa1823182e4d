/**
 * Cards on their way to clients: after each commit that changed what a subscribed session shows, one `session.cards` with
 * the cards as they are now and those that it closed. Computed only where somebody listens, and sent only when different;
 * it carries no cursor, since whoever comes back is sent the present cards.
 */
import { closedBy, withdrawnCard } from "../../core/cards.ts";
import type { SliceRegistry } from "../../core/slice.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Committed } from "../../engine/commit-feed.ts";
import type { FeedEvent } from "../../http/feed.ts";
import type { Card } from "../../protocol/card/card.ts";
import type { SessionId } from "../../protocol/ids.ts";
import { keptText, someKept } from "../../protocol/kept-text.ts";
import type { Session } from "../../protocol/session.ts";

export const CARDS_EVENT = "session.cards";

export type CardFeed = {
  /** The event for listeners after a commit; undefined when the cards did not change. */
  after(committed: Committed): FeedEvent | undefined;
  /** What other settings changed, where no commit did; undefined where the cards are as they were sent. */
  resettled(sessionId: SessionId): Promise<FeedEvent | undefined>;
  /** The present cards, for a client that reconnects. */
  present(sessionId: SessionId): Promise<FeedEvent | undefined>;
  /** Called when a session has no listeners any more. */
  forget(sessionId: SessionId): void;
};

type Sent = { cards: readonly Card[]; text: string };

export function createCardFeed(engine: Pick<Engine, "cards" | "session"> & { slices: SliceRegistry }): CardFeed {
  const sent = new Map<SessionId, Sent>();

  return {
    after({ sessionId, session, events, before }) {
      const facts = events.flatMap(({ event }) => (event.type === "slice.changed" ? [event] : []));
      if (session === undefined) return void sent.delete(sessionId);
      const isReset = events.some(({ event }) => event.type === "session.reset");
      if (facts.length === 0 && !isReset) return undefined;
      const shown = sent.get(sessionId) ?? (before === undefined ? undefined : written(engine.cards(before), before));
      const now = written(engine.cards(session), session);
      sent.set(sessionId, now);
      if (shown?.text === now.text) return undefined;
      const still = new Set(now.cards.map(keyOf));
      const closed = (shown?.cards ?? [])
        .filter((card) => !still.has(keyOf(card)))
        .map((card) => closedBy(card, facts, engine.slices) ?? withdrawnCard(card));
      return toEvent(sessionId, now, closed);
    },
    async resettled(sessionId) {
      const before = sent.get(sessionId);
      const session = await engine.session(sessionId);
      if (session === undefined || sent.get(sessionId) !== before) return undefined; // a commit has told it meanwhile
      const now = written(engine.cards(session), session);
      if (before?.text === now.text) return undefined;
      sent.set(sessionId, now);
      const still = new Set(now.cards.map(keyOf));
      const gone = (before?.cards ?? []).filter((card) => !still.has(keyOf(card)));
      return toEvent(sessionId, now, gone.map(withdrawnCard));
    },
    async present(sessionId) {
      const session = await engine.session(sessionId);
      return session === undefined ? undefined : toEvent(sessionId, written(engine.cards(session), session), []);
    },
    forget: (sessionId) => void sent.delete(sessionId),
  };
}

const keyOf = ({ slice, id }: Card): string => `${slice} ${id}`;

const written = (cards: readonly Card[], { slices }: Session): Sent => ({
  cards,
  text: someKept(slices) ? keptText(cards) : JSON.stringify(cards),
});

const toEvent = (sessionId: SessionId, { text }: Sent, closed: readonly Card[]): FeedEvent => ({
  sessionId,
  event: CARDS_EVENT,
  payloadText: `{"sessionId":${JSON.stringify(sessionId)},"cards":${text},"closed":${JSON.stringify(closed)}}`,
});
