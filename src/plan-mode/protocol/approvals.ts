/** Who must sign a plan, who has, and who is reading it. */
import { z } from "zod";
import { Scope, By } from "../../protocol/actor.ts";

export const QUORUM_MAX = 20;
const APPROVERS_MAX = 100;

/** An operator's name, an operator's id (opr_…), or a scope (operator.admin). */
const approver = z.string().trim().min(1).max(64);

const patterns = z.array(z.string().trim().min(1).max(1_000)).min(1).max(50).optional();

/** Other people sign what touches one of these. */
const RiskRule = z.strictObject({
  paths: patterns.describe("Files and folders, as a plan declares them."),
  commands: patterns.describe("Words of commands, wherever they stand in one: git push."),
  hosts: patterns,
  tools: patterns,
  approvers: z.array(approver).min(1).max(APPROVERS_MAX).optional().describe("Who decides then."),
  quorum: z.int().min(1).max(QUORUM_MAX).optional().describe("How many must sign then, at least."),
});

export const ApprovalRules = z.strictObject({
  quorum: z.int().min(1).max(QUORUM_MAX).default(1).describe("How many different operators must sign a plan."),
  approvers: z
    .array(approver)
    .min(1)
    .max(APPROVERS_MAX)
    .optional()
    .describe("Who may decide: names, ids (opr_…) or scopes. Unset: every operator with operator.approvals."),
  notAuthor: z.boolean().optional().describe("Whoever edited a plan does not approve their own edition."),
  risks: z
    .array(RiskRule)
    .max(50)
    .optional()
    .describe("Other approvers for plans whose steps declare one of these; the first that fits counts."),
  presence: z
    .enum(["none", "destructive", "passkey"])
    .optional()
    .describe(
      "What needs the person's passkey. Unset, none: nothing; passkey: every approval, every yes to a held call, and what loosens the gate; destructive: approvals do not, but what could destroy something then waits for a yes of its own, which does.",
    ),
});
export type RiskRule = z.infer<typeof RiskRule>;
export type ApprovalRules = z.infer<typeof ApprovalRules>;

/** Scopes may be anybody's; names and ids are one person each. */
export const canBeMet = ({ quorum, approvers = [] }: ApprovalRules): boolean =>
  approvers.length === 0 || quorum <= approvers.length || approvers.some((entry) => Scope.safeParse(entry).success);

/** At one level of the configuration; what is left out comes from the level above. */
export const ApprovalRulesOverride = z.strictObject({
  quorum: ApprovalRules.shape.quorum.unwrap().optional(),
  approvers: ApprovalRules.shape.approvers,
  notAuthor: ApprovalRules.shape.notAuthor,
  risks: ApprovalRules.shape.risks,
  presence: ApprovalRules.shape.presence,
});

/** Numbers of steps, from 1. */
export const StepNumbers = z.array(z.int().min(1).max(500)).min(1).max(500);

/** `approve` unlocks; `edit` unlocks with the accept-edits permission. */
export const Unlock = z.enum(["approved", "edited"]);
export type Unlock = z.infer<typeof Unlock>;

/**
 * How much of a plan its surface put before the person: all of its text, or its name with a way to read all of it, or
 * neither. What says nothing gives the text on request: whoever may decide may read it (`plans.get`, `/plan view`).
 */
export const OfferedExtent = z.enum(["whole", "on-request", "part"]);
export type OfferedExtent = z.infer<typeof OfferedExtent>;

/** What was offered to the person who approved: recorded with the approval, and of exactly this text. */
export const Offered = z.strictObject({
  surface: z.string(),
  extent: OfferedExtent.exclude(["part"]),
  digest: z.string(),
});
export type Offered = z.infer<typeof Offered>;

/** The limits of a standing plan, as one signer set them. */
export const SignedTerms = z.strictObject({ runs: z.int().positive(), untilMs: z.int() });
export type SignedTerms = z.infer<typeof SignedTerms>;

/** One operator's yes to exactly these bytes. */
export const Signature = z.strictObject({
  by: By,
  scopes: z.array(Scope),
  unlock: Unlock,
  /** For the later runs of the job; absent: for this once. */
  standing: SignedTerms.exactOptional(),
  digest: z.string(),
  /** The numbers of the steps that it accepts; absent: all of them. */
  steps: StepNumbers.exactOptional(),
  atMs: z.int(),
  /** The passkey that it was given with. */
  passkey: z.string().optional(),
});
export type Signature = z.infer<typeof Signature>;

/** What the rules asked for when this was last looked at; the rules of the moment decide. */
export const Needs = z.strictObject({ quorum: z.int().positive(), missing: z.array(z.string()).max(APPROVERS_MAX) });
export type Needs = z.infer<typeof Needs>;

/** Somebody reads: until then the countdown stands still. `extendedMs` is what reading has added to the deadline. */
export const Reading = z.strictObject({ by: By, untilMs: z.int(), extendedMs: z.int().nonnegative() });
export type Reading = z.infer<typeof Reading>;
