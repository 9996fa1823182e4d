/**
 * Standing plans as the scheduler keeps them: in the session that the job lives in, bound to the digest of the job, with
 * every run that was counted under them. The session of a run knows by its charge which job it works for.
 */
import { z } from "zod";
import { By } from "../../protocol/actor.ts";
import { SessionId } from "../../protocol/ids.ts";
import { ApprovalRules } from "../../plan-mode/protocol/approvals.ts";
import { PlanBody } from "../../plan-mode/protocol/plan.ts";
import { SignedPlan, STANDING_RUNS_MAX } from "../../plan-mode/protocol/job/standing.ts";
import { JobId } from "./job-id.ts";

/** In one session; of those that have ended the oldest make room first. */
export const STANDINGS_MAX = 64;

export const StandingEnd = z.enum([
  "withdrawn",
  "job_changed",
  "job_removed",
  "used_up",
  "expired",
  "revoked",
  "replaced",
]);
export type StandingEnd = z.infer<typeof StandingEnd>;

export const Standing = SignedPlan.extend({
  jobId: JobId,
  jobName: z.string(),
  /** Of the job's text, schedule and place: another digest is another job. */
  jobDigest: z.string(),
  /** Counted in the commit that orders the run, so before it begins. */
  used: z.array(z.strictObject({ n: z.int().positive(), sessionId: SessionId, atMs: z.int() })).max(STANDING_RUNS_MAX),
  ended: z.strictObject({ why: StandingEnd, atMs: z.int(), by: By.exactOptional() }).exactOptional(),
});
export type Standing = z.infer<typeof Standing>;

/** As it is shown: with the session that the job lives in. */
export const StandingView = Standing.extend({ sessionId: SessionId });
export type StandingView = z.infer<typeof StandingView>;

/** What the session of a run is told about itself, before its first message. Set once, by the gateway alone. */
export const Charge = z.strictObject({
  home: SessionId,
  jobId: JobId,
  name: z.string(),
  jobDigest: z.string(),
  /** Whether the job comes again: only then can a plan stand for it. */
  repeats: z.boolean(),
  /** A plan of an earlier run waits for a decision: this one submits none. */
  proposalOpen: z.boolean(),
  /** Who must sign where the job lives: the rules of the run's own session never count for less. */
  approvals: ApprovalRules.exactOptional(),
  /** Whose job it is. */
  ownedBy: By.exactOptional(),
  standing: z
    .strictObject({
      plan: SignedPlan,
      n: z.int().positive(),
      /** The signed text; not kept with the session, whose plan mode has it from the commit that charges it. */
      body: PlanBody.exactOptional(),
    })
    .exactOptional(),
});
export type Charge = z.infer<typeof Charge>;

const Charged = z.object({ charge: Charge.exactOptional() });

/** The charge of a session, read off its slices; undefined where it is no run of a job. */
export function chargeIn(slices: Readonly<Record<string, unknown>>): Charge | undefined {
  const parsed = Charged.safeParse(slices["scheduler"]);
  return parsed.success ? parsed.data.charge : undefined;
}
