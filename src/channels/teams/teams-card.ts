/** Cards as Adaptive Cards: each line a block of literal text, each button an action; words are written in the card itself. */
import type {
  IAdaptiveCard,
  IExecuteAction,
  IRichTextBlock,
  IShowCardAction,
  ITextInput,
} from "@microsoft/teams.cards";
import type { Button } from "../port.ts";

const INPUT_CHARS_MAX = 3_000;
export const CARD_TYPE = "application/vnd.microsoft.card.adaptive";
export const VERB = "holdpoint";

/** Runs of text are never read as markup, whatever is in them. */
export const adaptiveCard = (text: string, buttons: readonly Button[]): IAdaptiveCard => ({
  type: "AdaptiveCard",
  $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
  version: "1.4",
  body: text.split("\n").map(blockOf),
  actions: buttons.map(actionOf),
});

const blockOf = (line: string): IRichTextBlock => ({
  type: "RichTextBlock",
  spacing: "None",
  inlines: [{ type: "TextRun", text: line === "" ? " " : line }],
});

const STYLES = { good: { style: "positive" }, bad: { style: "destructive" }, other: {} } as const;

function actionOf({ label, token, style, asksText }: Button, at: number): IExecuteAction | IShowCardAction {
  const field = `words${at}`;
  const press: IExecuteAction = {
    type: "Action.Execute",
    title: label,
    verb: VERB,
    data: { token, field },
    ...STYLES[style],
  };
  if (!asksText) return press;
  const input: ITextInput = {
    type: "Input.Text",
    id: field,
    label,
    isMultiline: true,
    isRequired: true,
    errorMessage: "…",
    maxLength: INPUT_CHARS_MAX,
  };
  const card: IAdaptiveCard = { type: "AdaptiveCard", version: "1.4", body: [input], actions: [press] };
  return { type: "Action.ShowCard", title: label, card };
}
