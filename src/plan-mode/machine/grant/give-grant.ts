/** Turns a person's answer about one call into a one-off grant or a denial. */
import type { PlanModeEvent } from "../../protocol/event.ts";
import type { CallGrant, PendingQuestion, PlanModeState } from "../../protocol/state.ts";
import { Json } from "../../../protocol/json.ts";
import { digestOf } from "../../../plugins/sdk.ts";
import { cycleIdOf } from "../plan/cycle.ts";
import { type Presented, presenceFor } from "../signature/presence.ts";
import { byOf, type PlanContext } from "../actors.ts";

/** How long a grant waits for the agent to use it. */
export const GRANT_MS_MAX = 15 * 60_000;
/** The one option that allows the call. */
export const ALLOW_ONCE = "allow-once";
const GRANT_SLOT = 2;

/** The grant, or the denial, that an answer to such a question creates besides the answer itself. */
export function grantFor(
  state: PlanModeState,
  { question, optionId }: { question: PendingQuestion; optionId: string | null },
  context: PlanContext,
): PlanModeEvent[] {
  const { call, questionId } = question;
  const { nowMs, actor, freshId } = context;
  if (call === undefined) return [];
  if (optionId !== ALLOW_ONCE) return [{ type: "grant.denied", call, questionId, by: byOf(actor), atMs: nowMs }];
  const cycleId = cycleIdOf(state);
  const grant: CallGrant = {
    id: freshId("grt", GRANT_SLOT),
    call,
    ...(cycleId === undefined ? {} : { cycleId }),
    by: byOf(actor),
    atMs: nowMs,
    untilMs: nowMs + GRANT_MS_MAX,
  };
  const proof = presenceFor(allowing(question), context);
  const presence = proof === undefined ? {} : { presence: proof };
  return [{ type: "grant.given", grant, questionId, ...presence, atMs: nowMs }];
}

/** A yes to one held call, as a passkey signs it. */
export const allowing = ({ approvalId, call }: PendingQuestion): Presented => ({
  kind: "call",
  approvalId,
  digest: call === undefined ? "" : digestOf(Json.parse(call)),
  decision: ALLOW_ONCE,
});
