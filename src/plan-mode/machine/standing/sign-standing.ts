/** Signing a plan for the later runs of a scheduled job: who may, for how long, and what all signers allow. */
import type { Signature, SignedTerms } from "../../protocol/approvals.ts";
import type { PlanEventOf } from "../../protocol/event.ts";
import type { SignedPlan, StandingTerms } from "../../protocol/job/standing.ts";
import type { PlanModeState, Submission } from "../../protocol/state.ts";
import type { Refused } from "../../../protocol/refusal.ts";
import { refuse } from "../../protocol/refuse.ts";
import { chargeIn } from "../../../scheduler/protocol/standing.ts";
import { byOf, type PlanContext } from "../actors.ts";
import { cycleIdOf } from "../plan/cycle.ts";

const DAY_MS = 86_400_000;

type Asked = { standing?: StandingTerms | undefined; digest?: string | undefined };

/** A plan can stand only for a job that comes again and whose own run submitted it; and nobody signs unseen text. */
export function refuseStanding({ standing, digest }: Asked, { session }: PlanContext): Refused | undefined {
  if (standing === undefined) return undefined;
  const charge = chargeIn(session.slices);
  if (charge === undefined) return NO_JOB;
  if (!charge.repeats) return ONCE;
  return digest === undefined ? UNSEEN : undefined;
}

const NO_JOB = refuse(
  "STANDING_NOT_POSSIBLE",
  "Only a plan that an isolated run of a scheduled job submitted can stand for that job. Accept this one for once.",
);
const ONCE = refuse(
  "STANDING_NOT_POSSIBLE",
  "The job of this run does not come again, so no plan can stand for it. Accept this one for once.",
);
const UNSEEN = refuse(
  "APPROVAL_DIGEST_MISMATCH",
  "A standing plan is signed with the digest of the text that was shown.",
);

export const termsOf = ({ runs, days }: StandingTerms, { nowMs }: Pick<PlanContext, "nowMs">): SignedTerms => ({
  runs,
  untilMs: nowMs + days * DAY_MS,
});

/** The least that all signers allow; undefined where one of them signed for this once. */
export function leastTerms(signatures: readonly Signature[]): SignedTerms | undefined {
  const terms = signatures.flatMap(({ standing }) => (standing === undefined ? [] : [standing]));
  if (terms.length === 0 || terms.length < signatures.length) return undefined;
  return {
    runs: Math.min(...terms.map(({ runs }) => runs)),
    untilMs: Math.min(...terms.map(({ untilMs }) => untilMs)),
  };
}

type Signed = { submission: Submission; all: readonly Signature[]; unlock: Signature["unlock"]; terms: SignedTerms };

export function standingSigned(
  state: PlanModeState,
  { submission, all, unlock, terms }: Signed,
  { nowMs, actor, settings }: PlanContext,
): PlanEventOf<"plan.standing_signed"> {
  const { planId, approvalId, revision, digest, title } = submission;
  const cycleId = cycleIdOf(state);
  if (cycleId === undefined) throw new Error("a plan was signed outside a cycle");
  const passkeys = all.flatMap(({ passkey }) => (passkey === undefined ? [] : [passkey]));
  const plan: SignedPlan = {
    planId,
    approvalId,
    revision,
    digest,
    title,
    unlock,
    signedBy: all.map(({ by }) => by),
    ...(passkeys.length === 0 ? {} : { passkeys }),
    signedAtMs: nowMs,
    ...(settings.unlock === "scoped" ? { scoped: true as const } : {}),
    ...terms,
  };
  const signatures = all.length > 1 ? { signatures: [...all] } : {};
  return { type: "plan.standing_signed", plan, cycleId, ...signatures, by: byOf(actor), atMs: nowMs };
}
