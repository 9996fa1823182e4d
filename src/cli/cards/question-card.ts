/** A question, or a held call that a person may let pass once, in a frame with its answers by number. */
import type { CardOption, GrantCard, QuestionCard } from "../../protocol/card/card.ts";
import { ENGLISH } from "../../plan-mode/texts/en.ts";
import { localized } from "../../plan-mode/texts/localized.ts";
import { box, innerColumns, type Line } from "../text/box.ts";
import { duration } from "../text/duration.ts";
import { sanitise, sanitiseLine } from "../text/sanitise.ts";
import { hang, wrap } from "../text/wrap.ts";
import { actionLines, isPressed } from "./action-lines.ts";
import { cardLabel, warningTexts } from "./card-label.ts";
import type { Beholder } from "./who.ts";

type Asking = QuestionCard | GrantCard;

export function questionCard(card: Asking, { look, nowMs }: Beholder): string[] {
  const { paint } = look;
  const columns = innerColumns(look);
  const options = optionsOf(card).flatMap((option, at): Line[] => [
    ...hang(`${at + 1}. `, sanitiseLine(option.label), columns).map((text) => ({ text })),
    ...described(option.description, columns).map((text) => ({ text, paint: paint.quiet })),
  ]);
  const lines: Line[] = [
    ...wrap(sanitise(askedIn(card)), columns).map((text) => ({ text, paint: paint.strong })),
    { text: "" },
    ...warningTexts(card).flatMap((warning) => wrap(warning, columns).map((text) => ({ text, paint: paint.strong }))),
    ...options,
  ];
  const note = card.deadline === undefined ? "" : `expires in ${duration(card.deadline.atMs - nowMs)}`;
  return [
    ...box({ label: cardLabel(card, "Question"), note, lines, edge: paint.waiting }, look),
    ...wrap(`  ${howTo(card)}`, look.columns).map(paint.waiting),
    ...actionLines(
      { actions: card.actions.filter((action) => action.input.kind === "text" && isPressed(action)) },
      look,
    ),
  ];
}

/** The answers that a number or a word can mean; of a held call its yes and its no. */
export function optionsOf(card: Asking): CardOption[] {
  if (card.kind === "question") return card.options;
  return card.actions
    .filter(({ input }) => input.kind === "none")
    .map(({ id, label, hint }) => ({
      id,
      label: label.text,
      ...(hint === undefined ? {} : { description: hint.text }),
    }));
}

/** The exact call, whole: nobody signs what they have not read. */
function askedIn(card: Asking): string {
  if (card.kind === "question") return card.question;
  const { tool, folder, shown } = card.call;
  const call = shown.split("\n").map((line) => `    ${line}`);
  const asked = card.actions.some(({ id }) => id === "amend") ? ENGLISH.callAskedAmend : ENGLISH.callAsked;
  return [localized("callWanted", { tool, folder }).text, ...call, card.why.text, asked].join("\n");
}

const described = (text: string | undefined, columns: number): string[] =>
  text === undefined || text.trim() === "" ? [] : hang("   ", sanitiseLine(text), columns);

function howTo(card: Asking): string {
  const number = `Type a number, 1 to ${optionsOf(card).length}`;
  return card.kind === "question" && card.freeText ? `${number}, or your own answer.` : `${number}.`;
}
