/** The steps of a plan as its calls in the conversation describe them: any tool or agent may have written these. */
import { CARD_STEP_STATUSES, type CardStep, type CardStepStatus } from "../../../src/protocol/card/card.ts";
import type { Json, JsonObject } from "../../../src/protocol/json.ts";

export type ShownStep = Pick<CardStep, "text" | "status" | "activeForm">;

const STEPS_MAX = 500;

/** The steps in the arguments of `exit_plan_mode` or `update_plan`; an unknown status counts as pending. */
export function stepsIn(args: JsonObject | undefined): ShownStep[] {
  const plan = args?.["plan"];
  return Array.isArray(plan) ? plan.slice(0, STEPS_MAX).flatMap(stepIn) : [];
}

function stepIn(value: Json): ShownStep[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  const { step, status, activeForm } = value;
  if (typeof step !== "string" || step.trim() === "") return [];
  const doing = typeof activeForm === "string" && activeForm.trim() !== "" ? { activeForm } : {};
  return [{ text: step.trim(), status: CARD_STEP_STATUSES.find((known) => known === status) ?? "pending", ...doing }];
}

/** As `update_plan` changes them: `merge` joins by the text of a step, everything else takes their place. */
export function stepsAfter(before: readonly ShownStep[], args: JsonObject | undefined): ShownStep[] {
  const given = stepsIn(args);
  if (args?.["merge"] !== true) return given;
  const changed = new Map(given.map((step) => [step.text, step]));
  const known = new Set(before.map(({ text }) => text));
  return [
    ...before.map((step) => ({ ...step, ...changed.get(step.text) })),
    ...given.filter(({ text }) => !known.has(text)),
  ].slice(0, STEPS_MAX);
}

const CLOSED: ReadonlySet<CardStepStatus> = new Set(["completed", "cancelled"]);

export const areClosed = (steps: readonly Pick<CardStep, "status">[]): boolean =>
  steps.length > 0 && steps.every(({ status }) => CLOSED.has(status));
