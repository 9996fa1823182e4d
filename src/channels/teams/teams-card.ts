/** Cards as Adaptive Cards: each line a block of literal text, each button an action; words are written in the card itself. */
import type { Action, IExecuteAction } from "@microsoft/teams.cards";
import type { Button } from "../port.ts";

const INPUT_CHARS_MAX = 3_000;
export const CARD_TYPE = "application/vnd.microsoft.card.adaptive";
export const VERB = "holdpoint";

/** Runs of text are never read as markup, whatever is in them. */
export const adaptiveCard = (text: string, buttons: readonly Button[]) => ({
  type: "AdaptiveCard" as const,
  $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
  version: "1.4" as const,
  body: text.split("\n").map((line) => ({
    type: "RichTextBlock" as const,
    spacing: "None" as const,
    inlines: [{ type: "TextRun" as const, text: line === "" ? " " : line }],
  })),
  actions: buttons.map(actionOf),
});

const STYLES = { good: { style: "positive" }, bad: { style: "destructive" }, other: {} } as const;

function actionOf(button: Button, at: number) {
  const { label, token, style, asksText } = button;
  const field = `words${at}`;
  const press = {
    type: "Action.Execute" as const,
    title: label,
    verb: VERB,
    data: { token, field },
    ...STYLES[style],
  } satisfies Pick<IExecuteAction, "type" | "title" | "verb"> & object;
  if (!asksText) return press;
  return {
    type: "Action.ShowCard" as const,
    title: label,
    card: {
      type: "AdaptiveCard" as const,
      version: "1.4" as const,
      body: [
        {
          type: "Input.Text" as const,
          id: field,
          label,
          isMultiline: true,
          isRequired: true,
          errorMessage: "…",
          maxLength: INPUT_CHARS_MAX,
        },
      ],
      actions: [press],
    },
  } satisfies { type: Action["type"] } & object;
}
