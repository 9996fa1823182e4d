/** What changed between two revisions, section by section; the steps with everything around the change. */
import { diffArrays } from "diff/lib/diff/array.js"; // this one file: the whole package would be 19 at each start
import type { PlanBody, PlanStep } from "../../protocol/plan.ts";
import { oneLine, revealHidden } from "../../plugins/sdk.ts";

/** Beyond this many changed lines a section counts as rewritten: finding the shortest way there would take too long. */
const EDITS_MAX = 1_000;

type Line = { sign: " " | "-" | "+"; text: string };

export function renderPlanDiff(before: PlanBody, after: PlanBody): string {
  const sections: [title: string, lines: (body: PlanBody) => string[]][] = [
    ["Title", ({ title }) => [oneLine(title)]],
    ["Summary", ({ summary }) => textLines(summary)],
    ["Steps", ({ plan }) => plan.flatMap(stepLines)],
    ["Analysis", ({ analysis }) => textLines(analysis)],
    ["Assumptions", ({ assumptions }) => listLines(assumptions)],
    ["Risks", ({ risks }) => listLines(risks?.map(({ risk, mitigation }) => `${risk} → ${mitigation}`))],
    ["Verification", ({ verification }) => listLines(verification)],
    ["References", ({ references }) => listLines(references)],
  ];
  const changed = sections.flatMap(([title, lines]) => renderSection(title, compare(lines(before), lines(after))));
  return changed.length === 0 ? "No differences." : changed.join("\n");
}

function renderSection(title: string, lines: readonly Line[]): string[] {
  if (lines.every(({ sign }) => sign === " ")) return [];
  const shown = title === "Steps" ? lines : lines.filter(({ sign }) => sign !== " ");
  return [title, ...shown.map(({ sign, text }) => `${sign} ${text}`)];
}

function compare(before: string[], after: string[]): Line[] {
  const changes = diffArrays(before, after, { maxEditLength: EDITS_MAX });
  if (changes === undefined) return [...before.map(signed("-")), ...after.map(signed("+"))];
  return changes.flatMap(({ value, added, removed }) => value.map(signed(signOf({ added, removed }))));
}

function signOf({ added, removed }: { added: boolean; removed: boolean }): Line["sign"] {
  if (added) return "+";
  return removed ? "-" : " ";
}

const signed =
  (sign: Line["sign"]) =>
  (text: string): Line => ({ sign, text });

const stepLines = ({ step, acceptanceCriteria = [] }: PlanStep): string[] => [
  oneLine(step),
  ...acceptanceCriteria.map((criterion) => `    must hold: ${oneLine(criterion)}`),
];
const textLines = (text: string | undefined): string[] => (text === undefined ? [] : revealHidden(text).split("\n"));
const listLines = (items: readonly string[] | undefined): string[] => (items ?? []).map(oneLine);
