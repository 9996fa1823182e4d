/** Whether a person's yes covers a call, and which facts make it void. */
import type { CallGrant, HoldingGate, PlanModeEvent, PlanModeState } from "../../../protocol/plan-mode.ts";
import type { GatedCall } from "../../../plugins/sdk.ts";

/** The mode or the approval is another one afterwards: what a person allowed under the old one does not carry over. */
const MODE_CHANGES: ReadonlySet<PlanModeEvent["type"]> = new Set([
  "plan.entered",
  "plan.left",
  "plan.submitted",
  "plan.approved",
  "plan.rejected",
  "plan.timed_out",
  "plan.completed",
] as const);

/** The grant that lets this very call pass this gate, as far as the stored state says. */
export function grantOf(
  { grant }: PlanModeState,
  call: Pick<GatedCall, "tool" | "argsDigest">,
  gate: HoldingGate,
): CallGrant | undefined {
  if (grant === undefined || grant.call.gate !== gate) return undefined;
  return grant.call.tool === call.tool && grant.call.argsDigest === call.argsDigest ? grant : undefined;
}

/** The last word, in the claim: it is there, it is for this call, and its time is not up. */
export function isCovered(state: PlanModeState, call: GatedCall, nowMs: number): boolean {
  const gate: HoldingGate = state.now.mode === "plan" ? "plan" : "accept-edits";
  const grant = grantOf(state, call, gate);
  return grant !== undefined && grant.id === call.grant?.id && nowMs < grant.untilMs;
}

/** The state that an event leaves behind, without a grant that it made void. */
export function withoutVoidGrant(state: PlanModeState, event: PlanModeEvent): PlanModeState {
  return MODE_CHANGES.has(event.type) ? withoutGrant(state) : state;
}

export function withoutGrant(state: PlanModeState): PlanModeState {
  const { grant: _void, ...rest } = state;
  return rest;
}
