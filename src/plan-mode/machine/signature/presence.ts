/**
 * Whether a decision needs the person's passkey, and whether the one that came with it covers it (GW-10). The gateway
 * has verified the signature by then and put the proof on the actor; here it is compared with what is about to be decided.
 */
import type { PresenceProof, PresenceSubject } from "../../../protocol/presence.ts";
import type { Refused } from "../../../protocol/refusal.ts";
import { never } from "../../../plugins/sdk.ts";
import type { ApprovalRules } from "../../protocol/approvals.ts";
import { refuse } from "../../protocol/refuse.ts";
import { localized } from "../../texts/localized.ts";
import type { PlanContext } from "../actors.ts";

/** `plan`: an approval in any form. `call`: a yes to one held call. `loosen`: whatever loosens the gate (PL-19). */
export type DecisionKind = "plan" | "call" | "loosen";

export function requiredPresence(
  { presence = "none" }: Pick<ApprovalRules, "presence">,
  kind: DecisionKind,
): "none" | "passkey" {
  switch (presence) {
    case "none":
      return "none";
    case "destructive":
      return kind === "plan" ? "none" : "passkey";
    case "passkey":
      return "passkey";
    default:
      return never(presence);
  }
}

export type Presented = Omit<PresenceSubject, "sessionId"> & { kind: DecisionKind };

/** The one point at which decisions are checked. Its details tell the gateway which challenge to make. */
export function refusePresence(asked: Presented, context: PlanContext): Refused | undefined {
  if (requiredPresence(context.settings.approvals, asked.kind) === "none") return undefined;
  const { actor } = context;
  if (actor.kind === "operator" && actor.presence !== undefined) {
    if (presenceFor(asked, context) !== undefined) return undefined;
    return refuse("PRESENCE_INVALID", localized("presenceOther"));
  }
  return refuse("PRESENCE_REQUIRED", localized("presenceNeeded"), { presence: subjectOf(asked, context) });
}

/** The proof that covers exactly this decision of this person, if one came with it. */
export function presenceFor(asked: Presented, context: PlanContext): PresenceProof | undefined {
  const { actor } = context;
  const proof = actor.kind === "operator" ? actor.presence : undefined;
  if (proof === undefined || actor.kind !== "operator") return undefined;
  const { statement } = proof;
  const subject = subjectOf(asked, context);
  const isCovered =
    statement.person === actor.id &&
    statement.sessionId === subject.sessionId &&
    statement.approvalId === subject.approvalId &&
    statement.digest === subject.digest &&
    statement.decision === subject.decision;
  return isCovered ? proof : undefined;
}

const subjectOf = ({ approvalId, digest, decision }: Presented, { session }: PlanContext): PresenceSubject => ({
  sessionId: session.id,
  approvalId,
  digest,
  decision,
});
