/** Messages as cards: their paragraphs read HTML, which has an escape for everything. The plain text of Chat has none. */
import type { Body, Button } from "../port.ts";

export const FUNCTION = "holdpoint";

/** What a button brings back, besides the field with words that may belong to it. */
export const TOKEN = "token";
export const FIELD = "field";

export const cardMessage = ({ text }: Body, buttons: readonly Button[]): object => ({
  cardsV2: [
    {
      cardId: "holdpoint",
      card: { sections: [{ widgets: [{ textParagraph: { text: htmlOf(text) } }, ...widgetsOf(buttons)] }] },
    },
  ],
});

/** Ends of lines and what is set in would be lost in HTML. */
const htmlOf = (text: string): string =>
  text.replace(/^ +/gm, (spaces) => "\u00A0".repeat(spaces.length)).replaceAll("\n", "<br>");

const fieldAt = (at: number): string => `words${at}`;

function widgetsOf(buttons: readonly Button[]): object[] {
  if (buttons.length === 0) return [];
  const inputs = buttons.flatMap(({ label, asksText }, at) =>
    asksText ? [{ textInput: { name: fieldAt(at), label, type: "MULTIPLE_LINE" } }] : [],
  );
  const pressed = buttons.map(({ label, token }, at) => ({
    text: label,
    onClick: {
      action: {
        function: FUNCTION,
        parameters: [
          { key: TOKEN, value: token },
          { key: FIELD, value: fieldAt(at) },
        ],
      },
    },
  }));
  return [...inputs, { buttonList: { buttons: pressed } }];
}
