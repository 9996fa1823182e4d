/** What became of cards that are gone: only word of them tells, for the session's state forgets what is over. */
import type { Card } from "../../src/protocol/card/card.ts";

const KEPT_MAX = 20;

/** By the id of the card. */
export type ClosedCards = ReadonlyMap<string, Card>;

export const NO_CLOSED: ClosedCards = new Map();

export function closedAfter(before: ClosedCards, closed: readonly Card[]): ClosedCards {
  if (closed.length === 0) return before;
  const added = closed.map((card): [string, Card] => [card.id, card]);
  return new Map([...before, ...added].slice(-KEPT_MAX));
}
