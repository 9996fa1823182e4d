/**
 * The mutation gate. It asks the stored mode and nothing else: in plan mode only reading passes. It does not ask
 * whether the feature is switched on: a session that is in plan mode while somebody edits the configuration stays
 * locked until a person decides or leaves, because a changed setting is no signature. Where the feature is off no
 * session can get into plan mode, so there the gate has nothing to say.
 */
import type { GateRefusal } from "../../protocol/gate.ts";
import type { PhaseOf, PlanModeState, PlanPhase } from "../../protocol/plan-mode.ts";
import type { GatedCall, GuardVerdict } from "../../plugins/sdk.ts";
import { rfc3339 } from "./text/rfc3339.ts";

export function planGate({ now }: PlanModeState, call: GatedCall): GuardVerdict {
  if (now.mode === "plan" && call.effect !== "read") return { allowed: false, refusal: refusal(now, call) };
  return now.phase === "executing" ? { allowed: true, under: signedAs(now) } : ALLOWED;
}

const ALLOWED: GuardVerdict = { allowed: true };

/** The signature that a call runs under: kept with its claim, so that each change can be traced to the plan's exact text. */
const signedAs = ({ submission, approval }: PhaseOf<"executing">) => ({
  approvalId: submission.approvalId,
  planDigest: submission.digest,
  approval,
});

type Planning = Extract<PlanPhase, { mode: "plan" }>;

function refusal({ cycle, approval }: Planning, call: GatedCall): GateRefusal {
  return {
    tool_name: call.tool,
    tool_kind: call.kind,
    hint: HINTS[approval],
    entered_at: rfc3339(cycle.enteredAtMs),
    entered_reason: cycle.reason,
    rule: "plan-mode/read-only",
    matched: `effect=${call.effect}`,
    message: `${call.tool} was not run: the session is in plan mode, where only reading is allowed. ${HINTS[approval]}`,
  };
}

const HINTS: Readonly<Record<Planning["approval"], string>> = {
  none: "Explore with reading tools, then submit a plan with exit_plan_mode.",
  pending: "Your plan waits for a person: stop here and wait for the decision.",
  rejected: "Revise the plan by the feedback and submit it with exit_plan_mode.",
  timed_out: "The approval expired: submit the plan again with exit_plan_mode.",
};
