import type { HeldCall, PendingQuestion } from "../protocol/state.ts";
import { asIs, lines, say, type Words } from "../../protocol/said/say.ts";
import { block, type Format, inline } from "./format.ts";

/** A question as a card in text: what is asked, the options by number, and how to answer. */
export function renderQuestion(question: PendingQuestion, { format }: { format: Format }): string {
  const options = question.options.map(({ label, description }, index) => {
    const more = description === undefined ? "" : ` — ${inline(description, format)}`;
    return format === "plain"
      ? `  ${index + 1}) ${inline(label, format)}${more}`
      : `${index + 1}. ${inline(label, format)}${more}`;
  });
  const title = format === "plain" ? "Question" : "**Question**";
  const gap = format === "plain" ? [] : [""];
  const how = howTo(question).text;
  return [
    title,
    ...gap,
    block(question.question, format),
    ...gap,
    ...options,
    ...gap,
    format === "plain" ? how : `\`${how}\``,
  ].join("\n");
}

const howTo = ({ allowFreetext }: PendingQuestion): Words => say(allowFreetext ? "answerFreely" : "answerWith");

/** In plain text, with what the words of the house in it mean; those of the agent stay. */
export function questionWords(question: PendingQuestion): Words {
  const text = renderQuestion(question, { format: "plain" }).split("\n");
  const asked = question.call === undefined ? text.slice(1, -1) : callWords(question.question, question.call);
  return lines([say("question"), ...asked, howTo(question)]);
}

/** The gateway's own question: the exact call is indented, between one line of the house and two. */
function callWords(question: string, { tool, folder, gate, rule, matched }: HeldCall): (string | Words)[] {
  const shown = block(question, "plain").split("\n").slice(1, -2);
  return [
    say("callWanted", { tool, folder }),
    ...shown.map(asIs),
    say(HELD[gate], { rule, matched }),
    say("callAsked"),
    say("callAllow"),
    say("callDeny"),
  ];
}

const HELD = {
  plan: "callHeld_plan",
  "accept-edits": "callHeld_accept_edits",
  permission: "callHeld_permission",
} as const satisfies Record<HeldCall["gate"], string>;
