/** A comparison of two revisions for the terminal and for chats: section by section, each change with what it answers. */
import type { DiffPart } from "../protocol/plan-diff.ts";
import type { Answering, PlanDiff } from "../protocol/review.ts";
import { lines, type LocalizedText } from "../../protocol/localized/localized-text.ts";
import { localized } from "../texts/localized.ts";
import { oneLine, revealHidden } from "../../plugins/sdk.ts";
import { compareLines } from "../machine/compare/unified-text.ts";

/** Changed lines begin with their sign: + new, - gone, ~ moved. */
export function diffWords(diff: PlanDiff): LocalizedText {
  const title = diff.title === null ? [] : [localized("section_title"), ...reading(diff.title, "")];
  const sections = diff.sections.flatMap(({ section, text, answers }) => [
    localized(`section_${section}`),
    ...answersLines(answers),
    ...changedLines(text),
  ]);
  const elsewhere = diff.declaredElsewhere;
  const said = elsewhere.length === 0 ? [] : [localized("diffElsewhere", { notes: names(elsewhere) })];
  const changes = [...title, ...sections, ...stepLines(diff), ...said];
  const { kind, name } = diff.to.author;
  const by = kind === "agent" ? localized("theAgent") : oneLine(name);
  const head = localized("diffHead", { from: diff.from.revision, to: diff.to.revision, name: by });
  return lines([head, ...(changes.length === 0 ? [localized("diffNone")] : changes)]);
}

export const renderDiff = (diff: PlanDiff): string => diffWords(diff).text;

/** All of them, with everything around the change: what a step means depends on its neighbours. */
function stepLines({ steps }: PlanDiff): (string | LocalizedText)[] {
  if (steps.every(({ change, moved }) => change === "same" && !moved)) return [];
  return [localized("section_steps"), ...steps.flatMap(stepLine)];
}

function stepLine({
  change,
  moved,
  from,
  to,
  text,
  criteria,
  answers,
}: PlanDiff["steps"][number]): (string | LocalizedText)[] {
  const place = moved ? `${from} → ${to}. ` : `${to ?? from}. `;
  const [first = "", ...rest] = reading(text, place);
  const shown = moved && change === "same" ? first.replace(/^ /, "~") : first;
  return [shown, ...rest, ...criteria.flatMap((item) => mustHold(item.text)), ...answersLines(answers)];
}

const mustHold = (text: readonly DiffPart[]): LocalizedText[] =>
  reading(text, "").map((line) => localized("diffMustHold", { sign: line.charAt(0), text: line.slice(2) }));

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

/** What the agent declared is told apart from what only looks so. */
function answersLines(answers: readonly Answering[]): LocalizedText[] {
  const declared = answers.filter((answer) => answer.declared);
  const seeming = answers.filter((answer) => !answer.declared);
  return [
    ...(declared.length === 0 ? [] : [localized("diffAnswers", { notes: names(declared) })]),
    ...(seeming.length === 0 ? [] : [localized("diffSeems", { notes: names(seeming) })]),
  ];
}

const names = (answers: readonly Pick<Answering, "n">[]): string => answers.map(({ n }) => `n${n}`).join(", ");
