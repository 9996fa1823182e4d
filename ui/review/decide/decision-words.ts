/** What somebody decided, with the steps that it is about where it is not about all of them. */
import type { PlanDecided } from "../../../src/plan-mode/protocol/review.ts";
import { t } from "../../i18n/t.ts";
import { stepRanges } from "./step-ranges.ts";

export function decisionWords({ decision, steps }: Pick<PlanDecided, "decision" | "steps">): string {
  const words = t(`review.decision_${decision}`);
  return steps === undefined ? words : t("review.decisionSteps", { decision: words, steps: stepRanges(steps) });
}
