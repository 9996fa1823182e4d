/** An unfinished edit of a plan's steps, with the revision that it was made on; this tab's own, one for each session. */
import type { ApprovalId, PlanId, SessionId } from "../../../src/protocol/ids.ts";
import type { PlanRevision, PlanStep } from "../../../src/plan-mode/protocol/plan.ts";

/** What an edition is bound to: these very bytes. */
export type EditBase = { planId: PlanId; approvalId: ApprovalId; digest: string; revision: number };

export type KeptEdit = { base: EditBase; steps: PlanStep[] };

export const editBase = ({ planId, approvalId, digest, revision }: PlanRevision): EditBase => ({
  planId,
  approvalId,
  digest,
  revision,
});

const keyOf = (sessionId: SessionId): string => `holdpoint.steps.${sessionId}`;

/** `revisions`: of the plan that lies before people. One that was made on another plan of the session is not for it. */
export function readEdit(sessionId: SessionId, revisions: readonly PlanRevision[]): KeptEdit | undefined {
  const kept = sessionStorage.getItem(keyOf(sessionId));
  if (kept === null) return undefined;
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this module wrote it, and nobody else can
    const edit = JSON.parse(kept) as KeptEdit;
    return revisions.some(({ planId }) => planId === edit.base.planId) ? edit : undefined;
  } catch {
    return undefined;
  }
}

export function keepEdit(sessionId: SessionId, edit: KeptEdit | undefined): void {
  if (edit === undefined) return sessionStorage.removeItem(keyOf(sessionId));
  try {
    sessionStorage.setItem(keyOf(sessionId), JSON.stringify(edit));
  } catch {
    // no room left in this tab: the edit lives on as long as the view is open
  }
}
