/** Decisions about single steps, apart from those about a whole plan. The page uses this, so it holds no schema. */

/** Of a plan that was approved before: it stays approved. */
export const STEP_DECISIONS = ["released", "held", "skipped"] as const;

type Whole<Decision> = Exclude<Decision, (typeof STEP_DECISIONS)[number]>;

const STEPS_ONLY: ReadonlySet<string> = new Set(STEP_DECISIONS);

/** What was decided last about a plan as a whole. */
export const lastAboutPlan = <Fact extends { planId: string; decision: string }>(
  decisions: readonly Fact[],
  planId: string,
): (Fact & { decision: Whole<Fact["decision"]> }) | undefined =>
  decisions.findLast(
    (one): one is Fact & { decision: Whole<Fact["decision"]> } =>
      one.planId === planId && !STEPS_ONLY.has(one.decision),
  );
