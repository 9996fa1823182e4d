/** A reminder of what still waits: a card of its own, so that channels send it as a new message, with the same actions. */
import { type Card, isWaiting, type NoticeCard } from "../../protocol/card/card.ts";
import type { PlanModeState } from "../protocol/state.ts";
import { localized } from "../texts/localized.ts";
import { PLAN_MODE_SLICE } from "../machine/gate.ts";
import { reachedAbout } from "../machine/reach/reach.ts";
import { cardText } from "./card-text.ts";

const PREFIX = "rmd_";

/** Another reminder is another card. */
const reminderId = (cardId: string, n: number): string => `${PREFIX}${cardId}_${n}`;

export const isReminder = ({ id }: { id: string }): boolean => id.startsWith(PREFIX);

export function escalationOf(card: Card, state: PlanModeState): Pick<Card, "escalation"> {
  const { level = 0 } = reachedAbout(state, card.id) ?? {};
  return level > 0 && isWaiting(card) ? { escalation: level } : {};
}

export function reminderCards(shown: readonly Card[], state: PlanModeState): NoticeCard[] {
  return shown.filter(isWaiting).flatMap((card) => {
    const { reminders = 0, remindedAtMs, remindedLevel = 0 } = reachedAbout(state, card.id) ?? {};
    const reminder = { n: reminders, atMs: remindedAtMs ?? card.sinceMs, level: remindedLevel };
    return reminders === 0 ? [] : [reminderCard(card, reminder)];
  });
}

const reminderCard = (card: Card, { n, atMs, level }: { n: number; atMs: number; level: number }): NoticeCard => ({
  kind: "notice",
  id: reminderId(card.id, n),
  slice: PLAN_MODE_SLICE,
  state: "shown",
  heading: cardText(localized("cardReminder")),
  title: card.title,
  status: cardText(localized("cardReminded", { sinceAtMs: card.sinceMs, n })),
  sinceMs: atMs,
  ...(card.deadline === undefined ? {} : { deadline: card.deadline }),
  level: "warning",
  remindsOf: card.id,
  ...(level > 0 ? { escalation: level } : {}),
  actions: card.actions,
});
