/**
 * Standing plans: what a person signs for the later runs of one scheduled job, and what a run remembers of it.
 *
 *   a held run submits ──approve {standing}──▶ signed for the job ──each run──▶ counted, then carried out
 *                                                   └── withdrawn · void (the job changed) · used up · expired
 */
import { z } from "zod";
import { lazySchema } from "../../../protocol/lazy-schema.ts";
import { By } from "../../../protocol/actor.ts";
import { ApprovalId, PlanId } from "../../../protocol/ids.ts";
import { QUORUM_MAX, Unlock } from "../approvals.ts";

export const STANDING_RUNS_MAX = 200;
export const STANDING_DAYS_MAX = 366;

/** Both limits always hold; what is left out is the cautious default. */
export const StandingTerms = lazySchema(() =>
  z.strictObject({
    runs: z.int().min(1).max(STANDING_RUNS_MAX).default(10).describe("For so many runs of the job."),
    days: z.int().min(1).max(STANDING_DAYS_MAX).default(30).describe("For so many days from now."),
  }),
);
export type StandingTerms = z.infer<typeof StandingTerms>;

/** The plan that was signed, by the digest of its exact text, with the limits that all signers allow. */
export const SignedPlan = z.strictObject({
  planId: PlanId,
  approvalId: ApprovalId,
  revision: z.int().positive(),
  digest: z.string(),
  title: z.string(),
  unlock: Unlock,
  signedBy: z.array(By).min(1).max(QUORUM_MAX),
  /** The passkeys that it was signed with. */
  passkeys: z.array(z.string()).max(QUORUM_MAX).exactOptional(),
  signedAtMs: z.int(),
  runs: z.int().positive(),
  untilMs: z.int(),
  /** Its runs change only what its steps declare. */
  scoped: z.literal(true).exactOptional(),
});
export type SignedPlan = z.infer<typeof SignedPlan>;

/** Which run of a standing plan this is; nothing may be changed in it after `untilMs`. */
export const StandingRun = z.strictObject({ jobId: z.string(), n: z.int().positive(), untilMs: z.int() });
export type StandingRun = z.infer<typeof StandingRun>;
