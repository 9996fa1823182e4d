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
import { keptPieces, someKept } from "../../protocol/kept-text.ts";
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

/** The text of the cards, in pieces where the session is large. */
type Sent = { cards: readonly Card[]; pieces: readonly string[] };

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
      if (shown !== undefined && isSameText(shown.pieces, now.pieces)) return undefined;
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
      if (before !== undefined && isSameText(before.pieces, now.pieces)) return undefined;
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
  pieces: someKept(slices) ? keptPieces(cards) : [JSON.stringify(cards)],
});

/** However each is cut: what both begin and end with is left aside, and only what is left is put together. */
function isSameText(one: readonly string[], other: readonly string[]): boolean {
  let head = 0;
  while (head < one.length && head < other.length && one[head] === other[head]) head += 1;
  let tail = 0;
  const most = Math.min(one.length, other.length) - head;
  while (tail < most && one.at(-1 - tail) === other.at(-1 - tail)) tail += 1;
  return one.slice(head, one.length - tail).join("") === other.slice(head, other.length - tail).join("");
}

/** Who reads the text gets it whole; a connection sends the pieces of a large one as they are. */
function toEvent(sessionId: SessionId, { pieces }: Sent, closed: readonly Card[]): FeedEvent {
  const all = [`{"sessionId":${JSON.stringify(sessionId)},"cards":`, ...pieces, `,"closed":${JSON.stringify(closed)}}`];
  if (pieces.length === 1) return { sessionId, event: CARDS_EVENT, payloadText: all.join("") };
  return {
    sessionId,
    event: CARDS_EVENT,
    payloadPieces: all,
    get payloadText() {
      return all.join("");
    },
  };
}
