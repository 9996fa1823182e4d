/** The methods about plans and their review, as they stand in the table of all methods. */
import { z } from "zod";
import { By } from "../../protocol/actor.ts";
import { ApprovalId, PlanId, SessionId, ShareId } from "../../protocol/ids.ts";
import { FEEDBACK_CHARS_MAX } from "./command.ts";
import { PlanProgress, PlanRevision, PlanStep, STEPS_MAX } from "./plan.ts";
import { SelfTestReport } from "./self-test/self-test-report.ts";
import { SessionMode } from "./state.ts";
import { Archetype, ChosenArchetype } from "./template/archetype.ts";
import { Seed, SkillTemplate } from "./template/skill-template.ts";
import { method } from "../../protocol/wire/method.ts";
import { Note, PlanDecided, PlanDiff } from "./review.ts";

const LIST_LIMIT_MAX = 200;

const limit = z.int().min(1).max(LIST_LIMIT_MAX).default(50);
const cursor = z.string().max(256).nullable().default(null);
const sessionId = SessionId;

/** A revision by its number in the cycle, or any by its id. */
const revisionRef = z.union([z.int().positive(), PlanId]).optional();

const ShareView = z.strictObject({
  shareId: ShareId,
  planId: PlanId,
  by: By,
  createdAtMs: z.int(),
  expiresAtMs: z.int(),
  revoked: z.boolean(),
});

export const PLAN_METHODS = {
  plan_mode_resolve: method(
    "operator.approvals",
    "Decides on the plan that a notification names: the same decision as sessions.patch {planApproval}, by its plan_id.",
    () => ({
      params: z.strictObject({
        plan_id: PlanId,
        decision: z.enum(["approve", "reject"]),
        reason: z
          .string()
          .max(FEEDBACK_CHARS_MAX)
          .optional()
          .describe("Required to reject: what the agent should change."),
        over_rejection: z
          .boolean()
          .optional()
          .describe("Approves a plan that somebody sent back, by a person who knows that."),
        idempotencyKey: z.string().min(1).max(128).optional(),
      }),
      result: z.strictObject({
        plan_id: PlanId,
        session_id: SessionId,
        /** `signed`: one of several signatures that are needed. */
        decision: z.enum(["approved", "rejected", "signed"]),
        mode: SessionMode,
        unlocked_at: z.string().nullable(),
      }),
    }),
  ),
  "plans.list": method("operator.read", "Plan revisions, newest first, of one session or of all.", () => ({
    params: z.strictObject({ sessionId: SessionId.optional(), cursor, limit }),
    result: z.strictObject({ plans: z.array(PlanRevision), nextCursor: z.string().nullable() }),
  })),
  "plans.get": method("operator.read", "One plan revision, whole.", () => ({
    params: z.strictObject({ planId: PlanId }),
    result: z.strictObject({ plan: PlanRevision }),
  })),
  "plans.revisions": method(
    "operator.read",
    "All revisions of the cycle that a plan belongs to, oldest first.",
    () => ({
      params: z.strictObject({ planId: PlanId }),
      result: z.strictObject({ plans: z.array(PlanRevision) }),
    }),
  ),
  "plans.notes": method(
    "operator.read",
    "Notes on a plan and what was decided about its revisions, of its whole cycle.",
    () => ({
      params: z.strictObject({ planId: PlanId }),
      result: z.strictObject({
        /** As they stand on this revision. */
        notes: z.array(Note),
        decisions: z.array(PlanDecided),
      }),
    }),
  ),
  "plans.progress": method(
    "operator.read",
    "How far a plan was carried out: its steps as they stand, and what was seen of their criteria.",
    () => ({
      params: z.strictObject({ planId: PlanId }),
      /** Null: it was never carried out. */
      result: z.strictObject({ progress: PlanProgress.nullable() }),
    }),
  ),
  "plans.diff": method(
    "operator.read",
    "What changed between two revisions, and which note each change answers: by default the newest against the one before.",
    () => ({
      params: z.strictObject({
        planId: PlanId.optional().describe("Any revision of the cycle; or name the session."),
        sessionId: SessionId.optional(),
        from: revisionRef,
        to: revisionRef,
        steps: z
          .array(PlanStep)
          .max(STEPS_MAX)
          .optional()
          .describe("In place of to: the named plan with these steps, before anybody stores it."),
      }),
      /** Null: this is the first revision. */
      result: z.strictObject({ diff: PlanDiff.nullable() }),
    }),
  ),
  "plans.export": method("operator.read", "One plan revision with its notes and decisions as a document.", () => ({
    params: z.strictObject({ planId: PlanId, format: z.enum(["markdown", "json", "html"]) }),
    result: z.strictObject({ filename: z.string(), mediaType: z.string(), text: z.string() }),
  })),
  "plans.share": method(
    "operator.approvals",
    "Makes a read-only link to one plan revision; whoever has it can read. Its secret is shown this once.",
    () => ({
      params: z.strictObject({
        planId: PlanId,
        expiresInSeconds: z
          .int()
          .min(60)
          .max(90 * 86_400)
          .default(7 * 86_400),
      }),
      result: z.strictObject({ shareId: ShareId, path: z.string(), expiresAtMs: z.int() }),
    }),
  ),
  "plans.unshare": method("operator.approvals", "Ends a link at once.", () => ({
    params: z.strictObject({ shareId: ShareId }),
    result: z.strictObject({ shareId: ShareId }),
  })),
  "plans.shares": method("operator.read", "The links to plans of one session, newest first.", () => ({
    params: z.strictObject({ sessionId }),
    result: z.strictObject({ shares: z.array(ShareView) }),
  })),
  "plans.reading": method(
    "operator.approvals",
    "Says that somebody reads what waits: its countdown stands still for a minute. Say it again while reading goes on.",
    () => ({
      params: z.strictObject({ sessionId, approvalId: ApprovalId }),
      result: z.strictObject({ deadlineAtMs: z.int(), pausedUntilMs: z.int().nullable() }),
    }),
  ),
  "plans.templates": method(
    "operator.read",
    "The plan templates of the skills that a session has, the kinds of plans, and what its draft began with.",
    () => ({
      params: z.strictObject({ sessionId }),
      result: z.strictObject({
        templates: z.array(SkillTemplate),
        archetypes: z.array(Archetype),
        /** Null: none was chosen, or it is not planning. */
        archetype: ChosenArchetype.nullable(),
        seed: Seed.nullable(),
      }),
    }),
  ),
  "plans.seed": method(
    "operator.approvals",
    "Begins the draft of a session that is planning with the template of a skill. A draft of the agent's is not overwritten.",
    () => ({
      params: z.strictObject({ sessionId, skill: z.string().min(1).max(64) }),
      result: z.strictObject({ skill: z.string(), steps: z.int() }),
    }),
  ),
  "plans.selfTest": method(
    "operator.approvals",
    "Plays one whole plan on this installation, in folders of its own, and removes everything that it made.",
    () => ({ params: z.strictObject({}), result: z.strictObject({ report: SelfTestReport }) }),
  ),
} as const;

type PlanMethod = keyof typeof PLAN_METHODS;
export type PlanParamsOf<Name extends PlanMethod> = z.output<(typeof PLAN_METHODS)[Name]["params"]>;
export type PlanResultOf<Name extends PlanMethod> = z.output<(typeof PLAN_METHODS)[Name]["result"]>;
