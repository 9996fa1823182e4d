import type { PendingQuestion } from "../../plan-mode/protocol/state.ts";
import { box, innerColumns, type Line } from "../text/box.ts";
import { duration } from "../text/duration.ts";
import type { Look } from "../text/paint.ts";
import { sanitise, sanitiseLine } from "../text/sanitise.ts";
import { hang, wrap } from "../text/wrap.ts";

export function questionCard(question: PendingQuestion, nowMs: number, look: Look): string[] {
  const { paint } = look;
  const columns = innerColumns(look);
  const options = question.options.flatMap((option, at): Line[] => [
    ...hang(`${at + 1}. `, sanitiseLine(option.label), columns).map((text) => ({ text })),
    ...described(option.description, columns).map((text) => ({ text, paint: paint.quiet })),
  ]);
  const lines: Line[] = [
    ...wrap(sanitise(question.question), columns).map((text) => ({ text, paint: paint.strong })),
    { text: "" },
    ...options,
  ];
  const note = `expires in ${duration(question.deadlineAtMs - nowMs)}`;
  return [
    ...box({ label: "Question", note, lines, edge: paint.waiting }, look),
    ...wrap(`  ${howTo(question)}`, look.columns).map(paint.waiting),
  ];
}

const described = (text: string | undefined, columns: number): string[] =>
  text === undefined || text.trim() === "" ? [] : hang("   ", sanitiseLine(text), columns);

function howTo({ options, allowFreetext }: PendingQuestion): string {
  const number = `Type a number, 1 to ${options.length}`;
  return allowFreetext ? `${number}, or your own answer.` : `${number}.`;
}
