/** Decisions about single steps, apart from those about a whole plan. The page uses this, so it holds no schema. */
import type { PlanId } from "../../../protocol/ids.ts";
import type { PlanDecided } from "../review.ts";

/** Of a plan that was approved before: it stays approved. */
export const STEP_DECISIONS = ["released", "held", "skipped"] as const;

export type WholeDecision = PlanDecided & {
  decision: Exclude<PlanDecided["decision"], (typeof STEP_DECISIONS)[number]>;
};

const STEPS_ONLY: ReadonlySet<string> = new Set(STEP_DECISIONS);

/** What was decided last about a plan as a whole. */
export const lastAboutPlan = (decisions: readonly PlanDecided[], planId: PlanId): WholeDecision | undefined =>
  decisions.findLast((one): one is WholeDecision => one.planId === planId && !STEPS_ONLY.has(one.decision));
