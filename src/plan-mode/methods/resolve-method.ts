/** `plan_mode_resolve`, which every awaiting line names: a person's decision by the id of the plan that was shown. */
import { z } from "zod";
import type { PLAN_METHODS } from "../protocol/plan-methods.ts";
import { SessionMode } from "../protocol/state.ts";
import { refuse } from "../protocol/refuse.ts";
import { type Answers, type Documents, isBlank } from "../../plugins/sdk.ts";
import { planRevision } from "./plan-records.ts";

type ResolveMethods = Pick<Answers<typeof PLAN_METHODS>, "plan_mode_resolve">;

export function resolveMethods(documents: Documents): ResolveMethods {
  return {
    async plan_mode_resolve({ plan_id: planId, decision, reason = "", over_rejection: overRejection = false }, call) {
      if (decision === "reject" && isBlank(reason)) return NO_REASON;
      const plan = await planRevision(documents, planId);
      if (plan === undefined) return refuse("PLAN_NOT_FOUND", "There is no such plan. List them with plans.list.");
      const { sessionId, approvalId, digest } = plan;
      const value =
        decision === "approve"
          ? { action: "approve", approvalId, digest, ...(overRejection ? { overRejection } : {}) }
          : { action: "reject", approvalId, feedback: reason };
      const outcome = await call.setField({ sessionId, field: "planApproval", value });
      if (!outcome.ok) return { refused: outcome.refusal };
      const { unlocked_at = null, ...decided } = Decided.parse(outcome.reply);
      return { plan_id: planId, session_id: sessionId, ...decided, unlocked_at };
    },
  };
}

const NO_REASON = refuse("FEEDBACK_REQUIRED", "A rejection needs a reason, so that the agent knows what to change.");

const Decided = z.object({
  decision: z.enum(["approved", "rejected", "signed"]),
  mode: SessionMode,
  unlocked_at: z.string().optional(),
});
