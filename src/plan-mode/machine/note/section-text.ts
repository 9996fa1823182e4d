/** The text that a note's quote is looked for in: a section or a step as one text. */
import type { PlanBody, PlanStep } from "../../protocol/plan.ts";
import { planJobLine } from "../../protocol/job/plan-job-line.ts";
import type { PlanSection } from "../../protocol/review.ts";

/** The order in which a plan is read; the steps stand behind the summary. */
export const SECTION_ORDER: readonly PlanSection[] = [
  "summary",
  "analysis",
  "assumptions",
  "risks",
  "verification",
  "references",
  "jobs",
];

/** Undefined where the plan has no such section. */
export function sectionText(body: PlanBody, section: PlanSection): string | undefined {
  if (section === "summary" || section === "analysis") return body[section];
  if (section === "risks") return lines(body.risks?.map(({ risk, mitigation }) => `${risk} → ${mitigation}`));
  return lines(section === "jobs" ? body.jobs?.map(planJobLine) : body[section]);
}

const lines = (items: readonly string[] | undefined): string | undefined =>
  items === undefined || items.length === 0 ? undefined : items.join("\n");

export const stepText = ({ step, acceptanceCriteria = [] }: PlanStep): string =>
  [step, ...acceptanceCriteria].join("\n");
