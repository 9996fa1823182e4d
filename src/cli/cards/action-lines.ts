/** What a person types to act on a card: the commands that its actions name. */
import type { Card, CardAction } from "../../protocol/card/card.ts";
import type { Look } from "../text/paint.ts";
import { sanitiseLine } from "../text/sanitise.ts";
import { width } from "../text/width.ts";

export function actionLines(card: Card, { columns, paint }: Look): string[] {
  const choices = card.actions.flatMap(typedAs);
  if (choices.length === 0) return [];
  const inline = `  ${choices.join(" · ")}`;
  const lines = width(inline) <= columns ? [inline] : choices.map((choice) => `  ${choice}`);
  return lines.map(paint.waiting);
}

function typedAs({ command, input }: CardAction): string[] {
  if (command === undefined) return [];
  const typed = sanitiseLine(command);
  if (input.kind !== "text" || input.charsMin === 0) return [typed];
  return [
    `${typed} <${sanitiseLine(input.label.text)
      .toLowerCase()
      .replace(/[?.!]+$/, "")}>`,
  ];
}
