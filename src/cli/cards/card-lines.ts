/** Any card as lines of the terminal: whole while it waits, in a sentence once it does not. */
import { never } from "../../core/never.ts";
import { type Card, isWaiting } from "../../protocol/card/card.ts";
import { sanitiseLine } from "../text/sanitise.ts";
import { hang } from "../text/wrap.ts";
import { actionLines } from "./action-lines.ts";
import { cardLabel, planLabel, warningTexts } from "./card-label.ts";
import { MARKS } from "./marks.ts";
import { pastPlan, planCard } from "./plan-card.ts";
import { questionCard } from "./question-card.ts";
import type { Beholder } from "./who.ts";

export function cardLines(card: Card, beholder: Beholder): string[] {
  const { look } = beholder;
  switch (card.kind) {
    case "approval":
      return isWaiting(card)
        ? planCard(card, beholder)
        : [
            ...pastPlan({ document: card, label: cardLabel(card, planLabel(card.revision)), note: "" }, look),
            ...statusLines(card, beholder),
            ...actionLines(card, look),
          ];
    case "question":
    case "grant":
      return isWaiting(card) ? questionCard(card, beholder) : statusLines(card, beholder);
    case "notice":
      return [...statusLines(card, beholder), ...actionLines(card, look)];
    default:
      return never(card);
  }
}

/** How it stands, in the card's own sentence; a title where it says of what. */
export function statusLines(card: Card, { look }: Beholder): string[] {
  const { title, status } = card;
  const text = [cardLabel(card, ""), title, status.text]
    .filter((part) => part !== "")
    .map(sanitiseLine)
    .join(": ");
  const all = [text, ...(isWaiting(card) ? [] : warningTexts(card))];
  return all.flatMap((one) => hang(`${MARKS.note} `, one, look.columns).map(look.paint.quiet));
}
