/** One revision with its notes and decisions, as a document. The writers are loaded when somebody asks for one. */
import type { PlanRevision } from "../protocol/plan.ts";
import type { PlanResultOf } from "../protocol/plan-methods.ts";
import type { ExportedPlan } from "../render/export/exported-plan.ts";
import { notesOn } from "./notes-on.ts";
import { type PlanReading, progressOf } from "./plan-progress.ts";
import { reviewOf } from "./plan-records.ts";

type Exported = PlanResultOf<"plans.export">;
export type ExportFormat = "markdown" | "json" | "html";

const NAME_CHARS_MAX = 60;

/** Without `readSession` as it was submitted. `clean`: what else is left out of the document, for readers elsewhere. */
export async function exportPlan(
  plan: PlanRevision,
  format: ExportFormat,
  reading: Pick<PlanReading, "documents"> & Partial<PlanReading> & { clean?(document: ExportedPlan): ExportedPlan },
): Promise<Exported> {
  const { documents, readSession } = reading;
  const { notes, decisions } = await reviewOf(documents, plan);
  const since = readSession === undefined ? {} : await carriedOut(plan, { documents, readSession });
  const whole: ExportedPlan = { plan, notes: notesOn(plan, notes), decisions, ...since };
  const document = reading.clean?.(whole) ?? whole;
  switch (format) {
    case "json":
      return {
        filename: `${nameOf(document.plan)}.json`,
        mediaType: "application/json",
        text: JSON.stringify(document, null, 2),
      };
    case "markdown": {
      const { planMarkdown } = await import("../render/export/plan-markdown.ts");
      return {
        filename: `${nameOf(document.plan)}.md`,
        mediaType: "text/markdown; charset=utf-8",
        text: planMarkdown(document),
      };
    }
    case "html": {
      const { planHtml } = await import("../render/export/plan-html.ts");
      return {
        filename: `${nameOf(document.plan)}.html`,
        mediaType: "text/html; charset=utf-8",
        text: planHtml(document),
      };
    }
  }
}

type CarriedOut = Pick<ExportedPlan, "progress" | "evidence" | "amendments" | "sessionDeleted">;

async function carriedOut(plan: PlanRevision, reading: PlanReading): Promise<CarriedOut> {
  const progress = await progressOf(plan, reading);
  if (progress === undefined)
    return (await reading.readSession(plan.sessionId)) === undefined ? { sessionDeleted: true } : {};
  const { steps, evidence, amendments } = progress;
  return {
    progress: steps,
    ...(evidence === undefined ? {} : { evidence }),
    ...(amendments === undefined ? {} : { amendments }),
  };
}

/** Letters and digits of the title alone: a file's name comes from an agent here. */
function nameOf({ body, revision }: PlanRevision): string {
  const slug = body.title
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, NAME_CHARS_MAX);
  return `plan-${slug === "" ? "untitled" : slug}-r${revision}`;
}
