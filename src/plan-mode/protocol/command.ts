/** What plan mode is ordered to do: by people, by the agent's tools, and by its own timers. */
import { z } from "zod";
import { ApprovalId, CycleId, PlanId, QuestionId, ShareId } from "../../protocol/ids.ts";
import { OfferedExtent, StepNumbers } from "./approvals.ts";
import { PlanBody, PlanStep, STEPS_MAX } from "./plan.ts";
import { CritiqueCommand } from "./lint/critic.ts";
import { REACH_COMMANDS } from "./reach/reach.ts";
import { NOTES_MAX, PlanNote } from "./review.ts";
import { TriedWrite } from "./hold.ts";
import { PermissionMode } from "./settings.ts";
import { StandingTerms } from "./job/standing.ts";
import { WAIVER_CHARS_MAX } from "./step/evidence.ts";
import { StepScope } from "./step/scope.ts";
import { HeldCall, NudgeFor } from "./state.ts";
import { Archetype } from "./template/archetype.ts";
import { SkillTemplate, TEMPLATES_MAX } from "./template/skill-template.ts";

export const FEEDBACK_CHARS_MAX = 8_192;
export const REASON_CHARS_MAX = 1_000;
export const WRITTEN_CHARS_MAX = 65_536;

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

/** What the author of an approval saw. */
const seen = {
  approvalId: ApprovalId.optional(),
  /** The card stood at rejected: how many rejections of this cycle its author has seen, or true for every one so far. */
  overRejection: z.union([z.boolean(), z.int().positive()]).optional(),
  offered: OfferedExtent.optional().describe(
    "How much of the plan's text the surface showed: whole, on-request (absent means this: its reader can ask for it), or part, which approves nothing.",
  ),
};

const unlocking = {
  ...seen,
  digest: z.string().optional(),
  steps: StepNumbers.optional().describe(
    "Accept only these steps, by their numbers; the others are held. Absent: all, up to the first checkpoint.",
  ),
  standing: StandingTerms.optional().describe(
    "Only for a plan that a run of a scheduled job submitted: it stands for later runs of exactly this job, and is not carried out now. Needs the digest.",
  ),
};

const staging = { approvalId: ApprovalId.optional(), digest: z.string().optional() };

/** Which criterion of which step; by its text or its number among those that it can mean, absent where there is one. */
const proving = {
  approvalId: ApprovalId.optional(),
  step: z.int().min(1).max(STEPS_MAX),
  criterion: z.string().max(2_000).optional(),
};

/** A decision that needs nothing but the session's own state. */
export const PlanVerdict = z.discriminatedUnion("action", [
  z.strictObject({ action: z.literal("approve"), ...unlocking }),
  z.strictObject({ action: z.literal("edit"), ...unlocking }),
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
  /** While the plan is carried out: accept steps that are held (absent: up to the next checkpoint), hold or skip others. */
  z.strictObject({ action: z.literal("release"), ...staging, steps: StepNumbers.optional() }),
  z.strictObject({ action: z.literal("hold"), ...staging, steps: StepNumbers }),
  z.strictObject({ action: z.literal("skip"), ...staging, steps: StepNumbers }),
  /** A person's word for a criterion that asks for it, and the waiver of a proof that cannot be had. */
  z.strictObject({ action: z.literal("confirm"), ...proving }),
  z.strictObject({ action: z.literal("waive"), ...proving, reason: z.string().max(WAIVER_CHARS_MAX) }),
  /** Ends a hold, which the id names. */
  z.strictObject({ action: z.literal("lift"), approvalId: ApprovalId.optional() }),
]);
export type PlanVerdict = z.infer<typeof PlanVerdict>;

/** The steps as the person wants them, in place of those that they read; the rest of the plan stays. */
const ApproveEdited = z.strictObject({
  action: z.literal("approve_edited"),
  ...seen,
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

/** What people send through `sessions.patch {planText}`: list items are steps, a heading is the title. */
export const WrittenPlan = z.strictObject({
  text: z.string().trim().min(1).max(WRITTEN_CHARS_MAX),
  title: z.string().max(200).optional(),
});

export const PlanModeCommand = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("enter"),
    reason: z.string().max(REASON_CHARS_MAX),
    archetype: Archetype.optional(),
  }),
  /** Begins the draft with a skill's template; without a name with the one that the rules choose. */
  z.strictObject({
    type: z.literal("seed"),
    templates: z.array(SkillTemplate).max(TEMPLATES_MAX),
    skill: z.string().max(64).optional(),
  }),
  /** Null: of no kind. */
  z.strictObject({ type: z.literal("set-archetype"), archetype: Archetype.nullable() }),
  z.strictObject({ type: z.literal("leave") }),
  z.strictObject({
    type: z.literal("submit"),
    body: PlanBody,
    digest: z.string(),
    /** The notes that this revision answers: n1, n2, … or their ids. */
    addresses: z.array(z.string().max(64)).max(NOTES_MAX).optional(),
    /** Of the text that the agent wrote; absent where it gave the steps one by one. */
    size: z.strictObject({ bytes: z.int().nonnegative(), chars: z.int().nonnegative() }).optional(),
  }),
  /** A person's own plan for an agent outside. */
  z.strictObject({ type: z.literal("write"), ...WrittenPlan.shape }),
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
    overRejection: seen.overRejection,
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
  z.strictObject({
    type: z.literal("ask-call"),
    callId: z.string(),
    call: HeldCall,
    shown: z.string(),
    /** What the scope of the plan lacks for it. */
    amend: StepScope.optional(),
  }),
  /** Whether the hooks of an agent outside tell of what it does. */
  z.strictObject({ type: z.literal("gated"), gated: z.boolean() }),
  /** What a held run tried to change first, and how much else. */
  z.strictObject({ type: z.literal("tried"), tried: TriedWrite }),
  z.strictObject({ type: z.literal("destructive"), check: z.string() }),
  /** Null: what is configured for this session. */
  z.strictObject({ type: z.literal("set-permission-mode"), mode: PermissionMode.nullable() }),
  z.strictObject({ type: z.literal("expire"), approvalId: ApprovalId }),
  z.strictObject({ type: z.literal("nudge"), cycleId: CycleId, for: NudgeFor, n: z.int(), sinceMs: z.int() }),
  ...REACH_COMMANDS,
  CritiqueCommand,
  z.strictObject({ type: z.literal("status") }),
]);
export type PlanModeCommand = z.infer<typeof PlanModeCommand>;
