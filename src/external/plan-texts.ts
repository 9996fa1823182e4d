/** A plan of an agent outside: from the text that it wrote to the steps that people sign, and back where they changed them. */
import { parsePlanText } from "../plan-mode/tools/plan-text.ts";
import type { PlanStep } from "../plan-mode/protocol/plan.ts";
import type { PlanRequest } from "../protocol/external/decisions.ts";
import type { JsonObject } from "../protocol/json.ts";

const TITLE_CHARS_MAX = 200;
const STEP_CHARS_MAX = 2_000;
const STEPS_MAX = 500;
const CRITERIA_MAX = 50;
const SECTION_CHARS_MAX = 65_536;

/** The arguments of exit_plan_mode; undefined where the plan says nothing. */
export function planArguments({ plan, agent }: Pick<PlanRequest, "plan" | "agent">): JsonObject | undefined {
  const { title, text = "", steps: given, summary, verification } = plan;
  const read = given === undefined ? parsePlanText(text) : { plan: given };
  const steps = apart(
    read.plan
      .filter(({ step }) => step.trim() !== "")
      .slice(0, STEPS_MAX)
      .map(({ step, acceptanceCriteria = [] }) => ({
        step: step.trim().slice(0, STEP_CHARS_MAX),
        ...(acceptanceCriteria.length === 0
          ? {}
          : {
              acceptanceCriteria: acceptanceCriteria.slice(0, CRITERIA_MAX).map((one) => one.slice(0, STEP_CHARS_MAX)),
            }),
      })),
  );
  if (steps.length === 0) return undefined;
  const about = summary ?? ("summary" in read ? read.summary : undefined);
  const rest = "analysis" in read ? read.analysis : undefined;
  return {
    title: title?.trim() || headingOf(text) || `Plan of ${agent}`,
    plan: steps,
    ...(about === undefined ? {} : { summary: about.slice(0, SECTION_CHARS_MAX) }),
    ...(rest === undefined ? {} : { analysis: rest.slice(0, SECTION_CHARS_MAX) }),
    ...(verification === undefined ? {} : { verification }),
  };
}

/** Steps are told apart by their text. */
function apart<Step extends { step: string }>(steps: readonly Step[]): Step[] {
  const seen = new Map<string, number>();
  return steps.map((one) => {
    const times = (seen.get(one.step) ?? 0) + 1;
    seen.set(one.step, times);
    return times === 1 ? one : { ...one, step: `${one.step.slice(0, STEP_CHARS_MAX - 8)} (${times})` };
  });
}

const headingOf = (text: string): string =>
  (/^#{1,6}[ \t]+(?<title>\S.*)$/m.exec(text)?.groups?.["title"] ?? "").trim().slice(0, TITLE_CHARS_MAX);

/** As Markdown, for an agent that keeps its plan as a text. */
export function planAsText(title: string, steps: readonly PlanStep[]): string {
  const lines = steps.flatMap(({ step, acceptanceCriteria = [] }, index) => [
    `${index + 1}. ${step}`,
    ...acceptanceCriteria.map((criterion) => `   - ${criterion}`),
  ]);
  return `# ${title}\n\n${lines.join("\n")}\n`;
}
