/** What happened in plan mode, as it is stored and sent. */
import { z } from "zod";
import { By } from "../../protocol/actor.ts";
import { PresenceProof } from "../../protocol/presence.ts";
import { ApprovalId, CycleId, NoteId, OperatorId, PlanId, QuestionId, ShareId } from "../../protocol/ids.ts";
import { Needs, Offered, QUORUM_MAX, Reading, Signature, StepNumbers, Unlock } from "./approvals.ts";
import { Hold, Loosening, SetBy, TriedWrite } from "./hold.ts";
import { PlanBody, PlanProgress, PlanSeen, PlanStep, STEPS_MAX } from "./plan.ts";
import { StepChange } from "./plan-diff.ts";
import { REACH_EVENTS } from "./reach/reach.ts";
import { NOTES_MAX, ReviewEvent } from "./review.ts";
import { PermissionMode } from "./settings.ts";
import { SignedPlan, StandingRun } from "./job/standing.ts";
import { Evidence } from "./step/evidence.ts";
import { Amendment } from "./step/scope.ts";
import { Archetype } from "./template/archetype.ts";
import { Seed } from "./template/skill-template.ts";
import { CallGrant, Cycle, HeldCall, NudgeFor, PendingQuestion, Submission } from "./state.ts";

const steps = z.array(PlanStep).max(STEPS_MAX);
const at = { atMs: z.int() };

export const PlanModeEvent = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("plan.entered"), cycle: Cycle, previousCycleId: CycleId.optional(), ...at }),
  z.strictObject({ type: z.literal("plan.refreshed"), ...at }),
  /** The draft begins with the template of a skill. */
  z.strictObject({
    type: z.literal("plan.seeded"),
    cycleId: CycleId,
    seed: Seed,
    steps,
    ...at,
  }),
  /** Null: the plan is of no particular kind. */
  z.strictObject({
    type: z.literal("plan.archetype_set"),
    cycleId: CycleId,
    archetype: Archetype.nullable(),
    by: By,
    ...at,
  }),
  z.strictObject({
    type: z.literal("plan.nudged"),
    cycleId: CycleId,
    for: NudgeFor,
    n: z.int().nonnegative(),
    sinceMs: z.int(),
    ...at,
  }),
  /** A turn ended with work left; `stopped` by a person, it is not taken up again by itself. */
  z.strictObject({ type: z.literal("plan.rested"), stopped: z.boolean(), ...at }),
  z.strictObject({
    type: z.literal("plan.left"),
    by: By,
    cycleId: CycleId.optional(),
    /** The plan that was left, in short: afterwards the state holds none. */
    plan: z.string().optional(),
    /** How far it was carried out, where it was being carried out. */
    progress: PlanProgress.optional(),
    /** The turn in whose log that plan stands. */
    turn: z.int().nonnegative().optional(),
    /** The plan that was being carried out; absent where plan mode itself was left. */
    executing: PlanId.optional(),
    ...at,
  }),
  z.strictObject({
    type: z.literal("plan.submitted"),
    submission: Submission,
    body: PlanBody,
    cycleId: CycleId,
    supersedes: ApprovalId.optional(),
    addresses: z.array(NoteId).max(NOTES_MAX).optional(),
    /** What a person changed in the agent's steps, where this is their edition of them. */
    changes: z.array(StepChange).optional(),
    /** The same commit approves it, so nobody waits. */
    unlocked: z.boolean().optional(),
    needs: Needs.optional(),
    ...at,
  }),
  z.strictObject({
    type: z.literal("plan.approved"),
    approvalId: ApprovalId,
    unlock: Unlock,
    by: By,
    signatures: z.array(Signature).max(QUORUM_MAX).optional(),
    presence: PresenceProof.optional(),
    offered: Offered.exactOptional(),
    asks: z.literal("destructive").optional(),
    scoped: z.literal(true).exactOptional(),
    /** The steps that were not accepted with it. */
    held: StepNumbers.exactOptional(),
    ...at,
  }),
  /** A person accepted, held or skipped single steps of the plan that is carried out. */
  z.strictObject({
    type: z.literal("plan.staged"),
    approvalId: ApprovalId,
    planId: PlanId,
    released: StepNumbers.exactOptional(),
    held: StepNumbers.exactOptional(),
    skipped: StepNumbers.exactOptional(),
    by: By,
    ...at,
  }),
  /** A change was claimed while a plan with proofs is carried out: what was seen before it is older than it. */
  z.strictObject({ type: z.literal("plan.changed"), count: z.int().positive(), ...at }),
  z.strictObject({ type: z.literal("evidence.captured"), evidence: Evidence, ...at }),
  /** A person's word for a criterion, or their waiver of its proof. */
  z.strictObject({
    type: z.literal("evidence.given"),
    evidence: Evidence,
    digest: z.string(),
    presence: PresenceProof.optional(),
    ...at,
  }),
  /** A person added something to the scope of the plan that is carried out. */
  z.strictObject({
    type: z.literal("plan.amended"),
    approvalId: ApprovalId,
    planId: PlanId,
    amendment: Amendment,
    questionId: QuestionId,
    ...at,
  }),
  /** Signed for the later runs of the job whose run submitted it; this run is over. */
  z.strictObject({
    type: z.literal("plan.standing_signed"),
    plan: SignedPlan,
    cycleId: CycleId,
    signatures: z.array(Signature).max(QUORUM_MAX).optional(),
    by: By,
    presence: PresenceProof.optional(),
    offered: Offered.exactOptional(),
    ...at,
  }),
  /** A run of a job begins under the plan that stands for it. */
  z.strictObject({
    type: z.literal("plan.standing_begun"),
    cycle: Cycle,
    submission: Submission,
    unlock: Unlock,
    by: By,
    standing: StandingRun,
    scoped: z.literal(true).exactOptional(),
    held: StepNumbers.exactOptional(),
    ...at,
  }),
  /** One signature of several that are needed. */
  z.strictObject({
    type: z.literal("plan.signed"),
    approvalId: ApprovalId,
    signature: Signature,
    needs: Needs,
    presence: PresenceProof.optional(),
    offered: Offered.exactOptional(),
    ...at,
  }),
  z.strictObject({ type: z.literal("plan.rejected"), approvalId: ApprovalId, feedback: z.string(), by: By, ...at }),
  z.strictObject({
    type: z.literal("plan.reading"),
    approvalId: ApprovalId,
    reading: Reading,
    deadlineAtMs: z.int(),
    ...at,
  }),
  z.strictObject({
    type: z.literal("plan.shared"),
    planId: PlanId,
    shareId: ShareId,
    tokenHash: z.string(),
    expiresAtMs: z.int(),
    by: By,
    /** The browser's log-in that asked for it: revoked, it takes the link with it. */
    device: OperatorId.optional(),
    ...at,
  }),
  z.strictObject({ type: z.literal("plan.unshared"), shareId: ShareId, by: By, ...at }),
  ...ReviewEvent.options,
  ...REACH_EVENTS,
  z.strictObject({ type: z.literal("plan.timed_out"), approvalId: ApprovalId, ...at }),
  z.strictObject({ type: z.literal("plan.updated"), steps, explanation: z.string().optional(), ...at }),
  z.strictObject({
    type: z.literal("plan.completed"),
    cycleId: CycleId,
    title: z.string(),
    /** Afterwards the state holds it no more. */
    seen: PlanSeen.exactOptional(),
    ...at,
  }),
  z.strictObject({
    type: z.literal("plan.auto_set"),
    enabled: z.boolean(),
    by: By,
    scopes: SetBy.shape.scopes.optional(),
    ...at,
  }),
  /** Plan mode was left by somebody who could not have approved, or a reset kept what held before. */
  z.strictObject({ type: z.literal("run.gated"), gated: z.boolean(), ...at }),
  /** The kernel refused a held run what it wanted to change. */
  z.strictObject({ type: z.literal("run.tried"), ...TriedWrite.shape, ...at }),
  z.strictObject({ type: z.literal("hold.set"), hold: Hold, ...at }),
  z.strictObject({ type: z.literal("hold.lifted"), holdId: ApprovalId, by: By, ...at }),
  /** One of several signatures that loosening the gate needs. */
  z.strictObject({
    type: z.literal("loosening.signed"),
    what: Loosening,
    signature: Signature,
    needs: Needs,
    presence: PresenceProof.optional(),
    ...at,
  }),
  z.strictObject({ type: z.literal("question.asked"), question: PendingQuestion, cycleId: CycleId.optional(), ...at }),
  z.strictObject({
    type: z.literal("question.answered"),
    questionId: QuestionId,
    answer: z.string(),
    optionId: z.string().nullable(),
    by: By,
    ...at,
  }),
  z.strictObject({
    type: z.literal("question.closed"),
    questionId: QuestionId,
    reason: z.enum(["timed_out", "superseded", "left", "declined", "deferred"]),
    by: By.optional(),
    /** Why, in the person's words. */
    said: z.string().optional(),
    ...at,
  }),
  z.strictObject({
    type: z.literal("grant.given"),
    grant: CallGrant,
    questionId: QuestionId,
    presence: PresenceProof.optional(),
    ...at,
  }),
  z.strictObject({ type: z.literal("grant.spent"), grantId: z.string(), ...at }),
  z.strictObject({ type: z.literal("grant.denied"), call: HeldCall, questionId: QuestionId, by: By, ...at }),
  z.strictObject({ type: z.literal("permission.set"), mode: PermissionMode, by: By, ...at }),
]);
export type PlanModeEvent = z.infer<typeof PlanModeEvent>;
export type PlanEventOf<Type extends PlanModeEvent["type"]> = Extract<PlanModeEvent, { type: Type }>;
