/** Cards and forms as Block Kit. */
import type { ActionsBlock, KnownBlock, ModalView } from "@slack/types";
import type { Button } from "../port.ts";

const SECTION_CHARS_MAX = 3_000;
const TITLE_CHARS_MAX = 24;
const LABEL_CHARS_MAX = 2_000;
const INPUT_CHARS_MAX = 3_000;

/** The block and the field of the form in which words are written. */
export const WORDS = "words";
export const FORM = "holdpoint-words";

export const cardBlocks = (text: string, buttons: readonly Button[]): KnownBlock[] => [
  ...sectionsOf(text).map((part): KnownBlock => ({
    type: "section",
    text: { type: "mrkdwn", text: part, verbatim: true },
  })),
  ...(buttons.length === 0 ? [] : [actionsOf(buttons)]),
];

/** Cut at the ends of lines; a line that is longer than a section is cut between two signs, and nothing of it is lost. */
function sectionsOf(text: string): string[] {
  const parts: string[] = [];
  let part = "";
  for (const line of text.split("\n").flatMap(fittingLines)) {
    const more = part === "" ? line : `${part}\n${line}`;
    if (more.length > SECTION_CHARS_MAX && part.trim() !== "") parts.push(part);
    part = more.length > SECTION_CHARS_MAX ? line : more;
  }
  return part.trim() === "" ? parts : [...parts, part];
}

/** Half an escape would be read as what it escapes, half a surrogate as nothing. */
const HALF_A_SIGN = /(?:&[a-z]{0,4}|[\uD800-\uDBFF])$/;

function fittingLines(line: string): string[] {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > SECTION_CHARS_MAX) {
    const start = rest.slice(0, SECTION_CHARS_MAX).replace(HALF_A_SIGN, "");
    lines.push(start);
    rest = rest.slice(start.length);
  }
  return [...lines, rest];
}

const STYLES = { good: { style: "primary" }, bad: { style: "danger" }, other: {} } as const;

const actionsOf = (buttons: readonly Button[]): ActionsBlock => ({
  type: "actions",
  elements: buttons.map(({ label, token, style }, at) => ({
    type: "button",
    action_id: `holdpoint-${at}`,
    text: { type: "plain_text", text: label, emoji: false },
    value: token,
    ...STYLES[style],
  })),
});

/** `about`: what the form belongs to, which comes back with it and which nobody but us and Slack can change. */
export const formView = ({ label, about }: { label: string; about: string }): ModalView => ({
  type: "modal",
  callback_id: FORM,
  private_metadata: about,
  title: { type: "plain_text", text: shortened(label, TITLE_CHARS_MAX) },
  submit: { type: "plain_text", text: "OK" },
  blocks: [
    {
      type: "input",
      block_id: WORDS,
      label: { type: "plain_text", text: shortened(label, LABEL_CHARS_MAX) },
      element: { type: "plain_text_input", action_id: WORDS, multiline: true, max_length: INPUT_CHARS_MAX },
    },
  ],
});

const shortened = (text: string, charsMax: number): string =>
  text.length <= charsMax ? text : `${text.slice(0, charsMax - 1)}…`;
