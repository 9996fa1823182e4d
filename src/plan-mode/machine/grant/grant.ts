/** Whether a grant covers a call, and which events void it. */
import type { PlanModeEvent } from "../../protocol/event.ts";
import type { CallGrant, HoldingGate, PlanModeState, SessionMode } from "../../protocol/state.ts";
import type { GatedCall } from "../../../plugins/sdk.ts";

/** Events that change the mode, the approval or the permission mode: a grant given under the old one ends. */
export const MODE_CHANGES: ReadonlySet<PlanModeEvent["type"]> = new Set([
  "plan.entered",
  "plan.left",
  "plan.submitted",
  "plan.approved",
  "plan.standing_signed",
  "plan.standing_begun",
  "plan.rejected",
  "plan.timed_out",
  "plan.completed",
  "permission.set",
  "hold.set",
  "hold.lifted",
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

/** Which gates can hold calls in a mode: in plan mode only a grant that plan mode asked for counts. */
const GATES: Readonly<Record<SessionMode, readonly HoldingGate[]>> = {
  plan: ["plan"],
  executing: ["scope", "accept-edits", "permission"],
  normal: ["permission"],
};

/** Checked in the claim: the grant that the call names, if it exists, is for this call, and has not expired. */
export function coveringGrant(state: PlanModeState, call: GatedCall, nowMs: number): CallGrant | undefined {
  const grant = GATES[state.now.mode].map((gate) => grantOf(state, call, gate)).find((found) => found !== undefined);
  return grant !== undefined && grant.id === call.grant?.id && nowMs < grant.untilMs ? grant : undefined;
}

/** The state that an event leaves behind, without a grant that it made void. */
export function withoutVoidGrant(state: PlanModeState, event: PlanModeEvent): PlanModeState {
  return MODE_CHANGES.has(event.type) ? withoutGrant(state) : state;
}

export function withoutGrant(state: PlanModeState): PlanModeState {
  const { grant: _void, ...rest } = state;
  return rest;
}
