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
import { ApprovalRules, Needs, Reading, Signature, QUORUM_MAX, Unlock } from "./review/approvals.ts";
import { By } from "./actor.ts";
import { ToolKind } from "./gate.ts";
import { ApprovalId, CycleId, NoteId, PlanId, QuestionId, ShareId } from "./ids.ts";
import { StepChange } from "./review/plan-diff.ts";
import { PlanBody, PlanStep, STEPS_MAX } from "./plan.ts";
import { NOTES_MAX, PlanNote, Review, ReviewEvent } from "./review/review.ts";

export { Unlock } from "./review/approvals.ts";
export { By } from "./actor.ts";

export const FEEDBACK_CHARS_MAX = 8_192;
export const REASON_CHARS_MAX = 1_000;
export const QUESTION_CHARS_MAX = 4_000;
/** Of a question that shows a whole call, such as a file to be written. */
export const CALL_QUESTION_CHARS_MAX = 16_384;
export const PAST_SUBMISSIONS_MAX = 32;
export const CHANGES_TEXT_CHARS_MAX = 5_000;

export const SessionMode = z.enum(["normal", "plan", "executing"]);
export type SessionMode = z.infer<typeof SessionMode>;

/**
 * What a mutating call waits for outside plan mode, which always comes first. `ask`: a person's yes to each one;
 * `accept`: to each one that is no file edit; `default`: to what is destructive or touches the gateway's or an agent's
 * own configuration, unless an approved plan is being carried out; `bypass`: to none.
 */
export const PermissionMode = z.enum(["default", "ask", "accept", "bypass"]);
export type PermissionMode = z.infer<typeof PermissionMode>;

const minutes = z
  .array(z.number().min(0.1).max(1_440))
  .max(10)
  .refine((list) => list.every((item, n) => n === 0 || item > (list[n - 1] ?? 0)), "each later than the one before it");

/** When an agent that has come to rest is woken; an empty list: never. */
export const PlanNudges = z.strictObject({
  exploringMinutes: minutes.default([10, 30, 60]).describe("While it should be making a plan."),
  executingMinutes: minutes.default([1, 3, 5]).describe("While it should be carrying one out and reports no progress."),
});
export type PlanNudges = z.infer<typeof PlanNudges>;

/** What an agent is woken for. */
export const NudgeFor = z.enum(["exploring", "executing"]);
export type NudgeFor = z.infer<typeof NudgeFor>;

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
  approvals: ApprovalRules.prefault({}).describe("Who must sign, where it differs from approvals at the top."),
  requireResolvedThreads: z.boolean().default(false).describe("Refuse an approval while notes on the plan are open."),
  autoEnableFor: z
    .array(z.string().min(1).max(128))
    .max(50)
    .default([])
    .describe('Models whose new chat sessions start in plan mode, where defaultActive is null: "openai/*", "*-mini".'),
  /** Absent: none. The configuration has some unless it says otherwise. */
  nudges: PlanNudges.optional(),
  /** Who answers first in this session; filled in by the gateway, not by the configuration. */
  model: z.string().max(256).optional(),
  /** Stands beside `planMode` in the configuration: it holds whether or not plan mode is enabled. */
  permissionMode: PermissionMode.default("default"),
});
export type PlanModeSettings = z.infer<typeof PlanModeSettings>;

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
  /** A person edited the agent's steps into these; `changes` says how, for the agent. */
  edited: z.strictObject({ by: By, basedOn: PlanId, changes: z.string().max(CHANGES_TEXT_CHARS_MAX) }).optional(),
});
export type Submission = z.infer<typeof Submission>;

export const QuestionOption = z.strictObject({
  id: z.string().min(1).max(64),
  label: z.string().min(1).max(400),
  description: z.string().max(1_000).optional(),
});
export type QuestionOption = z.infer<typeof QuestionOption>;

/** Which gate held a call that a person may let pass once. */
export const HoldingGate = z.enum(["plan", "accept-edits", "permission"]);
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
  }),
]);
export type PlanPhase = z.infer<typeof PlanPhase>;
export type PhaseOf<Name extends PlanPhase["phase"]> = Extract<PlanPhase, { phase: Name }>;

const PastSubmission = z.strictObject({ approvalId: ApprovalId, planId: PlanId, cycleId: CycleId });

export const PlanModeState = z.strictObject({
  now: PlanPhase,
  /** `/plan auto on`: submissions are approved by rule, and labelled so. */
  auto: z.boolean(),
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

const nonAnswer = {
  approvalId: ApprovalId.optional(),
  questionId: QuestionId.optional(),
  reason: z.string().max(REASON_CHARS_MAX).optional(),
};

/** A decision that needs nothing but the session's own state. */
export const PlanVerdict = z.discriminatedUnion("action", [
  z.strictObject({ action: z.literal("approve"), approvalId: ApprovalId.optional(), digest: z.string().optional() }),
  z.strictObject({ action: z.literal("edit"), approvalId: ApprovalId.optional(), digest: z.string().optional() }),
  z.strictObject({
    action: z.literal("reject"),
    approvalId: ApprovalId.optional(),
    /** May be empty where notes say what should change. */
    feedback: z.string().max(FEEDBACK_CHARS_MAX),
  }),
  z.strictObject({
    action: z.literal("answer"),
    approvalId: ApprovalId.optional(),
    questionId: QuestionId.optional(),
    answer: z.string().max(FEEDBACK_CHARS_MAX),
  }),
  /** No answer, and why: they will not say, or not now. Neither is a yes. */
  z.strictObject({ action: z.literal("decline"), ...nonAnswer }),
  z.strictObject({ action: z.literal("defer"), ...nonAnswer }),
  z.strictObject({ action: z.literal("auto"), enabled: z.boolean() }),
]);
export type PlanVerdict = z.infer<typeof PlanVerdict>;

/** The steps as the person wants them, in place of those that they read; the rest of the plan stays. */
const ApproveEdited = z.strictObject({
  action: z.literal("approve_edited"),
  approvalId: ApprovalId.optional(),
  /** Of the revision that was edited: nobody edits bytes that they have not seen. */
  digest: z.string().min(1),
  steps: z.array(PlanStep).min(1).max(STEPS_MAX),
  /** With the accept-edits permission, as `edit` gives it. */
  allowEdits: z.boolean().optional(),
});
export type ApproveEdited = z.infer<typeof ApproveEdited>;

/**
 * What people send through `sessions.patch {planApproval}`: each action with its own required fields. The id that a
 * decision answers is required too; the machine asks for it, so that leaving it out has its own code.
 */
export const PlanApproval = z.discriminatedUnion("action", [...PlanVerdict.options, ApproveEdited]);
export type PlanApproval = z.infer<typeof PlanApproval>;

export const PlanModeCommand = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("enter"), reason: z.string().max(REASON_CHARS_MAX) }),
  z.strictObject({ type: z.literal("leave") }),
  z.strictObject({
    type: z.literal("submit"),
    body: PlanBody,
    digest: z.string(),
    /** The notes that this revision answers: n1, n2, … or their ids. */
    addresses: z.array(z.string().max(64)).max(NOTES_MAX).optional(),
  }),
  z.strictObject({ type: z.literal("decide"), approval: PlanVerdict }),
  /** `approve_edited` with the revision that was edited, whole; null where it is not stored. */
  z.strictObject({ type: z.literal("approve-edition"), approval: ApproveEdited, base: PlanBody.nullable() }),
  z.strictObject({ type: z.literal("note"), note: PlanNote }),
  z.strictObject({ type: z.literal("reading"), approvalId: ApprovalId }),
  z.strictObject({
    type: z.literal("share"),
    planId: PlanId,
    shareId: ShareId,
    tokenHash: z.string().regex(/^[0-9a-f]{64}$/),
    expiresAtMs: z.int(),
  }),
  z.strictObject({ type: z.literal("unshare"), shareId: ShareId }),
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
  z.strictObject({ type: z.literal("set-permission-mode"), mode: PermissionMode }),
  z.strictObject({ type: z.literal("expire"), approvalId: ApprovalId }),
  z.strictObject({ type: z.literal("nudge"), cycleId: CycleId, for: NudgeFor, n: z.int(), sinceMs: z.int() }),
  z.strictObject({ type: z.literal("status") }),
]);
export type PlanModeCommand = z.infer<typeof PlanModeCommand>;

const at = { atMs: z.int() };

export const PlanModeEvent = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("plan.entered"), cycle: Cycle, previousCycleId: CycleId.optional(), ...at }),
  z.strictObject({ type: z.literal("plan.refreshed"), ...at }),
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
    ...at,
  }),
  /** One signature of several that are needed. */
  z.strictObject({ type: z.literal("plan.signed"), approvalId: ApprovalId, signature: Signature, needs: Needs, ...at }),
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
    ...at,
  }),
  z.strictObject({ type: z.literal("plan.unshared"), shareId: ShareId, by: By, ...at }),
  ...ReviewEvent.options,
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
    reason: z.enum(["timed_out", "superseded", "left", "declined", "deferred"]),
    by: By.optional(),
    /** Why, in the person's words. */
    said: z.string().optional(),
    ...at,
  }),
  z.strictObject({ type: z.literal("grant.given"), grant: CallGrant, questionId: QuestionId, ...at }),
  z.strictObject({ type: z.literal("grant.spent"), grantId: z.string(), ...at }),
  z.strictObject({ type: z.literal("grant.denied"), call: HeldCall, questionId: QuestionId, by: By, ...at }),
  z.strictObject({ type: z.literal("permission.set"), mode: PermissionMode, by: By, ...at }),
]);
export type PlanModeEvent = z.infer<typeof PlanModeEvent>;
export type PlanEventOf<Type extends PlanModeEvent["type"]> = Extract<PlanModeEvent, { type: Type }>;
