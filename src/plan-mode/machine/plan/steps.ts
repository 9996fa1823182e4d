/** Steps of a plan: how a patch joins them, and what it may not do to them. */
import { isTerminal, type PlanStep, STEPS_MAX } from "../../protocol/plan.ts";
import type { Refused } from "../../../protocol/refusal.ts";
import { refuse } from "../../protocol/refuse.ts";
import { localized } from "../../texts/localized.ts";

/** What no list of steps may be, whoever wrote it: ambiguous about a step, or at two places at once. */
export function refuseSteps(steps: readonly PlanStep[]): Refused | undefined {
  if (steps.length > STEPS_MAX) return refuse("PLAN_INVALID", localized("stepsMax", { max: STEPS_MAX }));
  const texts = steps.map((step) => step.step.trim());
  const twice = texts.find((text, index) => texts.indexOf(text) !== index);
  if (twice !== undefined) {
    return refuse("PLAN_INVALID", localized("stepTwice", { step: twice }));
  }
  const active = steps.filter((step) => step.status === "in_progress");
  if (active.length > 1) {
    return refuse("PLAN_INVALID", "At most one step is in_progress at a time. Set the others to pending.", {
      in_progress: active.map((step) => step.step),
    });
  }
  return undefined;
}

/** A proposal has nothing behind it yet: what is done cannot be approved, and what is verified in advance is not. */
export function refuseBornClosed(steps: readonly PlanStep[]): Refused | undefined {
  const closed = steps.filter(isTerminal);
  if (closed.length > 0) {
    return refuse(
      "PLAN_INVALID",
      "A submitted plan holds only what is still to do: its steps are pending, at most one in_progress. Leave finished and cancelled steps out, or mention them in summary.",
      { steps: closed.map((step) => step.step) },
    );
  }
  const verified = steps.find((step) => (step.verifiedCriteria?.length ?? 0) > 0);
  if (verified === undefined) return undefined;
  return refuse("PLAN_INVALID", `The step "${verified.step}" names verifiedCriteria before any work. Leave them out.`);
}

/** The closure gate: completed means that every criterion declared was verified. */
export function refuseUnverified(steps: readonly PlanStep[]): Refused | undefined {
  const open = steps
    .filter((step) => step.status === "completed")
    .map((step) => ({ step: step.step, missing: missingCriteria(step) }))
    .find(({ missing }) => missing.length > 0);
  if (open === undefined) return undefined;
  return refuse(
    "STEP_NOT_VERIFIED",
    `The step "${open.step}" is not verified. Check each criterion, then repeat it word for word in verifiedCriteria.`,
    open,
  );
}

function missingCriteria({ acceptanceCriteria = [], verifiedCriteria = [] }: PlanStep): string[] {
  const verified = new Set(verifiedCriteria.map((criterion) => criterion.trim()));
  return acceptanceCriteria.map((criterion) => criterion.trim()).filter((criterion) => !verified.has(criterion));
}

/** Joined by step text: what the patch leaves out stays, order stays, new steps come last. */
export function mergeSteps(before: readonly PlanStep[], patch: readonly PlanStep[]): PlanStep[] {
  const changes = new Map(patch.map((step) => [step.step.trim(), step]));
  const known = new Set(before.map((step) => step.step.trim()));
  const changed = before.map((step) => ({ ...step, ...changes.get(step.step.trim()) }));
  return [...changed, ...patch.filter((step) => !known.has(step.step.trim()))];
}

/** A replacing list that says nothing of a step's criteria does not take them away. */
export function keepCriteria(approved: readonly PlanStep[], steps: readonly PlanStep[]): PlanStep[] {
  const criteria = new Map(approved.map((step) => [step.step.trim(), step.acceptanceCriteria]));
  return steps.map((step) => {
    const agreed = criteria.get(step.step.trim());
    return step.acceptanceCriteria === undefined && agreed !== undefined
      ? { ...step, acceptanceCriteria: agreed }
      : step;
  });
}

/** What a person signed stays: a step may be cancelled, in the open, but not dropped or made easier. */
export function refuseWeakened(approved: readonly PlanStep[], steps: readonly PlanStep[]): Refused | undefined {
  const after = new Map(steps.map((step) => [step.step.trim(), step]));
  for (const { step: text, acceptanceCriteria = [] } of approved) {
    const step = after.get(text.trim());
    if (step === undefined) {
      return refuse("PLAN_INVALID", `The approved step "${text}" is missing. Keep it, or set it to cancelled.`, {
        step: text,
      });
    }
    const kept = new Set((step.acceptanceCriteria ?? []).map((criterion) => criterion.trim()));
    const missing = acceptanceCriteria.filter((criterion) => !kept.has(criterion.trim()));
    if (missing.length > 0) {
      return refuse(
        "PLAN_INVALID",
        `The approved step "${text}" lost acceptance criteria. Keep them; cancel the step and add a revised one if it is no longer viable.`,
        { step: text, missing },
      );
    }
  }
  return undefined;
}
