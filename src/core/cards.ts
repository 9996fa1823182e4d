/** The cards of a session: those that its slices describe now, and the last state of those that have closed. */
import type { Card, CardText, NoticeCard } from "../protocol/card/card.ts";
import { localized, noticeOf } from "../protocol/localized/localized-text.ts";
import type { Session, SliceEvent } from "../protocol/session.ts";
import { AUTOMATION_SETTINGS, automationSettings } from "../protocol/settings/automation-settings.ts";
import { isAlwaysUnattended } from "./held/attendance.ts";
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
  cards.push(...unattendedCards(session, settings));
  return warnings.length === 0
    ? cards
    : cards.map((card): Card => ({ ...card, warnings: [...(card.warnings ?? []), ...warnings] }));
}

/** A run that nobody attends and that may change things nevertheless says so for as long as it may (GA-14). */
function unattendedCards({ kind, createdAtMs }: Session, settings: Described["settings"]): NoticeCard[] {
  if (!isAlwaysUnattended(kind) || automationSettings(settings).unattended !== "open") return [];
  return [
    {
      kind: "notice",
      id: "automation.unattended",
      slice: AUTOMATION_SETTINGS,
      state: "shown",
      heading: noticeOf(localized("cardUnattendedHeading")),
      title: "",
      status: unattendedOpen(),
      sinceMs: createdAtMs,
      level: "warning",
      actions: [],
    },
  ];
}

/** What is said wherever this setting matters. */
export const unattendedOpen = (): CardText => noticeOf(localized("cardUnattendedOpen"));

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
