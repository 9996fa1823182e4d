/** What a person types to act on a card: the commands that its actions name, and `/press` for those without one. */
import type { Card, CardAction } from "../../protocol/card/card.ts";
import type { Look } from "../text/paint.ts";
import { sanitiseLine } from "../text/sanitise.ts";
import { width } from "../text/width.ts";

export function actionLines({ actions }: Pick<Card, "actions">, { columns, paint }: Look): string[] {
  const choices = actions.flatMap(typedAs);
  if (choices.length === 0) return [];
  const inline = `  ${choices.join(" · ")}`;
  const lines = width(inline) <= columns ? [inline] : choices.map((choice) => `  ${choice}`);
  return lines.map(paint.waiting);
}

/** Whether this terminal gives it a way, because no command does. The steps of a plan are edited elsewhere. */
export const isPressed = ({ command, input }: CardAction): boolean => command === undefined && input.kind !== "steps";

function typedAs(action: CardAction): string[] {
  const { command, input } = action;
  const label = sanitiseLine(action.label.text);
  if (isPressed(action)) return [`/press ${sanitiseLine(action.id)}${wordsOf(input)} (${label})`];
  return command === undefined ? [] : [`${sanitiseLine(command)}${wordsOf(input)}`];
}

function wordsOf(input: CardAction["input"]): string {
  if (input.kind !== "text" || input.charsMin === 0) return "";
  const label = sanitiseLine(input.label.text).toLowerCase();
  return ` <${label.replace(/[?.!]+$/, "")}>`;
}
