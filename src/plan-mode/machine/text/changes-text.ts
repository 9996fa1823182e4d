/** What a person changed in the steps, for the agent that has to carry them out. */
import type { CriterionChange, DiffPart, StepChange } from "../../protocol/plan-diff.ts";
import { CHANGES_TEXT_CHARS_MAX } from "../../protocol/state.ts";
import { firstChars, oneLine } from "../../../plugins/sdk.ts";

const LINE_CHARS_MAX = 400;
/** Room for the line that says how much was left out. */
const REST_CHARS = 100;

/** One line a change, in the order of the steps; not yet safe inside an envelope. */
export function changesText(changes: readonly StepChange[]): string {
  const lines = changes.flatMap(stepLines);
  let text = "";
  for (const [index, line] of lines.entries()) {
    const longer = text === "" ? line : `${text}\n${line}`;
    if (longer.length > CHANGES_TEXT_CHARS_MAX - REST_CHARS) return `${text}\n(and ${lines.length - index} more lines)`;
    text = longer;
  }
  return text;
}

function stepLines({ change, moved, from, to, text, criteria }: StepChange): string[] {
  if (change === "same" && !moved) return [];
  const [old, now] = [sideOf(text, "removed"), sideOf(text, "added")];
  switch (change) {
    case "added":
      return [`added step ${to}: ${now}`, ...criteria.flatMap(criterionLines)];
    case "removed":
      return [`removed step ${from}: ${old}`];
    case "same":
    case "changed": {
      const place = moved ? `moved step ${from} to ${to}` : `step ${to}`;
      const reads = old === now ? now : `${old} => ${now}`;
      return [`${change === "same" ? place : `changed ${place}`}: ${reads}`, ...criteria.flatMap(criterionLines)];
    }
  }
}

function criterionLines({ change, text }: CriterionChange): string[] {
  const [old, now] = [sideOf(text, "removed"), sideOf(text, "added")];
  switch (change) {
    case "same":
      return [];
    case "added":
      return [`  added criterion: ${now}`];
    case "removed":
      return [`  removed criterion: ${old}`];
    case "changed":
      return [`  changed criterion: ${old} => ${now}`];
  }
}

/** The text before (with what was removed) or after (with what was added). */
const sideOf = (parts: readonly DiffPart[], own: "added" | "removed"): string =>
  firstChars(
    oneLine(
      parts
        .filter(({ op }) => op === "same" || op === own)
        .map(({ text }) => text)
        .join(""),
    ),
    LINE_CHARS_MAX,
  );
