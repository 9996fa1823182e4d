/** Exports a plan as Markdown. */
import { inline } from "../format.ts";
import { renderNotes } from "../render-notes.ts";
import { renderPlan } from "../render-plan.ts";
import { decisionLines, type ExportedPlan, identity, shownBody } from "./exported-plan.ts";

export function planMarkdown(exported: ExportedPlan): string {
  const { notes } = exported;
  const decisions = decisionLines(exported);
  return [
    renderPlan(shownBody(exported), { format: "markdown" }),
    ...(decisions.length === 0
      ? []
      : ["\n## Decisions\n", ...decisions.map((line) => `- ${inline(line, "markdown")}`)]),
    ...(notes.length === 0 ? [] : ["\n## Notes\n", renderNotes(notes, { format: "markdown" })]),
    "\n---\n",
    ...identity(exported).map(([name, value]) => `${name}: ${inline(value, "markdown")}  `),
    "",
  ].join("\n");
}
