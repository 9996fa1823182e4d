/**
 * A held session: normal, but only reading.
 *
 *   plan · executing ──left by somebody who could not have approved──▶ held ──lifted by those who could──▶ normal
 *                                                                       └──entered again──▶ plan (the hold ends there)
 */
import { ApprovalId } from "../../../protocol/ids.ts";
import type { By } from "../../../protocol/actor.ts";
import type { PlanModeEvent } from "../../protocol/event.ts";
import type { PlanModeState } from "../../protocol/state.ts";
import { refuse } from "../../protocol/refuse.ts";
import { localized } from "../../texts/localized.ts";
import type { PlanDecision } from "../decision.ts";
import { loosen } from "../signature/loosening.ts";
import { byOf, type PlanContext } from "../actors.ts";

const HOLD_SLOT = 1;

export function holdSet(by: By, { freshId, nowMs }: PlanContext): PlanModeEvent {
  const id = ApprovalId.parse(freshId("apr", HOLD_SLOT));
  return { type: "hold.set", hold: { id, by, atMs: nowMs }, atMs: nowMs };
}

export function lift(state: PlanModeState, asked: ApprovalId | undefined, context: PlanContext): PlanDecision {
  const { held } = state;
  if (held === undefined) return refuse("APPROVAL_NOT_PENDING", localized("notHeld"));
  if (asked === undefined) {
    return refuse("APPROVAL_ID_REQUIRED", "Lifting names the hold that it ends. Read its id from the session's card.");
  }
  if (asked !== held.id) return refuse("APPROVAL_STALE", "This hold is over, and another one holds the session now.");
  const signed = loosen(state, { kind: "lift", holdId: held.id }, context);
  if ("refused" in signed) return signed;
  const { events, signatures, missing } = signed;
  if (missing > 0) return { events, reply: { held: true, signatures, missing } };
  const lifted: PlanModeEvent = {
    type: "hold.lifted",
    holdId: held.id,
    by: byOf(context.actor),
    atMs: context.nowMs,
  };
  return { events: [...events, lifted], reply: { held: false, mode: "normal" } };
}
