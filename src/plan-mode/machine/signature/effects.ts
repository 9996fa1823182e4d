/** Effects of a signature, a decision and an expiry: text for the agent, a line for people, and an audit fact. */
import { INJECTION_PRIORITIES } from "../../../protocol/injection.ts";
import type { PlanEventOf } from "../../protocol/event.ts";
import type { PhaseOf, PlanModeState } from "../../protocol/state.ts";
import type { By } from "../../../protocol/actor.ts";
import type { Offered } from "../../protocol/approvals.ts";
import type { PlanDecided } from "../../protocol/review.ts";
import { type Effect, never } from "../../../plugins/sdk.ts";
import type { PresenceProof } from "../../../protocol/presence.ts";
import { APPROVAL_TIMER, auditEffect, byKey, lineEffect, offeredKey, presenceKey } from "../effect-parts.ts";
import { keepDecision } from "../note/effects.ts";
import { notesText } from "../note/notes-text.ts";
import { openNotes } from "../note/threads.ts";
import { submissionOf } from "../plan/cycle.ts";
import { wasUndelivered } from "../reach/reach.ts";
import * as lines from "../text/notify-lines.ts";
import { approvedText, rejectedText, timedOutText } from "../text/texts.ts";
import type { PlanContext } from "../actors.ts";

type DecisionEvent = PlanEventOf<
  "plan.signed" | "plan.approved" | "plan.rejected" | "plan.timed_out" | "plan.auto_set"
>;

export function signatureEffects(state: PlanModeState, event: DecisionEvent, context: PlanContext): Effect[] {
  switch (event.type) {
    case "plan.signed":
      return signed(state, event, context);
    case "plan.approved":
      return approved(state, event, context);
    case "plan.rejected":
      return rejected(state, event, context);
    case "plan.timed_out":
      return timedOut(state, event, context);
    case "plan.auto_set":
      return [
        lineEffect(lines.autoLine(event.enabled)),
        auditEffect(event.type, { enabled: event.enabled, by: byKey(event.by) }),
      ];
    default:
      return never(event);
  }
}

/** Not a decision yet, so the agent is not informed. */
function signed(state: PlanModeState, event: PlanEventOf<"plan.signed">, context: PlanContext): Effect[] {
  const { signature, needs, atMs } = event;
  const submission = submissionOf(state);
  if (submission === undefined) return [];
  const { planId, approvalId, digest } = submission;
  const { by } = signature;
  const count = signaturesIn(state).length;
  return [
    lineEffect(lines.signedLine(planId, { by, count, quorum: needs.quorum })),
    ...keepDecision(
      state,
      {
        type: "decided",
        planId,
        approvalId,
        digest,
        decision: "signed",
        by,
        ...(signature.steps === undefined ? {} : { steps: signature.steps }),
        atMs,
      },
      context,
    ),
    auditEffect("plan.signed", {
      planId,
      approvalId,
      digest,
      unlock: signature.unlock,
      by: byKey(by),
      ...presenceKey(event),
      ...offeredKey(event),
    }),
  ];
}

const signaturesIn = ({ now }: PlanModeState) =>
  now.phase === "pending" || now.phase === "rejected" ? (now.signatures ?? []) : [];

function approved(state: PlanModeState, event: PlanEventOf<"plan.approved">, context: PlanContext): Effect[] {
  const { now } = state;
  const { unlock, by, atMs } = event;
  if (now.phase !== "executing") return [];
  const notes = notesText(openNotes(state));
  const { planId, title, steps, turn = context.session.turnCount } = now.submission;
  return [
    { kind: "clear-timer", key: APPROVAL_TIMER },
    { kind: "cancel-injections", cycleId: now.cycle.id, approvalId: now.submission.approvalId }, // a changed mind
    ...decided(now, approvedText(now, notes)),
    { kind: "request-turn", cause: "plan.approved", continues: true },
    lineEffect(lines.approvedLine(planId)),
    ...(by.kind === "policy" ? [lineEffect(lines.policyLine(planId, by))] : []),
    lineEffect(lines.exitedLine(lines.planExcerpt(title, steps), turn)),
    ...keepDecision(state, decisionRecord(now, { decision: unlock, by, ...acceptedOf(now), notes, atMs }), context),
    auditDecision(now, {
      decision: unlock,
      by,
      ...(now.held === undefined ? {} : { held: now.held }),
      ...(now.scoped === undefined ? {} : { scoped: now.scoped }),
      ...presenceKey(event),
      ...offeredKey(event),
    }),
  ];
}

function rejected(
  state: PlanModeState,
  { feedback, by, atMs }: PlanEventOf<"plan.rejected">,
  context: PlanContext,
): Effect[] {
  const { now } = state;
  if (now.phase !== "rejected") return [];
  const open = openNotes(state);
  const notes = notesText(open);
  const { planId } = now.submission;
  return [
    { kind: "clear-timer", key: APPROVAL_TIMER },
    ...decided(now, rejectedText(now, notes), now.cycle.rejectionCount),
    { kind: "request-turn", cause: "plan.rejected" },
    lineEffect(lines.rejectedLine(planId, feedback === "" ? lines.notesLine(open.length) : feedback)),
    ...keepDecision(state, decisionRecord(now, { decision: "rejected", by, feedback, notes, atMs }), context),
    auditDecision(now, { decision: "rejected", by, feedback, ...(open.length === 0 ? {} : { notes: open.length }) }),
  ];
}

/** The agent learns of it with its next turn; no turn is started, because nobody is present. */
function timedOut(
  state: PlanModeState,
  { approvalId, atMs }: PlanEventOf<"plan.timed_out">,
  context: PlanContext,
): Effect[] {
  const { now } = state;
  if (now.phase !== "timed_out") return [];
  const { planId } = now.submission;
  return [
    { kind: "clear-timer", key: APPROVAL_TIMER },
    ...decided(now, timedOutText(now, wasUndelivered(state, approvalId))),
    lineEffect(lines.timedOutLine(planId)),
    ...keepDecision(state, decisionRecord(now, { decision: "timed_out", by: BY_TIME, notes: "", atMs }), context),
    auditEffect("plan.timed_out", { cycleId: now.cycle.id, planId, approvalId }),
  ];
}

type Decided = Extract<PlanModeState["now"], { phase: "executing" | "rejected" | "timed_out" }>;

/** One id per decision: feedback that follows feedback takes nothing away from it. */
function decided({ submission, cycle }: Decided, text: string, rejection = 1): Effect[] {
  const { approvalId } = submission;
  return [
    {
      kind: "inject",
      injection: {
        id: rejection === 1 ? `plan-decision:${approvalId}` : `plan-decision:${approvalId}:${rejection}`,
        kind: "plan_decision",
        text,
        priority: INJECTION_PRIORITIES.plan_decision,
        approvalId,
        cycleId: cycle.id,
      },
    },
  ];
}

const BY_TIME: By = { kind: "system", id: "deadline", name: "the deadline" };

function decisionRecord(
  { submission }: Decided,
  {
    decision,
    by,
    steps,
    feedback,
    notes,
    atMs,
  }: Pick<PlanDecided, "decision" | "by" | "steps" | "feedback" | "atMs"> & { notes: string },
): PlanDecided {
  const { planId, approvalId, digest } = submission;
  const about = steps === undefined ? {} : { steps };
  const said = { ...(feedback === undefined ? {} : { feedback }), ...(notes === "" ? {} : { notes }) };
  return { type: "decided", planId, approvalId, digest, decision, by, ...about, ...said, atMs };
}

/** Which steps an approval opened, where it left others for later. */
function acceptedOf({ held, submission }: PhaseOf<"executing">): Pick<PlanDecided, "steps"> {
  if (held === undefined) return {};
  return { steps: submission.steps.map((_step, index) => index + 1).filter((number) => !held.includes(number)) };
}

type AuditedDecision = {
  decision: string;
  by: By;
  feedback?: string;
  notes?: number;
  held?: number[];
  scoped?: true;
  presence?: PresenceProof;
  offered?: Offered;
};

function auditDecision(now: Decided, given: AuditedDecision): Effect {
  const { planId, approvalId, digest } = now.submission;
  const { by, ...rest } = given;
  const detail = { cycleId: now.cycle.id, planId, approvalId, digest, ...rest, by: byKey(by) };
  return auditEffect("plan.decided", detail);
}
