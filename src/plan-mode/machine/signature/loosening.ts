/**
 * What loosens the gate besides an approval: leaving plan mode, lifting a hold, a laxer permission mode, plans approved
 * by rule, settings. Each is a decision; where approvals are limited, it needs what an approval needs (PL-19). This file
 * answers what that is, for all of them: a further demand on approvals belongs into `refuseSigner` and `isLimited`.
 */
import { Json } from "../../../protocol/json.ts";
import type { Refused } from "../../../protocol/refusal.ts";
import type { Signature } from "../../protocol/approvals.ts";
import type { PlanModeEvent } from "../../protocol/event.ts";
import type { Loosening } from "../../protocol/hold.ts";
import { refuse } from "../../protocol/refuse.ts";
import type { PlanModeSettings } from "../../protocol/settings.ts";
import type { PlanModeState } from "../../protocol/state.ts";
import { localized } from "../../texts/localized.ts";
import { digestOf, never } from "../../../plugins/sdk.ts";
import { byOf, type PlanContext } from "../actors.ts";
import { numberRanges } from "../stage/number-ranges.ts";
import { maySign, needsOf, refuseApprover, samePerson } from "./approvers.ts";
import { type Presented, presenceFor, refusePresence, requiredPresence } from "./presence.ts";
import { isRevoked } from "./revoked.ts";

export type Signer = Pick<PlanContext, "actor" | "settings">;

/** Whether an approval needs more here than the scope for it. Where none is required, there is nothing to get around. */
const isLimited = ({ requireApproval, approvals }: PlanModeSettings): boolean =>
  requireApproval &&
  (approvals.quorum > 1 || approvals.approvers !== undefined || requiredPresence(approvals, "loosen") !== "none");

/** Why this person could not sign an approval here. */
export const refuseSigner = (signer: Signer): Refused | undefined => refuseApprover(signer);

/** Why one person cannot loosen the gate here alone; undefined where they could have approved alone. */
export function refuseAlone(signer: Signer): Refused | undefined {
  const { settings } = signer;
  if (!isLimited(settings)) return undefined;
  const { quorum } = settings.approvals;
  const refused = refuseSigner(signer);
  if (refused !== undefined) return refused;
  if (quorum > 1) return refuse("PERMISSION_DENIED", localized("quorumAlone", { quorum }), { quorum });
  if (requiredPresence(settings.approvals, "loosen") === "none") return undefined;
  return refuse("PERMISSION_DENIED", localized("presenceNeeded"));
}

/** `missing`: how many more must sign before it holds; with 0 the caller adds what was signed. */
type Loosened = { events: PlanModeEvent[]; signatures: number; missing: number };

/** One person's signature on something that loosens the gate. */
export function loosen(state: PlanModeState, what: Loosening, context: PlanContext): Loosened | Refused {
  const { settings } = context;
  if (!isLimited(settings)) return { events: [], signatures: 1, missing: 0 };
  const refused = refuseSigner(context);
  if (refused !== undefined) return refused;
  const { quorum } = settings.approvals;
  const signature = signatureOn(what, context);
  const presented: Presented = { kind: "loosen", ...subjectOf(what, signature.digest) };
  const absent = refusePresence(presented, context);
  if (absent !== undefined) return absent;
  const proof = presenceFor(presented, context);
  if (quorum === 1 && proof === undefined) return { events: [], signatures: 1, missing: 0 };
  const before = validOn(state, signature.digest, context);
  const mine: Signature = proof === undefined ? signature : { ...signature, passkey: proof.credentialId };
  const isMine = ({ by }: Signature): boolean => samePerson(by, signature.by);
  if (before.some(isMine)) return ALREADY_SIGNED;
  const all = [...before, mine];
  const needs = needsOf(settings.approvals, all) ?? { quorum, missing: [] };
  const presence = proof === undefined ? {} : { presence: proof };
  const event: PlanModeEvent = {
    type: "loosening.signed",
    what,
    signature: mine,
    needs,
    ...presence,
    atMs: context.nowMs,
  };
  return { events: [event], signatures: all.length, missing: Math.max(0, quorum - all.length) };
}

const ALREADY_SIGNED = refuse("APPROVAL_ALREADY_SIGNED", "You have signed this already; others must sign too.");

/** As the person's passkey signs it. */
function subjectOf(what: Loosening, digest: string) {
  switch (what.kind) {
    case "lift":
      return { approvalId: what.holdId, digest, decision: "lift" };
    case "permission":
      return { approvalId: "", digest, decision: `permission ${what.mode}` };
    case "amend":
      return { approvalId: what.approvalId, digest, decision: "amend" };
    case "stage":
      return { approvalId: what.approvalId, digest, decision: `accept steps ${numberRanges(what.steps)}` };
    default:
      return never(what);
  }
}

function signatureOn(what: Loosening, { actor, nowMs }: PlanContext): Signature {
  const scopes = actor.kind === "operator" ? actor.scopes : [];
  return { by: byOf(actor), scopes, unlock: "approved", digest: digestOf(Json.parse(what)), atMs: nowMs };
}

/** On exactly this, by people who may still sign; like a plan, it waits for the others only so long. */
function validOn({ loosening }: PlanModeState, digest: string, { settings, nowMs, revoked }: PlanContext): Signature[] {
  const { approvals, approvalTimeoutSeconds } = settings;
  const needsPasskey = requiredPresence(approvals, "loosen") === "passkey";
  return (loosening?.signatures ?? []).filter(
    (signature) =>
      signature.digest === digest &&
      (!needsPasskey || signature.passkey !== undefined) &&
      nowMs - signature.atMs < approvalTimeoutSeconds * 1_000 &&
      !isRevoked(signature, { revoked }) &&
      maySign({ ...signature.by, scopes: signature.scopes }, approvals),
  );
}
