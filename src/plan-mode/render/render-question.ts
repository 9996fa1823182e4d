import type { PendingQuestion } from "../../protocol/plan-mode.ts";
import { block, type Format, inline } from "./format.ts";

/** A question as a card in text: what is asked, the options by number, and how to answer. */
export function renderQuestion(question: PendingQuestion, { format }: { format: Format }): string {
  const options = question.options.map(({ label, description }, index) => {
    const more = description === undefined ? "" : ` — ${inline(description, format)}`;
    return format === "plain"
      ? `  ${index + 1}) ${inline(label, format)}${more}`
      : `${index + 1}. ${inline(label, format)}${more}`;
  });
  const freely = question.allowFreetext ? ", or in your own words" : "";
  const title = format === "plain" ? "Question" : "**Question**";
  const gap = format === "plain" ? [] : [""];
  const how = `Answer with /plan answer <number, id or text>${freely}.`;
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
