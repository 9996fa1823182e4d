/** How the steps of a plan stand now, wherever the plan is shown: from its card, or from the state once the card is gone. */
import type { ApprovalCard, CardCriterion, CardStepStatus } from "../../src/protocol/card/card.ts";
import type { PlanModeState } from "../../src/plan-mode/protocol/state.ts";

/** By the text of the step; `verified`: the criteria that the agent says it has verified. */
export type PresentSteps = ReadonlyMap<
  string,
  {
    status: CardStepStatus;
    verified: ReadonlySet<string>;
    /** What was seen of the criteria that ask for a proof, by their texts. */
    proofs?: ReadonlyMap<string, Pick<CardCriterion, "standing" | "seen">>;
  }
>;

const NONE: PresentSteps = new Map();

/** Empty while nothing was begun: then the plan is shown as it was submitted. */
export function presentSteps(card: ApprovalCard | undefined, plan: PlanModeState | undefined): PresentSteps {
  if (card !== undefined) return card.state === "approved" || card.state === "edited" ? ofCard(card) : NONE;
  if (plan === undefined || plan.now.phase !== "off" || plan.now.left === "never") return NONE;
  return new Map(
    plan.now.steps.map(({ step, status, verifiedCriteria = [] }) => [
      step,
      { status, verified: new Set(verifiedCriteria) },
    ]),
  );
}

const ofCard = ({ steps }: ApprovalCard): PresentSteps =>
  new Map(
    steps.map(({ text, status, criteria }) => [
      text,
      {
        status,
        verified: new Set(criteria.filter(({ verified }) => verified).map((criterion) => criterion.text)),
        ...proofsIn(criteria),
      },
    ]),
  );

function proofsIn(criteria: readonly CardCriterion[]) {
  const seen = criteria.filter(({ proof }) => proof !== undefined);
  return seen.length === 0 ? {} : { proofs: new Map(seen.map((criterion) => [criterion.text, criterion])) };
}
