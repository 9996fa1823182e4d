/** The cards of a session: those that its slices describe now, and the last state of those that have closed. */
import type { Card, CardText } from "../protocol/card/card.ts";
import { localized, noticeOf } from "../protocol/localized/localized-text.ts";
import type { Session, SliceEvent } from "../protocol/session.ts";
import type { SliceRegistry } from "./slice.ts";

type Described = {
  slices: SliceRegistry;
  settings: Readonly<Record<string, unknown>>;
  /** The gateway's, for all of them (GA-15). */
  warnings?: readonly CardText[];
};

export function cardsIn(session: Session, { slices, settings, warnings = [] }: Described): Card[] {
  const cards = [...slices.values()].flatMap(
    (slice) =>
      slice.describe?.cards?.(session.slices[slice.name] ?? slice.initial, {
        session,
        settings: settings[slice.name],
      }) ?? [],
  );
  return warnings.length === 0
    ? cards
    : cards.map((card): Card => ({ ...card, warnings: [...(card.warnings ?? []), ...warnings] }));
}

type Fact = { slice: string; event: SliceEvent };

/** The last state of a closed card; undefined when none of these events closed it. */
export function closedBy(card: Card, facts: readonly Fact[], slices: SliceRegistry): Card | undefined {
  const close = slices.get(card.slice)?.describe?.closedCard;
  if (close === undefined) return undefined;
  const events = facts.flatMap(({ slice, event }) => (slice === card.slice ? [event] : []));
  for (const [at, event] of events.entries()) {
    const closed = close(card, event, events.slice(0, at));
    if (closed !== undefined) return closed;
  }
  return undefined;
}

/** Gone without a fact that says how: a reset, or a plugin that was switched off. */
export function withdrawnCard(card: Card): Card {
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
