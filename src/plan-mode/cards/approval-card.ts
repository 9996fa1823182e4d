/** A submitted plan as a card, from the moment it waits until it is carried out. */
import type {
  ApprovalCard,
  CardAction,
  CardBlock,
  CardOutcome,
  CardSigning,
  CardText,
} from "../../protocol/card/card.ts";
import { FEEDBACK_CHARS_MAX } from "../protocol/command.ts";
import type { PhaseOf, PlanModeState, Submission } from "../protocol/state.ts";
import type { PlanStep } from "../protocol/plan.ts";
import { StandingTerms } from "../protocol/job/standing.ts";
import type { Json } from "../../protocol/json.ts";
import type { Reading, Signature } from "../protocol/approvals.ts";
import { localized } from "../texts/localized.ts";
import { chargeIn } from "../../scheduler/protocol/standing.ts";
import { never, oneLine, revealHidden } from "../../plugins/sdk.ts";
import { PLAN_MODE_SLICE } from "../machine/gate.ts";
import { answeredNotes, openNotes, refuseOpenThreads } from "../machine/note/threads.ts";
import { lintText } from "../machine/lint/lint-text.ts";
import { needsOf } from "../machine/signature/approvers.ts";
import { wasUndelivered } from "../machine/reach/reach.ts";
import { decisionCode, rejectionsOf } from "../machine/signature/decision-code.ts";
import { validSignatures } from "../machine/signature/sign.ts";
import { refuseUnlock, runningChildren } from "../machine/sub-agents/sub-agent-gate.ts";
import { cardText, nameOf } from "./card-text.ts";
import type { PlanCardContext } from "./plan-card-context.ts";
import { cardSteps, criticSections, declaredSections, jobSections, triedSections } from "./plan-sections.ts";

type Submitted = PhaseOf<"pending" | "rejected" | "timed_out" | "executing">;

export function approvalCard(state: PlanModeState, now: Submitted, context: PlanCardContext): ApprovalCard {
  const { submission } = now;
  const { approvalId, planId, revision, digest, title, submittedAtMs } = submission;
  const isDecidable = now.phase === "pending" || now.phase === "rejected";
  const signatures = isDecidable ? validSignatures(state, submission, context) : signaturesOf(now);
  const running = isDecidable ? runningChildren(context) : [];
  return {
    kind: "approval",
    id: approvalId,
    slice: PLAN_MODE_SLICE,
    state: now.approval,
    heading: headingOf(now, context),
    title,
    status: statusOf(now, state),
    sinceMs: submittedAtMs,
    ...(isDecidable ? { deadline: deadlineOf(submission, now.phase === "pending" ? now.reading : undefined) } : {}),
    ...outcomeOf(now),
    planId,
    revision,
    digest,
    ...authorOf(submission),
    ...jobOf(context),
    steps: cardSteps(stepsOf(now), now.phase === "executing" ? now : undefined),
    ...sectionsOf(now, { state, isDecidable, context }),
    ...signingOf(signatures, { isDecidable, context }),
    notesOpen: openNotes(state).length,
    ...answeredOf(state),
    ...(isDecidable ? warningsOf(submission, context) : {}),
    ...(running.length === 0 ? {} : { blockedBy: running }),
    actions: isDecidable ? actionsOf(state, { now, signatures }, context) : [],
  };
}

function authorOf({ edited, writtenBy }: Submission): Pick<ApprovalCard, "editedBy"> {
  const author = edited?.by ?? writtenBy;
  return author === undefined ? {} : { editedBy: author };
}

function answeredOf(state: PlanModeState): Pick<ApprovalCard, "notesAnswered"> {
  const notesAnswered = answeredNotes(state);
  return notesAnswered === 0 ? {} : { notesAnswered };
}

/** While people decide: afterwards it is too late to ask. */
function warningsOf({ lint = [] }: Submission, { session, settings }: PlanCardContext): Pick<ApprovalCard, "warnings"> {
  const isOutside = session.kind === "external" && settings.unlock === "scoped";
  const warnings = [...lint.map(lintText), ...(isOutside ? [localized("cardScopedOutside")] : [])].map(cardText);
  return warnings.length === 0 ? {} : { warnings };
}

function jobOf({ session }: PlanCardContext): Pick<ApprovalCard, "job"> {
  const charge = chargeIn(session.slices);
  if (charge === undefined) return {};
  const { jobId: id, name, ownedBy } = charge;
  return { job: { id, name, ...(ownedBy === undefined ? {} : { ownedBy }) } };
}

/** A plan of a scheduled job's run names the job, and whose it is. */
function headingOf({ phase }: Submitted, { session }: PlanCardContext): CardText {
  const charge = chargeIn(session.slices);
  if (phase !== "pending") return cardText(localized("cardPlan"));
  if (charge === undefined) return cardText(localized("cardPlanWaits"));
  const job = revealHidden(oneLine(charge.name));
  if (charge.ownedBy === undefined) return cardText(localized("cardJobPlanWaits", { job }));
  return cardText(localized("cardJobPlanWaitsOf", { job, name: nameOf(charge.ownedBy) }));
}

type Sectioned = { state: PlanModeState; isDecidable: boolean; context: PlanCardContext };

/**
 * What the plan will touch, the jobs that outlive it, what the run tried already, and what the critic noted: whoever signs sees all of it without
 * opening the plan. While it can be decided the setting says whether that is a limit; afterwards what was signed does.
 */
function sectionsOf(now: Submitted, { state, isDecidable, context }: Sectioned): Pick<ApprovalCard, "sections"> {
  const { settings } = context;
  const { jobs = [], steps } = now.submission;
  const isLimit = now.phase === "executing" ? now.scoped === true : settings.unlock === "scoped";
  const added = now.phase === "executing" ? (now.amendments ?? []) : [];
  const noted = isDecidable ? [...triedSections(state.tried), ...criticSections(openNotes(state))] : [];
  const sections = [...declaredSections(steps, { added, isLimit }), ...jobSections(jobs), ...noted];
  return sections.length === 0 ? {} : { sections };
}

const signaturesOf = (now: Submitted): Signature[] => ("signatures" in now ? (now.signatures ?? []) : []);

/** As they were submitted while people look at them; as they are now once it is carried out, or drafted again. */
const stepsOf = (now: Submitted): PlanStep[] =>
  now.phase === "pending" || now.phase === "timed_out" ? now.submission.steps : now.steps;

const deadlineOf = (
  { deadlineAtMs }: Submission,
  reading: Reading | undefined,
): NonNullable<ApprovalCard["deadline"]> =>
  reading === undefined
    ? { atMs: deadlineAtMs }
    : { atMs: deadlineAtMs, pausedUntilMs: reading.untilMs, readBy: reading.by };

function statusOf(now: Submitted, state: PlanModeState): CardText {
  switch (now.phase) {
    case "pending":
      return cardText(localized("cardPending"));
    case "rejected":
      return cardText(localized("cardRejected", { name: nameOf(now.decidedBy) }));
    case "timed_out":
      return cardText(localized(wasUndelivered(state, now.submission.approvalId) ? "cardUndelivered" : "cardTimedOut"));
    case "executing": {
      const by = { name: nameOf(now.decidedBy) };
      if (now.decidedBy.kind !== "operator") return cardText(localized("cardByRule", by));
      return cardText(localized(now.approval === "edited" ? "cardEdited" : "cardApproved", by));
    }
    default:
      return never(now);
  }
}

function outcomeOf(now: Submitted): { outcome?: CardOutcome } {
  switch (now.phase) {
    case "rejected":
      return { outcome: { by: now.decidedBy, ...(now.feedback === "" ? {} : { words: now.feedback }) } };
    case "executing":
      return { outcome: { by: now.decidedBy, atMs: now.decidedAtMs } };
    case "pending":
      return {};
    case "timed_out":
      return { outcome: {} };
    default:
      return never(now);
  }
}

type Signed = { isDecidable: boolean; context: PlanCardContext };

/** By the rules of this moment while it can be decided; afterwards as it was signed. */
function signingOf(signatures: readonly Signature[], { isDecidable, context }: Signed): { signing?: CardSigning } {
  const needs = isDecidable
    ? needsOf(context.settings.approvals, signatures)
    : signatures.length === 0
      ? undefined
      : { quorum: signatures.length, missing: [] };
  if (needs === undefined) return {};
  const given = signatures.map(({ by, atMs, unlock }) => ({ by, atMs, allowsEdits: unlock === "edited" }));
  return { signing: { ...needs, signatures: given } };
}

type Decidable = { now: Submitted; signatures: readonly Signature[] };

function actionsOf(state: PlanModeState, { now, signatures }: Decidable, context: PlanCardContext): CardAction[] {
  const { approvalId, digest } = now.submission;
  const { approvers, quorum } = context.settings.approvals;
  const limited = approvers === undefined ? {} : { approvers: [...approvers] };
  const blocked = blockOf(state, context);
  const unlocking = {
    tone: "yes",
    scope: "operator.approvals",
    ...limited,
    ...(blocked === undefined ? {} : { blocked }),
  } as const;
  const signedAs = (unlock: Signature["unlock"], isStanding = false): Pick<CardAction, "signedBy"> => {
    const signed = signatures
      .filter((signature) => signature.unlock === unlock && (signature.standing !== undefined) === isStanding)
      .map(({ by }) => by);
    return signed.length === 0 || signatures.length >= quorum ? {} : { signedBy: signed };
  };
  const planApproval = (value: { action: string; [name: string]: Json }) => ({
    patch: { field: "planApproval", value: { ...value, approvalId } },
  });
  const rejections = rejectionsOf(now);
  // whoever acts on this card has seen how often it was rejected, and no later rejection
  const seen = { digest, ...(rejections === 0 ? {} : { overRejection: rejections }) };
  const code = decisionCode(now.submission, rejections);
  return [
    {
      id: "approve",
      label: cardText(localized(rejections === 0 ? "cardAccept" : "cardAcceptOver")),
      ...unlocking,
      ...signedAs("approved"),
      input: { kind: "none" },
      ...planApproval({ action: "approve", ...seen }),
      command: `/plan accept ${code}`,
    },
    {
      id: "approve-allowing-edits",
      label: cardText(localized(rejections === 0 ? "cardAcceptEdits" : "cardAcceptOverEdits")),
      ...unlocking,
      ...signedAs("edited"),
      input: { kind: "none" },
      ...planApproval({ action: "edit", ...seen }),
      command: `/plan accept edits ${code}`,
    },
    ...(chargeIn(context.session.slices)?.repeats === true
      ? [
          {
            id: "approve-standing",
            label: cardText(localized("cardAcceptStanding", STANDING)),
            hint: cardText(localized("cardAcceptStandingHint")),
            ...unlocking,
            ...signedAs("approved", true),
            input: { kind: "none" } as const,
            ...planApproval({ action: "approve", ...seen, standing: { ...STANDING } }),
            command: `/plan accept standing ${code}`,
          },
        ]
      : []),
    {
      id: "approve-edition",
      label: cardText(localized("cardEditSteps")),
      ...unlocking,
      input: { kind: "steps", field: "steps" },
      ...planApproval({ action: "approve_edited", ...seen }),
    },
    ...(now.phase === "pending"
      ? [rejection(state, { ...planApproval({ action: "reject", feedback: "" }), ...limited })]
      : []),
  ];
}

/** What a click signs for; other limits are set in the terminal or by RPC. */
const STANDING = StandingTerms.parse({});

/** Open notes say what should change as well as words do. */
function rejection(state: PlanModeState, given: Pick<CardAction, "patch" | "approvers">): CardAction {
  return {
    id: "reject",
    label: cardText(localized("cardRevise")),
    tone: "no",
    scope: "operator.approvals",
    input: {
      kind: "text",
      field: "feedback",
      charsMin: openNotes(state).length > 0 ? 0 : 1,
      charsMax: FEEDBACK_CHARS_MAX,
      label: cardText(localized("cardReviseLabel")),
    },
    ...given,
    command: "/plan revise",
  };
}

/** What keeps everybody from approving now, in the order in which the machine asks. */
function blockOf(state: PlanModeState, context: PlanCardContext): CardBlock | undefined {
  const children = refuseUnlock(context)?.refused;
  if (children !== undefined) {
    const running = runningChildren(context);
    const text =
      running === "unknown"
        ? localized("cardBlockedUnknown")
        : localized("cardBlockedByAgents", { count: running.length });
    return { code: children.code, text: cardText(text) };
  }
  const threads = refuseOpenThreads(state, context)?.refused;
  return threads === undefined ? undefined : { code: threads.code, text: cardText(localized("cardNotesOpen")) };
}
