/**
 * A person's decision on the waiting plan. It names the approvalId that it answers; an id that no longer waits gets a
 * refusal code of its own, and nothing changes.
 */
import type { ApprovalId } from "../../../protocol/ids.ts";
import type { OfferedExtent, Unlock } from "../../protocol/approvals.ts";
import { FEEDBACK_CHARS_MAX, type PlanModeCommand, type PlanVerdict } from "../../protocol/command.ts";
import type { StandingTerms } from "../../protocol/job/standing.ts";
import type { PhaseOf, PlanModeState, Submission } from "../../protocol/state.ts";
import type { Refused } from "../../../protocol/refusal.ts";
import { refuse } from "../../protocol/refuse.ts";
import { localized } from "../../texts/localized.ts";
import { isBlank, never, oneLine } from "../../../plugins/sdk.ts";
import { cycleIdOf, submissionOf } from "../plan/cycle.ts";
import type { PlanDecision } from "../decision.ts";
import { answerQuestion, leaveUnanswered } from "../question/decide.ts";
import { openNotes, refuseOpenThreads } from "../note/threads.ts";
import { stage } from "../stage/decide.ts";
import { numberRanges } from "../stage/number-ranges.ts";
import { refuseNumbers } from "../stage/stages.ts";
import { vouch } from "../evidence/vouch.ts";
import { lift } from "../hold/decide.ts";
import { refuseStanding, termsOf } from "../standing/sign-standing.ts";
import { refuseApprover, refuseAuthor, samePerson } from "./approvers.ts";
import { refuseSigner } from "./loosening.ts";
import { offeredOf, refuseNotOffered } from "./offered.ts";
import { requiredPresence } from "./presence.ts";
import { sign } from "./sign.ts";
import { refuseUnlock } from "../sub-agents/sub-agent-gate.ts";
import { rfc3339 } from "../text/rfc3339.ts";
import { byOf, type PlanContext } from "../actors.ts";

export function decide(state: PlanModeState, approval: PlanVerdict, context: PlanContext): PlanDecision {
  switch (approval.action) {
    case "approve":
      return unlock(state, { ...approval, unlock: "approved" }, context);
    case "edit":
      return unlock(state, { ...approval, unlock: "edited" }, context);
    case "reject":
      return reject(state, approval, context);
    case "answer":
      return answerQuestion(state, approval, context);
    case "decline":
    case "defer":
      return leaveUnanswered(state, approval, context);
    case "auto":
      return setAuto(state, approval.enabled, context);
    case "release":
    case "hold":
    case "skip":
      return stage(state, approval, context);
    case "confirm":
    case "waive":
      return vouch(state, approval, context);
    case "lift":
      return lift(state, approval.approvalId, context);
    default:
      return never(approval);
  }
}

/** `plan_mode_resolve` and `[plan-mode] approve plan_id=…`: the same decision, named by the plan that was shown. */
export function resolve(
  state: PlanModeState,
  { planId, decision, reason, overRejection }: Extract<PlanModeCommand, { type: "resolve" }>,
  context: PlanContext,
): PlanDecision {
  const current = submissionOf(state);
  const known = current?.planId === planId ? current : state.past?.find((past) => past.planId === planId);
  if (known === undefined) {
    return refuse(
      "PLAN_NOT_FOUND",
      `Plan ${planId} is not one of this session. Look at the waiting one with /plan view.`,
    );
  }
  const { approvalId } = known;
  if (decision === "approve") return decide(state, { action: "approve", approvalId, overRejection }, context);
  return decide(state, { action: "reject", approvalId, feedback: reason ?? "" }, context);
}

type Unlocking = {
  approvalId?: ApprovalId | undefined;
  digest?: string | undefined;
  offered?: OfferedExtent | undefined;
  overRejection?: boolean | number | undefined;
  standing?: StandingTerms | undefined;
  steps?: number[] | undefined;
  unlock: Unlock;
};

function unlock(state: PlanModeState, asked: Unlocking, context: PlanContext): PlanDecision {
  const found = findDecidable(state, asked, context);
  if ("refused" in found) return found;
  const { submission } = found;
  const refused = refuseStanding(asked, context) ?? refuseNumbers(asked.steps, submission.steps) ?? refuseBoth(asked);
  if (refused !== undefined) return refused;
  const { approvalId, digest } = submission;
  const decision = decisionName(actionOf(asked), state);
  // what runs later with nobody there needs the passkey wherever anything does
  const kind = asked.standing === undefined ? "plan" : "loosen";
  const standing = asked.standing === undefined ? {} : { standing: termsOf(asked.standing, context) };
  const presented = { kind, approvalId, digest, decision } as const;
  const steps = asked.steps === undefined ? {} : { steps: asked.steps.toSorted((a, b) => a - b) };
  const offered = offeredOf(asked, submission, context);
  return sign(state, { submission, unlock: asked.unlock, presented, offered, ...standing, ...steps }, context);
}

/** A plan that runs later with nobody there has nobody who would accept the rest. */
const refuseBoth = ({ standing, steps }: Unlocking): Refused | undefined =>
  standing === undefined || steps === undefined
    ? undefined
    : refuse("STANDING_NOT_POSSIBLE", "A standing plan is accepted whole: nobody is there to accept further steps.");

/** The limits of a standing plan are part of what is signed. */
function actionOf({ unlock: wanted, standing, steps }: Unlocking): string {
  const action = wanted === "edited" ? "edit" : "approve";
  if (steps !== undefined) return `${action}_steps_${numberRanges(steps).replaceAll(", ", ",")}`;
  return standing === undefined ? action : `${action}_standing_${standing.runs}_${standing.days}`;
}

/** What a passkey signs: over a rejection one approves knowingly, so that is another decision, and after a further one another. */
export const decisionName = (action: string, { now }: PlanModeState): string =>
  now.phase === "rejected" ? `${action}_over_rejection_${now.cycle.rejectionCount}` : action;

/** The submission that an approval may unlock now, by this person, as it was shown to them. */
export function findDecidable(
  state: PlanModeState,
  asked: Pick<Unlocking, "approvalId" | "digest" | "offered">,
  context: PlanContext,
): { submission: Submission } | Refused {
  const found = findSubmission(state, asked.approvalId);
  if ("refused" in found) return found;
  const { submission } = found;
  const refused =
    refusePhase(state) ??
    refuseLate(submission, context) ??
    refuseSigner(context) ??
    refuseAuthor(submission, context) ??
    refuseRejected(state, asked) ??
    refuseUnlock(context) ??
    refuseOpenThreads(state, context);
  if (refused !== undefined) return refused;
  if (asked.digest === undefined || asked.digest === submission.digest)
    return refuseNotOffered(asked, submission) ?? found;
  return refuse(
    "APPROVAL_DIGEST_MISMATCH",
    "The plan that was shown is not the one that waits. Read it again, then decide.",
    { plan_id: submission.planId, digest: submission.digest },
  );
}

/** An approval formed before a rejection committed loses to it: over one, people approve knowingly (PL-20). */
function refuseRejected({ now }: PlanModeState, { overRejection }: Omit<Unlocking, "unlock">): Refused | undefined {
  if (now.phase !== "rejected") return undefined;
  const { rejectionCount } = now.cycle;
  if (overRejection === true || (typeof overRejection === "number" && overRejection >= rejectionCount))
    return undefined;
  const { name } = now.decidedBy;
  return refuse("APPROVAL_REJECTED", localized("rejectedMeanwhile", { name: oneLine(name) }), {
    decided_by: name,
    feedback: now.feedback,
    rejections: rejectionCount,
  });
}

type Rejecting = { approvalId?: ApprovalId | undefined; feedback: string };

function reject(state: PlanModeState, asked: Rejecting, context: PlanContext): PlanDecision {
  const found = findSubmission(state, asked.approvalId);
  if ("refused" in found) return found;
  const { submission } = found;
  const refused =
    refusePhase(state) ??
    refuseRepeated(state, asked, context) ??
    refuseLate(submission, context) ??
    refuseApprover(context) ??
    refuseFeedback(asked.feedback, openNotes(state).length);
  if (refused !== undefined) return refused;
  const { approvalId, planId } = submission;
  const feedback = asked.feedback.trim();
  const { nowMs, actor } = context;
  return {
    events: [{ type: "plan.rejected", approvalId, feedback, by: byOf(actor), atMs: nowMs }],
    reply: { plan_id: planId, approval_id: approvalId, decision: "rejected", mode: "plan" },
  };
}

/** A plan that was sent back may be sent back once more, with something new to say. A second press of the button is nothing new. */
function refuseRepeated({ now }: PlanModeState, { feedback }: Rejecting, { actor }: PlanContext): Refused | undefined {
  if (now.phase !== "rejected" || now.feedback !== feedback.trim()) return undefined;
  return samePerson(now.decidedBy, byOf(actor)) ? alreadyDecided(now) : undefined;
}

/** Open notes count as feedback. */
function refuseFeedback(feedback: string, notes: number): Refused | undefined {
  if (isBlank(feedback) && notes === 0) {
    return refuse("FEEDBACK_REQUIRED", "A rejection needs feedback or notes, so that the agent knows what to change.");
  }
  if (feedback.length > FEEDBACK_CHARS_MAX) {
    return refuse("INVALID_REQUEST", localized("feedbackMax", { max: FEEDBACK_CHARS_MAX }));
  }
  return undefined;
}

/** The submission that an id belongs to, or a refusal that says what happened to it. */
export function findSubmission(
  state: PlanModeState,
  approvalId: ApprovalId | undefined,
): { submission: Submission } | Refused {
  if (approvalId === undefined) {
    return refuse(
      "APPROVAL_ID_REQUIRED",
      "A decision names the approvalId that it answers. Read it from the waiting plan.",
    );
  }
  const submission = submissionOf(state);
  if (submission?.approvalId === approvalId) return { submission };
  const past = state.past?.find((item) => item.approvalId === approvalId);
  if (past !== undefined && past.cycleId === cycleIdOf(state) && state.now.phase !== "off") {
    return refuse("APPROVAL_SUPERSEDED", "A newer revision took this plan's place. Read that one, then decide.");
  }
  if (past !== undefined) return refuse("APPROVAL_STALE", "This approval belongs to a cycle that is over.");
  if (submission === undefined) return refuse("APPROVAL_NOT_PENDING", "No plan waits for a decision in this session.");
  return refuse("APPROVAL_UNKNOWN", "This approvalId is not one of this session. Read the waiting plan again.");
}

/** Only a plan that waits can be decided, and one that was sent back while a person may still change their mind. */
function refusePhase({ now }: PlanModeState): Refused | undefined {
  switch (now.phase) {
    case "pending":
    case "rejected":
      return undefined;
    case "executing":
      return alreadyDecided(now);
    case "timed_out":
      return EXPIRED;
    case "off":
    case "exploring":
      return refuse("APPROVAL_NOT_PENDING", "No plan waits for a decision in this session.");
    default:
      return never(now);
  }
}

/** The deadline counts whether or not its timer has fired yet. */
function refuseLate({ deadlineAtMs }: Submission, { nowMs }: PlanContext): Refused | undefined {
  return nowMs < deadlineAtMs
    ? undefined
    : { refused: { ...EXPIRED.refused, details: { deadline: rfc3339(deadlineAtMs) } } };
}

const EXPIRED = refuse(
  "APPROVAL_EXPIRED",
  "The deadline of this approval has passed. The agent can submit the plan again.",
);

/** A second decision is refused with what was decided, and by whom. */
function alreadyDecided({ approval, decidedBy }: PhaseOf<"executing" | "rejected">): Refused {
  const message = `This plan was already ${approval} by ${decidedBy.name}. Nothing was changed.`;
  return refuse("APPROVAL_ALREADY_DECIDED", message, { decision: approval, decided_by: decidedBy.name });
}

function setAuto(state: PlanModeState, enabled: boolean, context: PlanContext): PlanDecision {
  const reply = { auto: enabled };
  const refused = enabled ? (refuseSigner(context) ?? refuseLoneAuto(context)) : undefined;
  if (refused !== undefined) return refused;
  if (state.auto === enabled) return { events: [], reply };
  const { nowMs, actor } = context;
  const scopes = enabled && actor.kind === "operator" ? { scopes: actor.scopes } : {};
  return { events: [{ type: "plan.auto_set", enabled, by: byOf(actor), ...scopes, atMs: nowMs }], reply };
}

/** One person cannot switch off what several must sign, and no rule has a passkey. */
function refuseLoneAuto({ settings }: PlanContext): Refused | undefined {
  const { approvals } = settings;
  const { quorum } = approvals;
  if (quorum > 1) return refuse("PERMISSION_DENIED", localized("quorumAuto", { quorum }));
  if (requiredPresence(approvals, "plan") === "none") return undefined;
  return refuse("PERMISSION_DENIED", localized("presenceAuto"));
}
