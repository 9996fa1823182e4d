/** The plan that the demo submits, and how it finds back, after the approval, what exactly was approved. */
import { z } from "zod";
import type { JsonObject } from "../../protocol/json.ts";
import { type Cycle, findings } from "./cycle.ts";
import { type Made, oneLine } from "./view.ts";

const TITLE_CHARS_MAX = 60;
const EXACT_TEXT = "This text will be written, exactly:\n\n";

type Brief = {
  cycle: Cycle;
  target: string;
  assumption: string | undefined;
  feedback: readonly string[];
  revision: number;
};

/** Decision-complete: what is approved is the very text, the very file, and how both are checked. */
export function planFor({ cycle, target, assumption, feedback, revision }: Brief): JsonObject {
  const heading = oneLine(cycle.wish.replace(/[#`*_[\]<>]|[.!?\s]+$/g, ""), TITLE_CHARS_MAX) || "Note";
  const section = sectionText(heading, cycle, feedback);
  const reviewed = feedback.map((remark) => ({
    step: `Answer the review: "${remark}"`,
    status: "pending",
    acceptanceCriteria: [`The section in ${target} names the remark "${remark}"`],
  }));
  return {
    title: `Note in ${target}: ${heading}`,
    summary: `${revision > 1 ? `Revision ${revision}. ` : ""}Adds one short section to ${target} and touches nothing else.${feedback.length > 0 ? ` Takes up: ${feedback.map((remark) => `"${remark}"`).join(", ")}.` : ""}`,
    analysis: `${EXACT_TEXT}${section}`,
    plan: [
      {
        step: `Add the section "${heading}" to ${target}`,
        activeForm: `Adding the section to ${target}`,
        status: "pending",
        acceptanceCriteria: [`${target} contains the heading "## ${heading}"`],
      },
      ...reviewed,
      {
        step: `Read ${target} back and compare it with this plan`,
        activeForm: `Comparing ${target} with the plan`,
        status: "pending",
        acceptanceCriteria: [`${target} contains the section word for word`],
      },
    ],
    assumptions: assumption === undefined ? [] : [assumption],
    risks: [
      {
        risk: `${target} changes between approval and writing`,
        mitigation: "It is read again just before, and what stands there is kept.",
      },
    ],
    verification: [`Read ${target} and compare it with the text above`, `Search the workspace for "## ${heading}"`],
    references: [target],
  };
}

function sectionText(heading: string, cycle: Cycle, feedback: readonly string[]): string {
  const remarks = feedback.length === 0 ? [] : ["", "From the review:", "", ...feedback.map((remark) => `- ${remark}`)];
  return [
    `## ${heading}`,
    "",
    `Asked for: ${cycle.wish}`,
    "",
    "Found before planning:",
    "",
    ...findings(cycle).map((finding) => `- ${finding}`),
    ...remarks,
    "",
    "Written by Holdpoint's scripted demo agent after a person approved this text.",
    "",
  ].join("\n");
}

const Submitted = z.object({
  title: z.string(),
  analysis: z.string().startsWith(EXACT_TEXT),
  references: z.array(z.string()).min(1),
  plan: z.array(z.object({ step: z.string(), acceptanceCriteria: z.array(z.string()).optional() })),
});

export type Approved = { title: string; target: string; section: string; steps: z.infer<typeof Submitted>["plan"] };

/** The plan as last submitted; only that may be carried out. */
export function approvedPlan(submission: Made | undefined): Approved | undefined {
  const plan = Submitted.safeParse(submission?.call.args).data;
  const target = plan?.references[0];
  if (plan === undefined || target === undefined) return undefined;
  return { title: plan.title, target, section: plan.analysis.slice(EXACT_TEXT.length), steps: plan.plan };
}
