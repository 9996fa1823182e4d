/** An earlier plan as a message to an agent, which plans anew along it. Nothing that was approved then is approved now. */
import type { PlanRevision } from "../../plan-mode/protocol/plan.ts";
import { oneLine } from "../../plugins/sdk.ts";

const CRITERIA_MAX = 10;

export function planTemplate({ body, planId, revision }: PlanRevision): { title: string; text: string } {
  const steps = body.plan.flatMap(({ step, acceptanceCriteria = [] }, index) => [
    `${index + 1}. ${oneLine(step)}`,
    ...acceptanceCriteria.slice(0, CRITERIA_MAX).map((criterion) => `   - done when: ${oneLine(criterion)}`),
  ]);
  const lines = [
    `Plan this anew along an earlier plan of ours: "${oneLine(body.title)}" (${planId}, revision ${revision}).`,
    "Look at how things are now first, adapt the steps to that, and submit the plan as usual: the earlier approval does not count.",
    "",
    ...steps,
    ...section("How it was checked", body.verification),
    ...section("What was assumed", body.assumptions),
  ];
  return { title: body.title, text: lines.join("\n") };
}

const section = (heading: string, lines: readonly string[] | undefined): string[] =>
  lines === undefined || lines.length === 0 ? [] : ["", `${heading}:`, ...lines.map((line) => `- ${oneLine(line)}`)];
