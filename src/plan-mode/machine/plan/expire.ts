/** The deadline of whatever waits: only time, never a person, makes this happen. */
import type { ApprovalId } from "../../../protocol/ids.ts";
import type { PlanModeState } from "../../protocol/state.ts";
import { refuse } from "../../protocol/refuse.ts";
import { closeQuestion } from "./cycle.ts";
import type { PlanDecision } from "../decision.ts";
import type { PlanContext } from "../actors.ts";

export function expire(state: PlanModeState, approvalId: ApprovalId, context: PlanContext): PlanDecision {
  const { now, question } = state;
  if (now.phase === "pending" && now.submission.approvalId === approvalId) {
    return { events: [{ type: "plan.timed_out", approvalId, atMs: context.nowMs }], reply: null };
  }
  if (question?.approvalId === approvalId) {
    return { events: closeQuestion(state, "timed_out", context), reply: null };
  }
  return refuse("APPROVAL_NOT_PENDING", "Nothing waits under this id any more.");
}
