/**
 * A signature, and the approval that the last one needed brings about.
 *
 *   pending ──signed──▶ pending (who has signed, who is missing) ──the last needed──▶ executing
 *      └── one rejection by whoever may decide ends it; a new revision voids every signature
 *
 * Signers may ask for different things. The least that all of them allow is given: the accept-edits permission only
 * where every one of them asked for it.
 */
import type { ApprovalRules, Offered, Signature, SignedTerms, Unlock } from "../../protocol/approvals.ts";
import type { PlanModeEvent } from "../../protocol/event.ts";
import type { PlanModeState, Submission } from "../../protocol/state.ts";
import { refuse } from "../../protocol/refuse.ts";
import type { PlanModeSettings } from "../../protocol/settings.ts";
import type { PlanDecision } from "../decision.ts";
import { rfc3339 } from "../text/rfc3339.ts";
import { byOf, type PlanContext } from "../actors.ts";
import { leastTerms, standingSigned } from "../standing/sign-standing.ts";
import { maySign, needsOf, samePerson } from "./approvers.ts";
import { type Presented, presenceFor, refusePresence, requiredPresence } from "./presence.ts";
import { heldAfter } from "../stage/stages.ts";
import { isRevoked } from "./revoked.ts";

/**
 * `presented`: the decision as the person's passkey signs it. `standing`: for later runs of the job whose run submitted
 * it, within these limits.
 */
export type Signing = {
  submission: Submission;
  unlock: Unlock;
  presented: Presented;
  /** The text that the surface put before the person; of an edition, the one that they edited. */
  offered: Offered;
  standing?: SignedTerms;
  /** Only these steps. */
  steps?: number[];
};

export function sign(state: PlanModeState, signing: Signing, context: PlanContext): PlanDecision {
  const { submission, unlock, presented } = signing;
  const absent = refusePresence(presented, context);
  if (absent !== undefined) return absent;
  const mine = signatureOf(signing, context);
  const before = validSignatures(state, submission, context);
  const own = before.find(({ by }) => samePerson(by, mine.by));
  const all = [...before.filter((signature) => signature !== own), mine];
  const missing = context.settings.approvals.quorum - all.length;
  if (missing > 0 && own?.unlock === unlock && isSameTerms(own, mine)) {
    return refuse("APPROVAL_ALREADY_SIGNED", `You have signed this plan already; ${signaturesMissing(missing)}.`, {
      missing,
    });
  }
  const terms = leastTerms(all);
  const events =
    missing > 0 || terms === undefined
      ? signedEvents(all, signing, context)
      : standingEvents(state, { all, signing, terms }, context);
  const { approvalId, planId } = submission;
  const about = { plan_id: planId, approval_id: approvalId };
  if (missing > 0) {
    return { events, reply: { ...about, decision: "signed", mode: "plan", signatures: all.length, missing } };
  }
  if (terms !== undefined) {
    const until = rfc3339(terms.untilMs);
    return { events, reply: { ...about, decision: "standing", mode: "normal", runs: terms.runs, until } };
  }
  return { events, reply: { ...about, ...unlocked(context), decision: leastUnlock(all), mode: "executing" } };
}

/** The moment from which the agent may change things. */
export const unlocked = ({ nowMs }: Pick<PlanContext, "nowMs">) => ({
  exited_plan_mode: true,
  unlocked_at: rfc3339(nowMs),
});

/** Events of this signature; `all` includes it as the last one. */
export function signedEvents(
  all: readonly Signature[],
  { submission: { approvalId, steps }, presented, offered }: Signing,
  context: PlanContext,
): PlanModeEvent[] {
  const held = heldAfter(steps, leastSteps(all, steps.length));
  const { settings, nowMs, actor } = context;
  const { approvals } = settings;
  const signature = all.at(-1);
  const proof = presenceFor(presented, context);
  const presence = proof === undefined ? {} : { presence: proof };
  const approved = {
    type: "plan.approved" as const,
    approvalId,
    unlock: leastUnlock(all),
    by: byOf(actor),
    ...asksIn(approvals, all),
    ...scopedIn(settings),
    ...(held.length === 0 ? {} : { held }),
    atMs: nowMs,
  };
  if (approvals.quorum === 1 || signature === undefined) return [{ ...approved, ...presence, offered }];
  const needs = needsOf(approvals, all) ?? { quorum: approvals.quorum, missing: [] };
  const signed: PlanModeEvent = {
    type: "plan.signed",
    approvalId,
    signature,
    needs,
    ...presence,
    offered,
    atMs: nowMs,
  };
  return all.length < approvals.quorum ? [signed] : [signed, { ...approved, offered, signatures: [...all] }];
}

/** Where only what could destroy something needs a passkey, an approval that everybody gave with one covers that too. */
export const asksIn = (rules: ApprovalRules, all: readonly Signature[]): { asks?: "destructive" } =>
  rules.presence === "destructive" && !(all.length > 0 && all.every(({ passkey }) => passkey !== undefined))
    ? { asks: "destructive" }
    : {};

/** Fixed with the signature: what people were shown as a limit stays one. */
export const scopedIn = ({ unlock }: Pick<PlanModeSettings, "unlock">): { scoped?: true } =>
  unlock === "scoped" ? { scoped: true } : {};

type Standing = { all: readonly Signature[]; signing: Signing; terms: SignedTerms };

/** The plan stands for the job from here on, and is not carried out now. */
function standingEvents(
  state: PlanModeState,
  { all, signing, terms }: Standing,
  context: PlanContext,
): PlanModeEvent[] {
  const signed = context.settings.approvals.quorum > 1 ? signedEvents(all, signing, context).slice(0, 1) : [];
  const stands = standingSigned(
    state,
    { submission: signing.submission, all, unlock: leastUnlock(all), terms },
    context,
  );
  const proof = signed.length > 0 ? undefined : presenceFor(signing.presented, context);
  const { offered } = signing;
  return [...signed, { ...stands, ...(proof === undefined ? {} : { presence: proof }), offered }];
}

export function signatureOf(
  { submission, unlock, presented, standing, steps }: Signing,
  context: PlanContext,
): Signature {
  const { actor, nowMs } = context;
  const scopes = actor.kind === "operator" ? actor.scopes : [];
  const passkey = presenceFor(presented, context)?.credentialId;
  return {
    by: byOf(actor),
    scopes,
    unlock,
    ...(standing === undefined ? {} : { standing }),
    digest: submission.digest,
    ...(steps === undefined ? {} : { steps }),
    atMs: nowMs,
    ...(passkey === undefined ? {} : { passkey }),
  };
}

const isSameTerms = (a: Signature, b: Signature): boolean =>
  a.standing?.runs === b.standing?.runs &&
  a.standing?.untilMs === b.standing?.untilMs &&
  a.steps?.join() === b.steps?.join();

/** Of these very bytes, by people who may still sign under the rules of this moment. */
export function validSignatures(
  { now }: PlanModeState,
  { digest }: Submission,
  { settings: { approvals }, revoked }: Pick<PlanContext, "settings" | "revoked">,
): Signature[] {
  const signatures = now.phase === "pending" || now.phase === "rejected" ? (now.signatures ?? []) : [];
  const needsPasskey = ({ standing }: Signature): boolean =>
    requiredPresence(approvals, standing === undefined ? "plan" : "loosen") === "passkey";
  return signatures.filter(
    (signature) =>
      signature.digest === digest &&
      (!needsPasskey(signature) || signature.passkey !== undefined) &&
      !isRevoked(signature, { revoked }) &&
      maySign({ ...signature.by, scopes: signature.scopes }, approvals),
  );
}

const leastUnlock = (signatures: readonly Signature[]): Unlock =>
  signatures.every(({ unlock }) => unlock === "edited") ? "edited" : "approved";

/** The steps that every signer accepts; undefined where all of them accept the whole plan. */
function leastSteps(signatures: readonly Signature[], count: number): number[] | undefined {
  const chosen = signatures.flatMap(({ steps }) => (steps === undefined ? [] : [steps]));
  if (chosen.length === 0) return undefined;
  const numbers = Array.from({ length: count }, (_none, index) => index + 1);
  return numbers.filter((number) => chosen.every((steps) => steps.includes(number)));
}

const signaturesMissing = (missing: number): string =>
  missing === 1 ? "one more person must sign" : `${missing} more people must sign`;
