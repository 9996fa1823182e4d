/** Exports a plan as Markdown. */
import { inline } from "../format.ts";
import { renderNotes } from "../render-notes.ts";
import { renderPlan } from "../render-plan.ts";
import {
  amendmentLines,
  decidingWords,
  decisionLines,
  type ExportedPlan,
  identity,
  proofLines,
  shownBody,
} from "./exported-plan.ts";

export function planMarkdown(exported: ExportedPlan): string {
  const { notes } = exported;
  const decisions = decisionLines(exported);
  const deciding = decidingWords(exported);
  const proofs = shownBody(exported).plan.flatMap((step) =>
    [...proofLines(exported, step)].map(([criterion, line]) => `${criterion}: ${line}`),
  );
  return [
    renderPlan(shownBody(exported), { format: "markdown" }),
    ...listed("Proofs", proofs),
    ...listed("Amendments", amendmentLines(exported)),
    ...listed("Decisions", decisions),
    ...(notes.length === 0 ? [] : ["\n## Notes\n", renderNotes(notes, { format: "markdown" })]),
    "\n---\n",
    ...(deciding === undefined ? [] : [inline(deciding.text, "markdown"), ""]),
    ...identity(exported).map(([name, value]) => `${name}: ${inline(value, "markdown")}  `),
    "",
  ].join("\n");
}

const listed = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`\n## ${title}\n`, ...lines.map((line) => `- ${inline(line, "markdown")}`)];
