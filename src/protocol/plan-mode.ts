/**
 * Plan mode as it is stored, ordered about and told: the shapes of the slice that plan-mode/machine drives.
 *
 *   normal ──enter──▶ plan/none ──submit──▶ plan/pending ──approve · edit──▶ executing ──all steps closed──▶ normal
 *     ▲                  ▲                     │  │                                        (or /plan off, from anywhere)
 *     │                  └─ plan/rejected ◀─reject │
 *     │                       (a person may still approve it until a new revision comes)
 *     └── off              plan/timed_out ◀─deadline
 */
import { z } from "zod";
import { ToolKind } from "./gate.ts";
import { ApprovalId, CycleId, PlanId, QuestionId } from "./ids.ts";
import { PlanBody, PlanStep, STEPS_MAX } from "./plan.ts";

export const FEEDBACK_CHARS_MAX = 8_192;
export const REASON_CHARS_MAX = 1_000;
export const QUESTION_CHARS_MAX = 4_000;
export const PAST_SUBMISSIONS_MAX = 32;

export const SessionMode = z.enum(["normal", "plan", "executing"]);
export type SessionMode = z.infer<typeof SessionMode>;

/** Settings of plan mode, resolved for one session: file defaults, then agent, then binding. */
export const PlanModeSettings = z.strictObject({
  enabled: z
    .boolean()
    .default(false)
    .describe("Offer plan mode at all. Off: no plan tools, and the gate is never consulted."),
  defaultActive: z
    .boolean()
    .nullable()
    .default(null)
    .describe(
      "Whether a new chat session starts in plan mode; null lets the binding's role decide (coordinator: yes).",
    ),
  requireApproval: z.boolean().default(true).describe("false: a submitted plan unlocks at once, recorded as such."),
  autoEnterOnDestructive: z
    .boolean()
    .default(false)
    .describe("A destructive call in normal mode is refused and puts the session into plan mode."),
  unknownCommands: z
    .enum(["block", "ask"])
    .default("block")
    .describe(
      "A command that is proven neither to read nor to write is blocked in plan mode; ask: a person may allow that one call, once.",
    ),
  approvalTimeoutSeconds: z
    .int()
    .min(10)
    .max(86_400)
    .default(86_400)
    .describe("How long a plan or a question waits for a person."),
});
export type PlanModeSettings = z.infer<typeof PlanModeSettings>;

/** Who did it, for people: an operator's name and stable id, or the part of the system that acted by a rule. */
export const By = z.strictObject({
  kind: z.enum(["operator", "agent", "policy", "system"]),
  id: z.string(),
  name: z.string(),
});
export type By = z.infer<typeof By>;

export const Cycle = z.strictObject({
  id: CycleId,
  enteredAtMs: z.int(),
  enteredBy: By,
  reason: z.string(),
  rejectionCount: z.int().nonnegative(),
  revisionCount: z.int().nonnegative(),
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
});
export type Submission = z.infer<typeof Submission>;

/** `approve` unlocks; `edit` unlocks with the accept-edits permission. */
export const Unlock = z.enum(["approved", "edited"]);
export type Unlock = z.infer<typeof Unlock>;

export const QuestionOption = z.strictObject({
  id: z.string().min(1).max(64),
  label: z.string().min(1).max(400),
  description: z.string().max(1_000).optional(),
});
export type QuestionOption = z.infer<typeof QuestionOption>;

/** Which gate held a call that a person may let pass once. */
export const HoldingGate = z.enum(["plan", "accept-edits"]);
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
});
export type HeldCall = z.infer<typeof HeldCall>;

/** A person's yes to one call. Void as soon as the session's mode or approval changes, or the time is up. */
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
  question: z.string().min(1).max(QUESTION_CHARS_MAX),
  options: z.array(QuestionOption).min(2).max(6),
  allowFreetext: z.boolean(),
  askedAtMs: z.int(),
  deadlineAtMs: z.int(),
  /** Set where the server itself asks, because a gate held this call. */
  call: HeldCall.optional(),
});
export type PendingQuestion = z.infer<typeof PendingQuestion>;

const steps = z.array(PlanStep).max(STEPS_MAX);

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
  }),
]);
export type PlanPhase = z.infer<typeof PlanPhase>;
export type PhaseOf<Name extends PlanPhase["phase"]> = Extract<PlanPhase, { phase: Name }>;

const PastSubmission = z.strictObject({ approvalId: ApprovalId, planId: PlanId, cycleId: CycleId });

export const PlanModeState = z.strictObject({
  now: PlanPhase,
  /** `/plan auto on`: submissions are approved by rule, and labelled so. */
  auto: z.boolean(),
  question: PendingQuestion.nullable(),
  /** A person's unspent yes to one held call. */
  grant: CallGrant.optional(),
  /** Submissions that another took the place of, newest last: so that a late click learns what became of them. */
  past: z.array(PastSubmission).max(PAST_SUBMISSIONS_MAX).optional(),
});
export type PlanModeState = z.infer<typeof PlanModeState>;

export const AskedOption = z.union([
  z.string(),
  z.strictObject({ id: z.string().optional(), label: z.string(), description: z.string().optional() }),
]);

/** `update_plan`: the steps as the agent sees them now. */
export const PlanPatch = z.strictObject({
  plan: z.array(PlanStep).min(1).max(STEPS_MAX),
  merge: z.boolean().optional(),
  explanation: z.string().max(4_000).optional(),
});
export type PlanPatch = z.infer<typeof PlanPatch>;

/**
 * What people send through `sessions.patch {planApproval}`: each action with its own required fields. The id that a
 * decision answers is required too; the machine asks for it, so that leaving it out has its own code.
 */
export const PlanApproval = z.discriminatedUnion("action", [
  z.strictObject({ action: z.literal("approve"), approvalId: ApprovalId.optional(), digest: z.string().optional() }),
  z.strictObject({ action: z.literal("edit"), approvalId: ApprovalId.optional(), digest: z.string().optional() }),
  z.strictObject({
    action: z.literal("reject"),
    approvalId: ApprovalId.optional(),
    feedback: z.string().max(FEEDBACK_CHARS_MAX),
  }),
  z.strictObject({
    action: z.literal("answer"),
    approvalId: ApprovalId.optional(),
    questionId: QuestionId.optional(),
    answer: z.string().max(FEEDBACK_CHARS_MAX),
  }),
  z.strictObject({ action: z.literal("auto"), enabled: z.boolean() }),
]);
export type PlanApproval = z.infer<typeof PlanApproval>;

export const PlanModeCommand = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("enter"), reason: z.string().max(REASON_CHARS_MAX) }),
  z.strictObject({ type: z.literal("leave") }),
  z.strictObject({ type: z.literal("submit"), body: PlanBody, digest: z.string() }),
  z.strictObject({ type: z.literal("decide"), approval: PlanApproval }),
  z.strictObject({
    type: z.literal("resolve"),
    planId: PlanId,
    decision: z.enum(["approve", "reject"]),
    reason: z.string().optional(),
  }),
  z.strictObject({ type: z.literal("update"), patch: PlanPatch }),
  z.strictObject({
    type: z.literal("ask"),
    callId: z.string(),
    question: z.string(),
    options: z.array(AskedOption),
    allowFreetext: z.boolean().optional(),
  }),
  /** A gate held a call and its rules let a person decide about it. `shown` is the whole call, as the person reads it. */
  z.strictObject({ type: z.literal("ask-call"), callId: z.string(), call: HeldCall, shown: z.string() }),
  z.strictObject({ type: z.literal("destructive"), check: z.string() }),
  z.strictObject({ type: z.literal("expire"), approvalId: ApprovalId }),
  z.strictObject({ type: z.literal("status") }),
]);
export type PlanModeCommand = z.infer<typeof PlanModeCommand>;

const at = { atMs: z.int() };

export const PlanModeEvent = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("plan.entered"), cycle: Cycle, previousCycleId: CycleId.optional(), ...at }),
  z.strictObject({ type: z.literal("plan.refreshed"), ...at }),
  z.strictObject({
    type: z.literal("plan.left"),
    by: By,
    cycleId: CycleId.optional(),
    /** The plan that was left, in short: afterwards the state holds none. */
    plan: z.string().optional(),
    ...at,
  }),
  z.strictObject({
    type: z.literal("plan.submitted"),
    submission: Submission,
    body: PlanBody,
    cycleId: CycleId,
    supersedes: ApprovalId.optional(),
    ...at,
  }),
  z.strictObject({ type: z.literal("plan.approved"), approvalId: ApprovalId, unlock: Unlock, by: By, ...at }),
  z.strictObject({ type: z.literal("plan.rejected"), approvalId: ApprovalId, feedback: z.string(), by: By, ...at }),
  z.strictObject({ type: z.literal("plan.timed_out"), approvalId: ApprovalId, ...at }),
  z.strictObject({ type: z.literal("plan.updated"), steps, explanation: z.string().optional(), ...at }),
  z.strictObject({ type: z.literal("plan.completed"), cycleId: CycleId, title: z.string(), ...at }),
  z.strictObject({ type: z.literal("plan.auto_set"), enabled: z.boolean(), by: By, ...at }),
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
    reason: z.enum(["timed_out", "superseded", "left"]),
    ...at,
  }),
  z.strictObject({ type: z.literal("grant.given"), grant: CallGrant, questionId: QuestionId, ...at }),
  z.strictObject({ type: z.literal("grant.spent"), grantId: z.string(), ...at }),
]);
export type PlanModeEvent = z.infer<typeof PlanModeEvent>;
export type PlanEventOf<Type extends PlanModeEvent["type"]> = Extract<PlanModeEvent, { type: Type }>;
