/**
 * The mutation gate. It asks the stored mode and nothing else: in plan mode only reading passes. It does not ask
 * whether the feature is switched on: a session that is in plan mode while somebody edits the configuration stays
 * locked until a person decides or leaves, because a changed setting is no signature. Where the feature is off no
 * session can get into plan mode, so there the gate has nothing to say. Outside plan mode a hold (PL-19) lets only
 * reading pass as well, as do a plan whose approver was revoked and, where sessions begin in plan mode, one that is done;
 * and the permission mode may still hold a call.
 */
import type { GateRefusal } from "../../protocol/gate.ts";
import type { PlanModeEvent } from "../protocol/event.ts";
import type { CallGrant, PhaseOf, PlanModeState, PlanPhase } from "../protocol/state.ts";
import type { GatedCall, GuardVerdict, RefusedCall } from "../../plugins/sdk.ts";
import { aboutCall } from "./grant/about-call.ts";
import { coveringGrant } from "./grant/grant.ts";
import { countChange } from "./evidence/capture.ts";
import { permissionGuard } from "./permission/permission.ts";
import type { PlanContext } from "./actors.ts";
import { nextRequestRule } from "./plan/enter.ts";
import { scopeKey } from "./scope/plan-scope.ts";
import { isAtCheckpoint } from "./stage/stages.ts";
import { isApproverRevoked, isRevoked } from "./signature/revoked.ts";

/** The name under which plan mode is stored in a session. */
export const PLAN_MODE_SLICE = "planMode";

export const PLAN_GATE_POLICY = "plan-mode/gate";
export const DESTRUCTIVE_POLICY = "plan-mode/auto-destructive";
const READ_ONLY_RULE = "plan-mode/read-only";
const HELD_RULE = "plan-mode/held";

/** Whether plan mode itself refused, here or in a session above; the loop check, hooks and permissions refuse as well. */
export function isByPlanMode({ now }: PlanModeState, { by, rule }: RefusedCall): boolean {
  if (by === PLAN_GATE_POLICY || by === DESTRUCTIVE_POLICY) return true;
  // the guard speaks for permissions too: in a session above, only the rule tells them apart
  return (
    by === PLAN_MODE_SLICE && (now.mode === "plan" || rule.startsWith(READ_ONLY_RULE) || rule.startsWith(HELD_RULE))
  );
}

/** In plan mode only reading passes, or the one call that a person allowed once (`nowMs` is needed for that alone). */
export function planGate(state: PlanModeState, call: GatedCall, context: GateContext = NEVER): GuardVerdict {
  const { now } = state;
  const { nowMs } = context;
  if (call.effect === "read") return ALLOWED;
  if (state.held !== undefined) return refused(holdRefusal(now, call));
  if (relies(call)) {
    const grant = coveringGrant(state, call, nowMs);
    return grant === undefined || isRevoked(grant, context) ? refused(grantGone(now, call)) : covered(now, grant);
  }
  if (now.mode === "plan") return refused(planRefusal(now, call));
  const limited = refuseByPlan(state, call, context) ?? permissionGuard(state, call);
  if (limited !== undefined) return refused(limited);
  return now.phase === "executing" ? { allowed: true, under: signedAs(now) } : ALLOWED;
}

/** What the plan that was approved, or is done, does not cover. */
function refuseByPlan(state: PlanModeState, call: GatedCall, context: GateContext): GateRefusal | undefined {
  const { now } = state;
  if (isApproverRevoked(state, context)) return revokedRefusal(now, call);
  if (isPlanDone(state, context)) return doneRefusal(now, call);
  if (isAtCheckpoint(now)) return checkpointRefusal(now, call);
  return scopeKey(now) === scopeIn(call) ? undefined : scopeRefusal(now, call);
}

/** Why nothing may change here now, whatever was allowed before: this also ends what runs. */
export function lockOf(state: PlanModeState, context: Pick<PlanContext, "revoked">): Lock | undefined {
  if (state.held !== undefined) return "held";
  if (state.now.mode === "plan") return "plan";
  if (isApproverRevoked(state, context)) return "revoked";
  return isAtCheckpoint(state.now) ? "checkpoint" : undefined;
}

export type Lock = "plan" | "held" | "revoked" | "checkpoint";

/** The scope that the gate judged the call under; it saw the arguments, which a claim does not carry. */
const scopeIn = ({ under }: GatedCall): unknown => under?.["scope"];

type GateContext = Pick<PlanContext, "revoked"> & { nowMs: number } & Partial<
    Pick<PlanContext, "settings" | "session">
  >;

/** Each request is planned where sessions begin in plan mode, so a plan that is done covers nothing besides (ADR 0016). */
const isPlanDone = (state: PlanModeState, { settings, session }: GateContext): boolean =>
  settings !== undefined && session !== undefined && nextRequestRule(state, { settings, session }) !== undefined;

/** After every deadline. */
const NEVER = { nowMs: Number.POSITIVE_INFINITY };
const ALLOWED: GuardVerdict = { allowed: true };
const refused = (refusal: GateRefusal): GuardVerdict => ({ allowed: false, refusal });

/** When a policy let the call pass by a person's one-off grant of this slice, that grant must still exist. */
const relies = ({ grant }: GatedCall): boolean => grant?.slice === PLAN_MODE_SLICE;

/** A claim under a one-off grant spends the grant (GA-10, AE-05); every one is a change, as far as proofs go (BY-04). */
export function onClaim(state: PlanModeState, call: GatedCall, { nowMs }: { nowMs: number }): PlanModeEvent[] {
  const changed = countChange(state, call, nowMs);
  if (state.grant === undefined || !relies(call)) return changed;
  return [{ type: "grant.spent", grantId: state.grant.id, atMs: nowMs }, ...changed];
}

function covered(now: PlanPhase, { id, by }: CallGrant): GuardVerdict {
  const signed = now.phase === "executing" ? signedAs(now) : {};
  return { allowed: true, under: { ...signed, grantId: id, grantedBy: by.id } };
}

/**
 * The approval that a call runs under: kept with its claim, so that each change can be traced to the exact text of the
 * plan.
 */
const signedAs = ({ submission, approval }: PhaseOf<"executing">) => ({
  approvalId: submission.approvalId,
  planDigest: submission.digest,
  approval,
});

export type Planning = Extract<PlanPhase, { mode: "plan" }>;

export function planRefusal(now: Planning, call: GatedCall): GateRefusal {
  const hint = HINTS[now.approval];
  return {
    ...aboutCall(now, call),
    hint,
    rule: READ_ONLY_RULE,
    matched: `effect=${call.effect}`,
    message: `${call.tool} was not run: the session is in plan mode, where only reading is allowed. ${hint}`,
  };
}

/** Whatever was granted before: only those who could have approved let it change things again. */
export function holdRefusal(now: PlanPhase, call: GatedCall): GateRefusal {
  return {
    ...aboutCall(now, call),
    hint: HELD_HINT,
    rule: HELD_RULE,
    matched: `effect=${call.effect}`,
    message: `${call.tool} was not run: the session is held, so it may only read. ${HELD_HINT}`,
  };
}

/** Their word has ended, so nobody stands behind the plan any more. */
function revokedRefusal(now: PlanPhase, call: GatedCall): GateRefusal {
  const hint = "Call enter_plan_mode and submit the plan again: somebody else has to approve it.";
  return {
    ...aboutCall(now, call),
    hint,
    rule: "plan-mode/approver-revoked",
    matched: `effect=${call.effect}`,
    message: `${call.tool} was not run: whoever approved the plan was revoked since, or their passkey was. ${hint}`,
  };
}

function doneRefusal(now: PlanPhase, call: GatedCall): GateRefusal {
  const hint =
    "Call enter_plan_mode and submit a plan for what is left, or say in your answer what else should change.";
  return {
    ...aboutCall(now, call),
    hint,
    rule: "plan-mode/plan-done",
    matched: `effect=${call.effect}`,
    message: `${call.tool} was not run: the approved plan is done, and here every change belongs to a plan. ${hint}`,
  };
}

function scopeRefusal(now: PlanPhase, call: GatedCall): GateRefusal {
  const hint = "Call it again: it is judged by the scope of the plan as it is now.";
  return {
    ...aboutCall(now, call),
    hint,
    rule: "plan-mode/scope-changed",
    matched: scopeKey(now) ?? "no scope",
    message: `${call.tool} was not run: it was not judged by the scope of the plan that is carried out now. ${hint}`,
  };
}

function checkpointRefusal(now: PlanPhase, call: GatedCall): GateRefusal {
  const hint = "End your turn and say what was done; you are resumed when a person accepts the next steps.";
  return {
    ...aboutCall(now, call),
    hint,
    rule: "plan-mode/checkpoint",
    matched: `effect=${call.effect}`,
    message: `${call.tool} was not run: every step that was accepted is done, and the others wait for a person. ${hint}`,
  };
}

const HELD_HINT =
  "Plan mode was left by somebody who could not have approved the plan. Whoever may approve can lift the hold; or call enter_plan_mode and submit a plan.";

function grantGone(now: PlanPhase, call: GatedCall): GateRefusal {
  const hint = "Call it again: if it still needs a person's yes, they are asked again.";
  return {
    ...aboutCall(now, call),
    hint,
    rule: "plan-mode/grant-spent",
    matched: call.grant?.id ?? "",
    message: `${call.tool} was not run: the permission for this one call has been used, or is no longer valid. ${hint}`,
  };
}

const HINTS: Readonly<Record<Planning["approval"], string>> = {
  none: "Explore with reading tools, then submit a plan with exit_plan_mode.",
  pending: "Your plan waits for a person: stop here and wait for the decision.",
  rejected: "Revise the plan by the feedback and submit it with exit_plan_mode.",
  timed_out: "The approval expired: submit the plan again with exit_plan_mode.",
};
