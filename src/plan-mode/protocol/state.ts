/**
 * Plan mode as it is stored: the state of the slice that plan-mode/machine drives.
 *
 *   normal ──enter──▶ plan/none ──submit──▶ plan/pending ──approve · edit──▶ executing ──all steps closed──▶ normal
 *     ▲                  ▲                     │  │                                        (or /plan off, from anywhere)
 *     │                  └─ plan/rejected ◀─reject │
 *     │                       (a person may still approve it until a new revision comes)
 *     └── off              plan/timed_out ◀─deadline
 *
 * Where approvals are limited, leaving by somebody who could not have approved ends in normal and held (`hold.ts`).
 */
import { z } from "zod";
import { By } from "../../protocol/actor.ts";
import { ToolKind } from "../../protocol/gate.ts";
import { ApprovalId, CycleId, PlanId, QuestionId } from "../../protocol/ids.ts";
import { Needs, QUORUM_MAX, Reading, Signature, StepNumbers, Unlock } from "./approvals.ts";
import { Hold, PendingLoosening, SetBy, TriedWrite } from "./hold.ts";
import { LINT_CODES, LintFinding } from "./lint/lint-finding.ts";
import { PlanChanged, PlanStep, STEPS_MAX } from "./plan.ts";
import { PLAN_JOBS_MAX, PlanJob } from "./job/plan-job.ts";
import { Reach } from "./reach/reach.ts";
import { Review } from "./review.ts";
import { PermissionMode } from "./settings.ts";
import { StandingRun } from "./job/standing.ts";
import { Evidence, EVIDENCE_MAX } from "./step/evidence.ts";
import { Amendment, AMENDMENTS_MAX, ProposedAmendment } from "./step/scope.ts";
import { ChosenArchetype } from "./template/archetype.ts";
import { Seed } from "./template/skill-template.ts";

export const QUESTION_CHARS_MAX = 4_000;
/** Of a question that shows a whole call, such as a file to be written. */
export const CALL_QUESTION_CHARS_MAX = 16_384;
export const PAST_SUBMISSIONS_MAX = 32;
export const CHANGES_TEXT_CHARS_MAX = 5_000;

export const SessionMode = z.enum(["normal", "plan", "executing"]);
export type SessionMode = z.infer<typeof SessionMode>;

/** What an agent is woken for. */
export const NudgeFor = z.enum(["exploring", "executing"]);
export type NudgeFor = z.infer<typeof NudgeFor>;

export const Cycle = z.strictObject({
  id: CycleId,
  enteredAtMs: z.int(),
  enteredBy: By,
  reason: z.string(),
  rejectionCount: z.int().nonnegative(),
  revisionCount: z.int().nonnegative(),
  /** The kind of work that the plan is for. */
  archetype: ChosenArchetype.exactOptional(),
  /** The skill whose template the draft began with. */
  seed: Seed.exactOptional(),
});
export type Cycle = z.infer<typeof Cycle>;

/** The revision that is, or was last, before a person. Its text is an artifact; this is what the machine needs of it. */
export const Submission = z.strictObject({
  planId: PlanId,
  approvalId: ApprovalId,
  revision: z.int().positive(),
  digest: z.string(),
  title: z.string(),
  steps: z.array(PlanStep).max(STEPS_MAX),
  submittedAtMs: z.int(),
  deadlineAtMs: z.int(),
  /** The scheduled jobs that it names. */
  jobs: z.array(PlanJob).max(PLAN_JOBS_MAX).exactOptional(),
  /** The number of the turn in whose log the agent's plan stands; absent in what was stored before it was kept. */
  turn: z.int().nonnegative().optional(),
  /** A person edited the agent's steps into these; `changes` says how, for the agent. */
  edited: z.strictObject({ by: By, basedOn: PlanId, changes: z.string().max(CHANGES_TEXT_CHARS_MAX) }).optional(),
  /** The person who wrote it; absent: the agent. */
  writtenBy: By.exactOptional(),
  /** What the lint found in it; absent: nothing. */
  lint: z.array(LintFinding).max(LINT_CODES.length).exactOptional(),
});
export type Submission = z.infer<typeof Submission>;

export const QuestionOption = z.strictObject({
  id: z.string().min(1).max(64),
  label: z.string().min(1).max(400),
  description: z.string().max(1_000).optional(),
});
export type QuestionOption = z.infer<typeof QuestionOption>;

/** Which gate held a call that a person may let pass once. */
export const HoldingGate = z.enum(["plan", "accept-edits", "permission", "scope"]);
export type HoldingGate = z.infer<typeof HoldingGate>;

/** One call, exactly: what a person is asked about, and the only one that their yes unlocks. */
export const HeldCall = z.strictObject({
  gate: HoldingGate,
  tool: z.string().max(128),
  kind: ToolKind,
  /** Of the arguments as they were shown; another argument is another call. */
  argsDigest: z.string().max(128),
  folder: z.string().max(4_096),
  rule: z.string().max(128),
  matched: z.string().max(1_000),
  /** Digest of where, with which environment and as which agent it would have run. */
  within: z.string().max(128).exactOptional(),
});
export type HeldCall = z.infer<typeof HeldCall>;

/** A person's yes to one call. Void as soon as the session's mode, approval or permission mode changes, or the time is up. */
export const CallGrant = z.strictObject({
  id: z.string().max(64),
  call: HeldCall,
  cycleId: CycleId.optional(),
  by: By,
  atMs: z.int(),
  untilMs: z.int(),
});
export type CallGrant = z.infer<typeof CallGrant>;

export const PendingQuestion = z.strictObject({
  questionId: QuestionId,
  approvalId: ApprovalId,
  question: z.string().min(1).max(CALL_QUESTION_CHARS_MAX),
  options: z.array(QuestionOption).min(2).max(6),
  allowFreetext: z.boolean(),
  askedAtMs: z.int(),
  deadlineAtMs: z.int(),
  /** Set where the server itself asks, because a gate held this call. */
  call: HeldCall.optional(),
  /** What a yes would add to the scope of the plan that is carried out. */
  amendment: ProposedAmendment.exactOptional(),
  /** The person whose own program made the call; absent: the agent did. */
  callBy: By.exactOptional(),
  reading: Reading.optional(),
});
export type PendingQuestion = z.infer<typeof PendingQuestion>;

const steps = z.array(PlanStep).max(STEPS_MAX);

/** Who has signed so far, where one signature is not enough. */
const signing = { signatures: z.array(Signature).max(QUORUM_MAX).optional(), needs: Needs.optional() };

/** Exactly the combinations of mode and approval that can be reached; no other can be stored. */
export const PlanPhase = z.discriminatedUnion("phase", [
  z.strictObject({
    phase: z.literal("off"),
    mode: z.literal("normal"),
    approval: z.literal("none"),
    /** "never set" is not "turned off": what a person switched off stays off until a person or the agent enters again. */
    left: z.enum(["never", "off", "completed"]),
    /** The cycle that ended here: what it still has queued is stale once another begins. */
    cycleId: CycleId.optional(),
    steps,
  }),
  z.strictObject({
    phase: z.literal("exploring"),
    mode: z.literal("plan"),
    approval: z.literal("none"),
    cycle: Cycle,
    steps,
  }),
  z.strictObject({
    phase: z.literal("pending"),
    mode: z.literal("plan"),
    approval: z.literal("pending"),
    cycle: Cycle,
    steps,
    submission: Submission,
    ...signing,
    reading: Reading.optional(),
  }),
  z.strictObject({
    phase: z.literal("rejected"),
    mode: z.literal("plan"),
    approval: z.literal("rejected"),
    cycle: Cycle,
    steps,
    submission: Submission,
    feedback: z.string(),
    decidedBy: By,
    ...signing,
  }),
  z.strictObject({
    phase: z.literal("timed_out"),
    mode: z.literal("plan"),
    approval: z.literal("timed_out"),
    cycle: Cycle,
    steps,
    submission: Submission,
  }),
  z.strictObject({
    phase: z.literal("executing"),
    mode: z.literal("executing"),
    approval: Unlock,
    cycle: Cycle,
    steps,
    submission: Submission,
    decidedBy: By,
    decidedAtMs: z.int(),
    signatures: signing.signatures,
    /** The passkey of the one signature that was needed; of several, each signature has its own. */
    passkey: z.string().exactOptional(),
    /** It was approved without a passkey where what could destroy something needs one: such calls wait for a yes of their own. */
    asks: z.literal("destructive").optional(),
    /** Carried out by a run of a scheduled job, under a standing plan. */
    standing: StandingRun.exactOptional(),
    /** It unlocks only what its steps declare; fixed when it was signed, whatever the settings say later. */
    scoped: z.literal(true).exactOptional(),
    /** What people added to its scope since, oldest first. */
    amendments: z.array(Amendment).max(AMENDMENTS_MAX).exactOptional(),
    /** Steps that nobody has accepted yet, and steps that a person skipped, by their numbers in the signed plan. */
    held: StepNumbers.exactOptional(),
    skipped: StepNumbers.exactOptional(),
    /** What was seen of the criteria that ask for a proof; of each the newest. */
    evidence: z.array(Evidence).max(EVIDENCE_MAX).exactOptional(),
    /** How often something was changed so far, and when last; counted only where the plan asks for proofs. */
    changes: PlanChanged.exactOptional(),
  }),
]);
export type PlanPhase = z.infer<typeof PlanPhase>;
export type PhaseOf<Name extends PlanPhase["phase"]> = Extract<PlanPhase, { phase: Name }>;

const PastSubmission = z.strictObject({ approvalId: ApprovalId, planId: PlanId, cycleId: CycleId });

export const PlanModeState = z.strictObject({
  now: PlanPhase,
  /** `/plan auto on`: submissions are approved by rule, and labelled so. */
  auto: z.boolean(),
  autoBy: SetBy.optional(),
  /** Only reading, although the mode is normal: plan mode was left past those who may approve. */
  held: Hold.optional(),
  loosening: PendingLoosening.optional(),
  /** Since when an agent outside works past its hooks; absent: it does not, as far as anybody knows. */
  ungatedAtMs: z.int().exactOptional(),
  /** What a held run tried to change; absent: nothing, or nothing that was named. */
  tried: TriedWrite.exactOptional(),
  /** Absent: default. */
  permission: PermissionMode.optional(),
  question: PendingQuestion.nullable(),
  /** A person's unspent yes to one held call. */
  grant: CallGrant.optional(),
  /** Submissions that another took the place of, newest last: so that a late click learns what became of them. */
  past: z.array(PastSubmission).max(PAST_SUBMISSIONS_MAX).optional(),
  /** Notes on the plan of this cycle. */
  review: Review.optional(),
  /** How often the agent was nudged since it last came on. */
  nudges: z.int().nonnegative().optional(),
  /** How people were reached about what waits, or waited last. */
  reach: Reach.optional(),
});
export type PlanModeState = z.infer<typeof PlanModeState>;
