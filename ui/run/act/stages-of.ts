/** How people staged the plan that is carried out: which of its steps are held or skipped, by their numbers in the signed plan. */
import type { By } from "../../../src/protocol/actor.ts";
import type { ApprovalId } from "../../../src/protocol/ids.ts";
import type { PlanModeState } from "../../../src/plan-mode/protocol/state.ts";

/** `signedBy`: who has accepted it so far, where one signature is not enough. */
export type Stage = { number: number; isHeld: boolean; isSkipped: boolean; signedBy: readonly By[] };
export type Stages = { approvalId: ApprovalId; digest: string; byStep: ReadonlyMap<string, Stage> };

/** Undefined where no plan is being carried out: then nothing can be decided about its steps. */
export function stagesOf(plan: PlanModeState | undefined): Stages | undefined {
  if (plan?.now.phase !== "executing") return undefined;
  const { submission, held = [], skipped = [] } = plan.now;
  const waiting = plan.loosening?.what.kind === "stage" ? plan.loosening : undefined;
  const accepted = waiting?.what.kind === "stage" ? waiting.what.steps : [];
  const signedBy = waiting?.signatures.map(({ by }) => by) ?? [];
  const stages = submission.steps.map(({ step }, index): [string, Stage] => {
    const number = index + 1;
    const isHeld = held.includes(number);
    return [
      step.trim(),
      {
        number,
        isHeld,
        isSkipped: skipped.includes(number),
        signedBy: isHeld && accepted.includes(number) ? signedBy : [],
      },
    ];
  });
  return { approvalId: submission.approvalId, digest: submission.digest, byStep: new Map(stages) };
}
