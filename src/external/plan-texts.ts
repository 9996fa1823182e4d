/** A plan of an agent outside: from the text that it wrote to the steps that people sign, and back where they changed them. */
import { parsePlanText, type PlanText } from "../plan-mode/tools/plan-text.ts";
import type { PlanStep } from "../plan-mode/protocol/plan.ts";
import type { PlanRequest } from "../protocol/external/decisions.ts";
import { Json, type JsonObject } from "../protocol/json.ts";

const TITLE_CHARS_MAX = 200;
const STEP_CHARS_MAX = 2_000;
const STEPS_MAX = 500;
const CRITERIA_MAX = 50;
const SECTION_CHARS_MAX = 65_536;

/** The arguments of exit_plan_mode; undefined where the plan says nothing. */
export function planArguments({ plan, agent }: Pick<PlanRequest, "plan" | "agent">): JsonObject | undefined {
  const { title, text = "", steps: given, verification } = plan;
  const read: Partial<PlanText> = given === undefined ? parsePlanText(text) : {};
  const steps = apart((given ?? read.plan ?? []).filter(({ step }) => step.trim() !== "").map(shortStep));
  if (steps.length === 0) return undefined;
  return {
    title: title?.trim() || headingOf(text) || `Plan of ${agent}`,
    plan: Json.parse(steps),
    ...section("summary", plan.summary ?? read.summary),
    ...section("analysis", read.analysis),
    ...(verification === undefined ? {} : { verification }),
  };
}

const section = (name: string, text: string | undefined): JsonObject =>
  text === undefined ? {} : { [name]: text.slice(0, SECTION_CHARS_MAX) };

type GivenStep = NonNullable<PlanRequest["plan"]["steps"]>[number];

function shortStep({ step, acceptanceCriteria = [] }: GivenStep): GivenStep {
  const short = step.trim().slice(0, STEP_CHARS_MAX);
  if (acceptanceCriteria.length === 0) return { step: short };
  const criteria = acceptanceCriteria.slice(0, CRITERIA_MAX).map((one) => one.slice(0, STEP_CHARS_MAX));
  return { step: short, acceptanceCriteria: criteria };
}

/** Steps are told apart by their text. */
function apart<Step extends { step: string }>(steps: readonly Step[]): Step[] {
  const seen = new Map<string, number>();
  return steps.slice(0, STEPS_MAX).map((one) => {
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
