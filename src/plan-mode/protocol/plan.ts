/** The shapes of a plan: its steps, its body and its revisions. */
import { z } from "zod";
import { By } from "../../protocol/actor.ts";
import { ApprovalId, CycleId, NoteId, PlanId, SessionId } from "../../protocol/ids.ts";
import { StepChange } from "./plan-diff.ts";
import { PLAN_JOBS_MAX, PlanJob } from "./job/plan-job.ts";
import { Evidence, EVIDENCE_MAX } from "./step/evidence.ts";
import { Proof, PROOFS_MAX } from "./step/proof.ts";
import { Amendment, AMENDMENTS_MAX, StepScope } from "./step/scope.ts";
import { Archetype } from "./template/archetype.ts";

export const STEPS_MAX = 500;
const STEP_CHARS_MAX = 2_000;
const CRITERIA_MAX = 50;
const SECTION_CHARS_MAX = 65_536;
const LIST_MAX = 200;
const DEPENDENCIES_MAX = 50;

export const StepStatus = z.enum(["pending", "in_progress", "completed", "cancelled"]);
export type StepStatus = z.infer<typeof StepStatus>;

const line = z.string().trim().min(1).max(STEP_CHARS_MAX);
const criteria = z.array(line).max(CRITERIA_MAX);

const StepId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/, "an id of lower-case letters, digits and -");

/** One step of a plan, named by its text. `acceptanceCriteria` gate its completion until `verifiedCriteria` echo them. */
export const PlanStep = z.strictObject({
  step: line,
  status: StepStatus,
  activeForm: line.optional(),
  acceptanceCriteria: criteria.optional(),
  verifiedCriteria: criteria.optional(),
  /** A short name that stays with the step wherever it stands; `dependsOn` names others by it. */
  id: StepId.optional(),
  dependsOn: z.array(StepId).min(1).max(DEPENDENCIES_MAX).optional(),
  scope: StepScope.optional(),
  proof: z.array(Proof).min(1).max(PROOFS_MAX).optional(),
  /** A phase ends with it: what follows is held until a person accepts it. */
  checkpoint: z.literal(true).optional(),
});
export type PlanStep = z.infer<typeof PlanStep>;

/** What a person reads and signs. */
export const PlanBody = z.strictObject({
  title: z.string().trim().min(1).max(200),
  /** The kind of work that it is for. */
  archetype: Archetype.optional(),
  plan: z.array(PlanStep).min(1).max(STEPS_MAX),
  summary: z.string().max(SECTION_CHARS_MAX).optional(),
  analysis: z.string().max(SECTION_CHARS_MAX).optional(),
  assumptions: z.array(line).max(LIST_MAX).optional(),
  risks: z
    .array(z.strictObject({ risk: line, mitigation: line }))
    .max(LIST_MAX)
    .optional(),
  verification: z.array(line).max(LIST_MAX).optional(),
  references: z.array(line).max(LIST_MAX).optional(),
  /** Scheduled jobs that the plan creates and that stay when it ends. */
  jobs: z.array(PlanJob).min(1).max(PLAN_JOBS_MAX).optional(),
});
export type PlanBody = z.infer<typeof PlanBody>;

/** One submission, kept for ever as it was. `digest` is the hash of exactly these bytes: a decision names it. */
export const PlanRevision = z.strictObject({
  planId: PlanId,
  sessionId: SessionId,
  cycleId: CycleId,
  approvalId: ApprovalId,
  revision: z.int().positive(),
  digest: z.string(),
  submittedAtMs: z.int(),
  body: PlanBody,
  /** Absent: the agent. */
  author: By.optional(),
  /** The notes that its author says it answers. */
  addresses: z.array(NoteId).optional(),
  /** The revision that a person edited into this one, and what they changed. */
  basedOn: PlanId.optional(),
  changes: z.array(StepChange).optional(),
});
export type PlanRevision = z.infer<typeof PlanRevision>;

export const PlanChanged = z.strictObject({ count: z.int().positive(), atMs: z.int() });

/** What was seen of its criteria, and what people added to its scope; absent where there was nothing. */
export const PlanSeen = z.strictObject({
  evidence: z.array(Evidence).max(EVIDENCE_MAX).exactOptional(),
  /** How often something was changed, and when last; absent beside evidence that was kept before this was. */
  changes: PlanChanged.exactOptional(),
  amendments: z.array(Amendment).max(AMENDMENTS_MAX).exactOptional(),
});
export type PlanSeen = z.infer<typeof PlanSeen>;

/** How the steps of an approved plan stood when its cycle ended; kept beside the revision, which never changes. */
export const PlanProgress = z.strictObject({
  planId: PlanId,
  steps: z.array(PlanStep).max(STEPS_MAX),
  ...PlanSeen.shape,
});
export type PlanProgress = z.infer<typeof PlanProgress>;

export const isTerminal = (step: PlanStep): boolean => step.status === "completed" || step.status === "cancelled";
