/** What keeps a step from being completed: criteria whose proof was not seen, or not since the last change (BY-04). */
import type { PlanSeen, PlanStep } from "../../protocol/plan.ts";
import type { Refused } from "../../../protocol/refusal.ts";
import { refuse } from "../../protocol/refuse.ts";
import type { PhaseOf, PlanPhase } from "../../protocol/state.ts";
import type { ProofStanding } from "../../../protocol/card/card.ts";
import type { Proof } from "../../protocol/step/proof.ts";
import { standingOf } from "../../protocol/step/proof-standing.ts";
import { proofLine } from "../../protocol/step/step-lines.ts";

type Executing = PhaseOf<"executing">;
/** What is kept beside the plan when it ends. */
export function seenIn({ evidence, amendments, changes }: Executing): { seen?: PlanSeen } {
  if (evidence === undefined && amendments === undefined) return {};
  const isCounted = evidence !== undefined && changes !== undefined;
  return {
    seen: {
      ...(evidence === undefined ? {} : { evidence }),
      ...(isCounted ? { changes } : {}),
      ...(amendments === undefined ? {} : { amendments }),
    },
  };
}

/** Whether the plan asks for any proof: where it does not, nothing is counted. */
export const asksForProof = ({ submission }: Executing): boolean =>
  submission.steps.some(({ proof }) => proof !== undefined);

const WHY: Readonly<Record<Exclude<ProofStanding, "proven" | "waived">, string>> = {
  missing: "nothing was seen of it yet",
  failed: "what was seen says no",
  outdated: "something was changed since",
};

/** Completing a step again, after it was taken up again, needs proofs that are newer than what was changed then. */
export function refuseUnproven(now: PlanPhase, steps: readonly PlanStep[]): Refused | undefined {
  if (now.phase !== "executing" || !asksForProof(now)) return undefined;
  const closed = new Set(now.steps.filter(({ status }) => status === "completed").map(({ step }) => step.trim()));
  for (const { step, status, proof = [] } of steps) {
    if (status !== "completed" || closed.has(step.trim())) continue;
    const missing = proof.flatMap((one) => missingOf(now, step, one));
    if (missing.length > 0) return unproven(step, missing);
  }
  return undefined;
}

type Missing = { criterion: string; proof: string; why: string };

function missingOf(now: Executing, step: string, proof: Proof): Missing[] {
  const standing = standingOf(now, step, proof.criterion);
  if (standing === "proven" || standing === "waived") return [];
  return [{ criterion: proof.criterion, proof: proofLine(proof), why: WHY[standing] }];
}

function unproven(step: string, missing: Missing[]): Refused {
  const list = missing.map(({ criterion, proof, why }) => `"${criterion}" (${proof}: ${why})`).join("; ");
  return refuse(
    "STEP_NOT_PROVEN",
    `The step "${step}" is not proven: ${list}. Make the calls that prove it, after your last change; what only a person can confirm, ask them for. Where a proof cannot be had, a person may waive it with /plan waive.`,
    { step, missing },
  );
}
