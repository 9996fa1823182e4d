/**
 * Cards on their way to clients: after each commit that changed what a subscribed session shows, one `session.cards` with
 * the cards as they are now and those that it closed. Computed only where somebody listens, and sent only when different;
 * it carries no cursor, since whoever comes back is sent the present cards.
 */
import { closedBy } from "../../core/cards.ts";
import type { SliceRegistry } from "../../core/slice.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Committed } from "../../engine/commit-feed.ts";
import type { FeedEvent } from "../../http/feed.ts";
import type { Card } from "../../protocol/card/card.ts";
import type { SessionId } from "../../protocol/ids.ts";
import { noticeOf, localized } from "../../protocol/localized/localized-text.ts";

export const CARDS_EVENT = "session.cards";

export type CardFeed = {
  /** What a commit changed, for those who listen; undefined where the cards are as they were. */
  after(committed: Committed): FeedEvent | undefined;
  /** As they are now, for whoever comes back. */
  present(sessionId: SessionId): Promise<FeedEvent | undefined>;
  /** Nobody listens to it any more. */
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
      const shown = sent.get(sessionId) ?? (before === undefined ? undefined : written(engine.cards(before)));
      const now = written(engine.cards(session));
      sent.set(sessionId, now);
      if (shown?.text === now.text) return undefined;
      const still = new Set(now.cards.map(keyOf));
      const closed = (shown?.cards ?? [])
        .filter((card) => !still.has(keyOf(card)))
        .map((card) => closedBy(card, facts, engine.slices) ?? withdrawn(card));
      return toEvent(sessionId, now, closed);
    },
    async present(sessionId) {
      const session = await engine.session(sessionId);
      return session === undefined ? undefined : toEvent(sessionId, written(engine.cards(session)), []);
    },
    forget: (sessionId) => void sent.delete(sessionId),
  };
}

const keyOf = ({ slice, id }: Card): string => `${slice} ${id}`;

const written = (cards: readonly Card[]): Sent => ({ cards, text: JSON.stringify(cards) });

const toEvent = (sessionId: SessionId, { text }: Sent, closed: readonly Card[]): FeedEvent => ({
  sessionId,
  event: CARDS_EVENT,
  payloadText: `{"sessionId":${JSON.stringify(sessionId)},"cards":${text},"closed":${JSON.stringify(closed)}}`,
});

/** Gone without a fact that says how: a reset, or a plugin that was switched off. */
function withdrawn(card: Card): Card {
  const { deadline: _over, ...rest } = card;
  const over = { ...rest, status: noticeOf(localized("cardWithdrawn")), actions: [] };
  switch (over.kind) {
    case "approval":
    case "question":
      return { ...over, state: "left" };
    case "grant":
      return { ...over, state: "void" };
    case "notice":
      return { ...over, state: "ended" };
  }
}
