/** How the steps of a plan stand now, wherever the plan is shown: from its card, or from what was kept once the card is gone. */
import type { ApprovalCard, CardCriterion, CardStepStatus, ProofStanding } from "../../src/protocol/card/card.ts";
import type { PlanProgress, PlanStep } from "../../src/plan-mode/protocol/plan.ts";
import type { PlanModeState } from "../../src/plan-mode/protocol/state.ts";
import type { Evidence } from "../../src/plan-mode/protocol/step/evidence.ts";
import { evidenceFor, type Seen, standingOf } from "../../src/plan-mode/protocol/step/proof-standing.ts";

/** `earlier`: proven when its step was closed, which nothing else closes; what came later changed things once more. */
export type ShownStanding = ProofStanding | "earlier";

/** What was seen of a criterion that asks for a proof. */
export type SeenProof = { standing: ShownStanding; evidence: Evidence | undefined };

/** By the text of the step; `verified`: the criteria that the agent says it has verified. */
export type PresentSteps = ReadonlyMap<
  string,
  { status: CardStepStatus; verified: ReadonlySet<string>; proofs?: ReadonlyMap<string, SeenProof> }
>;

const NONE: PresentSteps = new Map();

/** `progress`: what was kept of the plan that is shown, once it ended. */
type Known = {
  card?: ApprovalCard | undefined;
  plan?: PlanModeState | undefined;
  progress?: Pick<PlanProgress, "steps" | "evidence" | "changes"> | undefined;
};

/** Empty while nothing was begun: then the plan is shown as it was submitted. */
export function presentSteps({ card, plan, progress }: Known): PresentSteps {
  if (card !== undefined)
    return card.state === "approved" || card.state === "edited" ? ofCard(card, seenIn(plan)) : NONE;
  if (progress !== undefined) return ofSteps(progress.steps, progress);
  if (plan === undefined || plan.now.phase !== "off" || plan.now.left === "never") return NONE;
  return ofSteps(plan.now.steps, undefined);
}

/** What was seen so far of the plan that is carried out. */
const seenIn = (plan: PlanModeState | undefined): Seen => (plan?.now.phase === "executing" ? plan.now : {});

const ofSteps = (steps: readonly PlanStep[], seen: Seen | undefined): PresentSteps =>
  new Map(
    steps.map(({ step, status, verifiedCriteria = [], proof = [] }) => [
      step,
      {
        status,
        verified: new Set(verifiedCriteria),
        ...(seen === undefined || proof.length === 0
          ? {}
          : { proofs: new Map(proof.map(({ criterion }) => [criterion, seenOf(seen, { step, status }, criterion)])) }),
      },
    ]),
  );

export const seenOf = (
  seen: Seen,
  { step, status }: Pick<PlanStep, "step" | "status">,
  criterion: string,
): SeenProof => ({
  standing: shownStanding(standingOf(seen, step, criterion), status),
  evidence: evidenceFor(seen, step, criterion),
});

const shownStanding = (standing: ProofStanding, status: CardStepStatus): ShownStanding =>
  standing === "outdated" && status === "completed" ? "earlier" : standing;

const ofCard = ({ steps }: ApprovalCard, seen: Seen): PresentSteps =>
  new Map(
    steps.map(({ text, status, criteria }) => [
      text,
      {
        status,
        verified: new Set(criteria.filter(({ verified }) => verified).map((criterion) => criterion.text)),
        ...proofsIn(criteria, { step: text, status, seen }),
      },
    ]),
  );

/** The card comes with the commit, the state a moment later: how it stands is the card's word. */
function proofsIn(
  criteria: readonly CardCriterion[],
  { step, status, seen }: { step: string; status: CardStepStatus; seen: Seen },
) {
  const asked = criteria.filter(({ proof }) => proof !== undefined);
  if (asked.length === 0) return {};
  return {
    proofs: new Map(
      asked.map(({ text, standing = "missing" }): [string, SeenProof] => [
        text.trim(),
        { standing: shownStanding(standing, status), evidence: evidenceFor(seen, step, text) },
      ]),
    ),
  };
}
