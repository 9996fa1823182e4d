/**
 * What each fact asks for. All of it commits with the fact: a decision, its injection, the turn that resumes the agent
 * and the audit entry are there together or not at all.
 */
import { INJECTION_PRIORITIES } from "../../protocol/injection.ts";
import { Json } from "../../protocol/json.ts";
import type { PlanEventOf, PlanModeEvent } from "../protocol/event.ts";
import type { PlanModeState } from "../protocol/state.ts";
import type { By } from "../../protocol/actor.ts";
import type { PlanRevision } from "../protocol/plan.ts";
import type { PlanDecided } from "../protocol/review.ts";
import { type Effect, never } from "../../plugins/sdk.ts";
import { submissionOf } from "./cycle.ts";
import { grantEffects } from "./calls/grant-effects.ts";
import { APPROVAL_TIMER, audit, byKey, notify } from "./effect-parts.ts";
import { endedEffects } from "./effects-ended.ts";
import { questionEffects } from "./question/effects-question.ts";
import { permissionEffects } from "./permission/set-permission.ts";
import { readingEffects } from "./reading/reading-change.ts";
import { keep, reviewEffects } from "./review/effects-review.ts";
import { notesText } from "./review/notes-text.ts";
import { openNotes } from "./review/threads.ts";
import { shareEffects } from "./sharing/share.ts";
import { gateSeen } from "./sub-agents/sub-agent-gate.ts";
import * as lines from "./text/notify-lines.ts";
import { approvedText, introText, rejectedText, timedOutText } from "./text/texts.ts";
import type { PlanContext } from "./who.ts";

/** `state` is the one after the event. */
export function effects(state: PlanModeState, event: PlanModeEvent, context: PlanContext): Effect[] {
  switch (event.type) {
    case "plan.entered":
      return entered(event);
    case "plan.submitted":
      return submitted(event, context);
    case "plan.approved":
      return approved(state, event);
    case "plan.rejected":
      return rejected(state, event);
    case "plan.timed_out":
      return timedOut(state, event);
    case "plan.left":
    case "plan.completed":
      return endedEffects(state, event, context);
    case "question.asked":
    case "question.answered":
    case "question.closed":
      return questionEffects(state, event);
    case "plan.auto_set":
      return [
        notify(lines.autoLine(event.enabled)),
        audit(event.type, { enabled: event.enabled, by: byKey(event.by) }),
      ];
    case "grant.given":
    case "grant.spent":
    case "grant.denied":
      return grantEffects(state, event);
    case "permission.set":
      return permissionEffects(event);
    case "plan.signed":
      return signedEffects(state, event);
    case "plan.reading":
      return readingEffects(state, event);
    case "plan.shared":
    case "plan.unshared":
      return shareEffects(event);
    case "note.added":
    case "note.replied":
    case "note.resolved":
    case "note.reopened":
    case "notes.moved":
      return reviewEffects(state, event);
    case "plan.refreshed":
    case "plan.updated":
    case "plan.nudged":
    case "plan.rested":
      return []; // what they do to the nudges is in nudges/
    default:
      return never(event);
  }
}

function entered({ cycle, previousCycleId }: PlanEventOf<"plan.entered">): Effect[] {
  const stale: Effect[] =
    previousCycleId === undefined ? [] : [{ kind: "cancel-injections", cycleId: previousCycleId }];
  return [
    ...stale,
    { kind: "clear-timer", key: APPROVAL_TIMER },
    {
      kind: "inject",
      injection: {
        id: `plan-intro:${cycle.id}`,
        kind: "plan_intro",
        text: introText(cycle.reason),
        priority: INJECTION_PRIORITIES.plan_intro,
        cycleId: cycle.id,
      },
    },
    notify(lines.enteredLine(cycle)),
    audit("plan.entered", { cycleId: cycle.id, by: byKey(cycle.enteredBy), reason: cycle.reason }),
  ];
}

function submitted(event: PlanEventOf<"plan.submitted">, context: PlanContext): Effect[] {
  const { submission, cycleId, supersedes } = event;
  const { planId, approvalId, digest, revision, deadlineAtMs } = submission;
  // what was decided about the revision before must not reach the agent after this one
  const stale: Effect[] =
    supersedes === undefined ? [] : [{ kind: "cancel-injections", cycleId, approvalId: supersedes }];
  return [
    ...stale,
    {
      kind: "write-artifact",
      artifact: { kind: "plan", id: planId, digest, body: Json.parse(revisionOf(event, context)) },
    },
    ...(event.unlocked === true
      ? [{ kind: "clear-timer", key: APPROVAL_TIMER } as const]
      : waitingEffects({ planId, approvalId, deadlineAtMs })),
    ...(submission.edited === undefined ? [{ kind: "end-turn" } as const] : []),
    audit("plan.submitted", {
      cycleId,
      planId,
      approvalId,
      digest,
      revision,
      subagents: gateSeen(context),
      ...(supersedes === undefined ? {} : { supersedes }),
      ...(submission.edited === undefined ? {} : { editedBy: byKey(submission.edited.by) }),
    }),
  ];
}

function waitingEffects(given: { planId: string; approvalId: string; deadlineAtMs: number }): Effect[] {
  const { planId, approvalId, deadlineAtMs } = given;
  return [
    { kind: "set-timer", key: APPROVAL_TIMER, atMs: deadlineAtMs, command: { type: "expire", approvalId } },
    notify(lines.awaitingLine(planId)),
  ];
}

function revisionOf(
  { submission, body, cycleId, addresses, changes }: PlanEventOf<"plan.submitted">,
  { session }: PlanContext,
): PlanRevision {
  const { planId, approvalId, revision, digest, submittedAtMs, edited } = submission;
  return {
    planId,
    sessionId: session.id,
    cycleId,
    approvalId,
    revision,
    digest,
    submittedAtMs,
    body,
    ...(addresses === undefined ? {} : { addresses }),
    ...(edited === undefined ? {} : { author: edited.by, basedOn: edited.basedOn }),
    ...(changes === undefined ? {} : { changes }),
  };
}

/** Not a decision yet, so the agent hears nothing of it. */
function signedEffects(state: PlanModeState, { signature, needs, atMs }: PlanEventOf<"plan.signed">): Effect[] {
  const submission = submissionOf(state);
  if (submission === undefined) return [];
  const { planId, approvalId, digest } = submission;
  const { by } = signature;
  const count = signaturesIn(state).length;
  return [
    notify(lines.signedLine(planId, { by, count, quorum: needs.quorum })),
    ...keep(state, { type: "decided", planId, approvalId, digest, decision: "signed", by, atMs }),
    audit("plan.signed", { planId, approvalId, digest, unlock: signature.unlock, by: byKey(by) }),
  ];
}

const signaturesIn = ({ now }: PlanModeState) =>
  now.phase === "pending" || now.phase === "rejected" ? (now.signatures ?? []) : [];

function approved(state: PlanModeState, { unlock, by, atMs }: PlanEventOf<"plan.approved">): Effect[] {
  const { now } = state;
  if (now.phase !== "executing") return [];
  const notes = notesText(openNotes(state));
  const { planId } = now.submission;
  return [
    { kind: "clear-timer", key: APPROVAL_TIMER },
    ...decided(now, approvedText(now, notes)),
    { kind: "request-turn", cause: "plan.approved" },
    notify(lines.approvedLine(planId, by)),
    ...keep(state, decisionRecord(now, { decision: unlock, by, notes, atMs })),
    auditDecision(now, { decision: unlock, by }),
  ];
}

function rejected(state: PlanModeState, { feedback, by, atMs }: PlanEventOf<"plan.rejected">): Effect[] {
  const { now } = state;
  if (now.phase !== "rejected") return [];
  const open = openNotes(state);
  const notes = notesText(open);
  const { planId } = now.submission;
  return [
    { kind: "clear-timer", key: APPROVAL_TIMER },
    ...decided(now, rejectedText(now, notes)),
    { kind: "request-turn", cause: "plan.rejected" },
    notify(lines.rejectedLine(planId, feedback === "" ? lines.notesLine(open.length) : feedback)),
    ...keep(state, decisionRecord(now, { decision: "rejected", by, feedback, notes, atMs })),
    auditDecision(now, { decision: "rejected", by, feedback, ...(open.length === 0 ? {} : { notes: open.length }) }),
  ];
}

/** The agent is told with its next turn; nobody is there, so none is started for it. */
function timedOut(state: PlanModeState, { approvalId, atMs }: PlanEventOf<"plan.timed_out">): Effect[] {
  const { now } = state;
  if (now.phase !== "timed_out") return [];
  const { planId } = now.submission;
  return [
    { kind: "clear-timer", key: APPROVAL_TIMER },
    ...decided(now, timedOutText(now)),
    notify(lines.timedOutLine(planId)),
    ...keep(state, decisionRecord(now, { decision: "timed_out", by: BY_TIME, notes: "", atMs })),
    audit("plan.timed_out", { cycleId: now.cycle.id, planId, approvalId }),
  ];
}

type Decided = Extract<PlanModeState["now"], { phase: "executing" | "rejected" | "timed_out" }>;

/** One id per approval: a changed mind replaces what was still queued. */
function decided({ submission, cycle }: Decided, text: string): Effect[] {
  const { approvalId } = submission;
  return [
    {
      kind: "inject",
      injection: {
        id: `plan-decision:${approvalId}`,
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
    feedback,
    notes,
    atMs,
  }: Pick<PlanDecided, "decision" | "by" | "feedback" | "atMs"> & { notes: string },
): PlanDecided {
  const { planId, approvalId, digest } = submission;
  const said = { ...(feedback === undefined ? {} : { feedback }), ...(notes === "" ? {} : { notes }) };
  return { type: "decided", planId, approvalId, digest, decision, by, ...said, atMs };
}

function auditDecision(now: Decided, given: { decision: string; by: By; feedback?: string; notes?: number }): Effect {
  const { planId, approvalId, digest } = now.submission;
  const { by, ...rest } = given;
  const detail = { cycleId: now.cycle.id, planId, approvalId, digest, ...rest, by: byKey(by) };
  return audit("plan.decided", detail);
}
