/** The cards of one session as this terminal has shown them: each that comes to wait is drawn once, whole. */
import { NO_APPROVAL_NOTICE } from "../../plan-mode/cards/notice-cards.ts";
import { planSections } from "../../plan-mode/cards/plan-sections.ts";
import { PLAN_MODE_SLICE } from "../../plan-mode/machine/slice.ts";
import { type Card, isWaiting, withSections } from "../../protocol/card/card.ts";
import type { PlanEventOf } from "../../plan-mode/protocol/event.ts";
import type { PlanBody } from "../../plan-mode/protocol/plan.ts";
import { cardLines, statusLines } from "./card-lines.ts";
import type { Beholder } from "./who.ts";

/** Cards that are remembered as shown. */
const DRAWN_MAX = 100;

export type ShownCards = {
  cards(): readonly Card[];
  /** Lines to print for cards that have come to wait, and for those that are gone; plan mode's facts tell their end. */
  observe(now: readonly Card[], closed?: readonly Card[]): string[];
  /** Takes over what is stored, without printing. */
  adopt(now: readonly Card[]): void;
  /** The whole text of a plan whose card is about to come. */
  submitted(event: PlanEventOf<"plan.submitted">): void;
  draw(card: Card, text?: PlanBody): string[];
  isDrawn(card: Card): boolean;
  /** The card was drawn with all that its document says. */
  isWhole(card: Card): boolean;
};

export function createShownCards(beholder: () => Beholder): ShownCards {
  const drawn = new Set<string>();
  const whole = new Set<string>();
  let cards: readonly Card[] = [];
  let last: { planId: string; body: PlanBody } | undefined;

  function textOf(card: Card): PlanBody | undefined {
    return card.kind === "approval" && card.planId === last?.planId ? last?.body : undefined;
  }

  function draw(card: Card, text = textOf(card)): string[] {
    drawn.add(card.id);
    for (const old of [...drawn].slice(0, -DRAWN_MAX)) drawn.delete(old);
    if (text === undefined || card.kind !== "approval") return ["", ...cardLines(card, beholder())];
    whole.add(card.id);
    for (const old of [...whole].slice(0, -DRAWN_MAX)) whole.delete(old);
    return ["", ...cardLines(withSections(card, planSections(text)), beholder())];
  }

  return {
    cards: () => cards,
    observe(now, closed = []) {
      cards = now;
      const ended = closed.filter(({ id, slice }) => drawn.has(id) && slice !== PLAN_MODE_SLICE);
      return [
        ...ended.flatMap((card) => statusLines(card, beholder())),
        ...now.filter((card) => isShownAtOnce(card) && !drawn.has(card.id)).flatMap((card) => draw(card)),
      ];
    },
    adopt: (now) => void (cards = now),
    submitted: ({ submission, body }) => void (last = { planId: submission.planId, body }),
    draw,
    isDrawn: ({ id }) => drawn.has(id),
    isWhole: ({ id }) => whole.has(id),
  };
}

/** Plan mode's notices are printed by its events and shown in the prompt. */
const isShownAtOnce = (card: Card): boolean =>
  isWaiting(card) || (card.kind === "notice" && (card.slice !== PLAN_MODE_SLICE || card.id === NO_APPROVAL_NOTICE)); // no event tells that one
