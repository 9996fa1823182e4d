/** Whether a person's yes covers a call, and which facts make it void. */
import type { PlanModeEvent } from "../../protocol/event.ts";
import type { CallGrant, HoldingGate, PlanModeState, SessionMode } from "../../protocol/state.ts";
import type { GatedCall } from "../../../plugins/sdk.ts";

/** The mode, the approval or the permission mode is another one afterwards: what a person allowed under the old one does not carry over. */
export const MODE_CHANGES: ReadonlySet<PlanModeEvent["type"]> = new Set([
  "plan.entered",
  "plan.left",
  "plan.submitted",
  "plan.approved",
  "plan.rejected",
  "plan.timed_out",
  "plan.completed",
  "permission.set",
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

/** Which gates hold calls in a mode: in plan mode no other yes counts than the one that plan mode asked for. */
const GATES: Readonly<Record<SessionMode, readonly HoldingGate[]>> = {
  plan: ["plan"],
  executing: ["accept-edits", "permission"],
  normal: ["permission"],
};

/** The last word, in the claim: it is there, it is for this call, and its time is not up. */
export function isCovered(state: PlanModeState, call: GatedCall, nowMs: number): boolean {
  const grant = GATES[state.now.mode].map((gate) => grantOf(state, call, gate)).find((found) => found !== undefined);
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
