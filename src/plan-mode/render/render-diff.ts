/** A comparison of two revisions for the terminal and for chats: section by section, each change with what it answers. */
import type { DiffPart } from "../../protocol/review/plan-diff.ts";
import type { Answering, PlanDiff } from "../../protocol/review/review.ts";
import { oneLine, revealHidden } from "../../plugins/sdk.ts";
import { compareLines } from "../machine/compare/unified-text.ts";

/** Changed lines begin with their sign: + new, - gone, ~ moved. */
export function renderDiff(diff: PlanDiff): string {
  const title = diff.title === null ? [] : ["Title", ...reading(diff.title, "")];
  const sections = diff.sections.flatMap(({ section, text, answers }) => [
    `${section.charAt(0).toUpperCase()}${section.slice(1)}${answersText(answers)}`,
    ...changedLines(text),
  ]);
  const elsewhere =
    diff.declaredElsewhere.length === 0 ? [] : [`Said to be answered elsewhere: ${names(diff.declaredElsewhere)}`];
  const lines = [...title, ...sections, ...stepLines(diff), ...elsewhere];
  const head = `Revision ${diff.from.revision} → ${diff.to.revision}, by ${oneLine(diff.to.author.name)}`;
  return [head, ...(lines.length === 0 ? ["No differences."] : lines)].join("\n");
}

/** All of them, with everything around the change: what a step means depends on its neighbours. */
function stepLines({ steps }: PlanDiff): string[] {
  if (steps.every(({ change, moved }) => change === "same" && !moved)) return [];
  return ["Steps", ...steps.flatMap(stepLine)];
}

function stepLine({ change, moved, from, to, text, criteria, answers }: PlanDiff["steps"][number]): string[] {
  const place = moved ? `${from} → ${to}. ` : `${to ?? from}. `;
  const lines = [...reading(text, place), ...criteria.flatMap((item) => reading(item.text, "    must hold: "))];
  const [first = "", ...rest] = lines;
  const shown = moved && change === "same" ? first.replace(/^ /, "~") : first;
  return [`${shown}${answersText(answers)}`, ...rest];
}

/** The old reading and the new one, each in a line, or the one that both have. */
function reading(parts: readonly DiffPart[], before: string): string[] {
  const ops = new Set(parts.map(({ op }) => op));
  if (!ops.has("added") && !ops.has("removed")) return [`  ${before}${oneLine(sideOf(parts, "added"))}`];
  const isOnly = (op: DiffPart["op"]): boolean => ops.size === 1 && ops.has(op);
  const old = isOnly("added") ? [] : [`- ${before}${oneLine(sideOf(parts, "removed"))}`];
  const now = isOnly("removed") ? [] : [`+ ${before}${oneLine(sideOf(parts, "added"))}`];
  return [...old, ...now];
}

/** Of a section only what changed. */
function changedLines(parts: readonly DiffPart[]): string[] {
  const [old, now] = [sideOf(parts, "removed"), sideOf(parts, "added")].map((text) =>
    text === "" ? [] : revealHidden(text).split("\n"),
  );
  return compareLines(old ?? [], now ?? [])
    .filter(({ sign }) => sign !== " ")
    .map(({ sign, text }) => `${sign} ${text}`);
}

const sideOf = (parts: readonly DiffPart[], own: "added" | "removed"): string =>
  parts
    .filter(({ op }) => op === "same" || op === own)
    .map(({ text }) => text)
    .join("");

const answersText = (answers: readonly Answering[]): string =>
  answers.length === 0 ? "" : `  (answers ${names(answers)})`;
const names = (answers: readonly Answering[]): string =>
  answers.map(({ n, declared }) => `n${n}${declared ? "" : ", as it seems"}`).join("; ");
