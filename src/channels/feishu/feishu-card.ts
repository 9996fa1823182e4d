/** Messages and cards as cards of Feishu (schema 2.0): literal text, and a small form for each button that needs words. */
import type { Button } from "../port.ts";

const INPUT_CHARS_MAX = 1_000;

/** The field in which words are written. */
export const WORDS = "words";

const TYPES = { good: "primary", bad: "danger", other: "default" } as const;

/** `conversation` comes back with a press, because Feishu does not say in which thread a card stands. */
export const feishuCard = (text: string, buttons: readonly Button[], conversation: string): object => ({
  schema: "2.0",
  config: { update_multi: true },
  body: {
    elements: [
      { tag: "div", text: { tag: "plain_text", content: text } },
      ...buttons.map((button, at) => elementOf(button, at, conversation)),
    ],
  },
});

function elementOf({ label, token, style, asksText }: Button, at: number, conversation: string): object {
  const button = {
    tag: "button",
    type: TYPES[style],
    text: { tag: "plain_text", content: label },
    behaviors: [{ type: "callback", value: { token, conversation } }],
  };
  if (!asksText) return button;
  const input = {
    tag: "input",
    name: WORDS,
    required: true,
    input_type: "multiline_text",
    max_length: INPUT_CHARS_MAX,
    label: { tag: "plain_text", content: label },
  };
  return {
    tag: "form",
    name: `form${at}`,
    elements: [input, { ...button, name: `submit${at}`, form_action_type: "submit" }],
  };
}
