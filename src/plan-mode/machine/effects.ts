/**
 * What each fact asks for. All of it commits with the fact: a decision, its injection, the turn that resumes the agent
 * and the audit entry are there together or not at all.
 */
import { INJECTION_PRIORITIES } from "../../protocol/injection.ts";
import { Json } from "../../protocol/json.ts";
import type { By, PlanEventOf, PlanModeEvent, PlanModeState } from "../../protocol/plan-mode.ts";
import type { PlanRevision } from "../../protocol/plan.ts";
import { type Effect, never } from "../../plugins/sdk.ts";
import { passingRule } from "./decide-submit.ts";
import { grantEffects } from "./calls/grant-effects.ts";
import { APPROVAL_TIMER, audit, byKey, notify } from "./effect-parts.ts";
import { endedEffects } from "./effects-ended.ts";
import { questionEffects } from "./effects-question.ts";
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
      return submitted(state, event, context);
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
      return grantEffects(state, event);
    case "plan.refreshed":
    case "plan.updated":
      return [];
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

function submitted(state: PlanModeState, event: PlanEventOf<"plan.submitted">, context: PlanContext): Effect[] {
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
    ...(passingRule(state, context.settings) === undefined
      ? waitingEffects({ planId, approvalId, deadlineAtMs })
      : [{ kind: "clear-timer", key: APPROVAL_TIMER } as const]),
    { kind: "end-turn" },
    audit("plan.submitted", {
      cycleId,
      planId,
      approvalId,
      digest,
      revision,
      subagents: gateSeen(context),
      ...(supersedes === undefined ? {} : { supersedes }),
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
  { submission, body, cycleId }: PlanEventOf<"plan.submitted">,
  { session }: PlanContext,
): PlanRevision {
  const { planId, approvalId, revision, digest, submittedAtMs } = submission;
  return { planId, sessionId: session.id, cycleId, approvalId, revision, digest, submittedAtMs, body };
}

function approved({ now }: PlanModeState, { unlock, by }: PlanEventOf<"plan.approved">): Effect[] {
  if (now.phase !== "executing") return [];
  const { planId } = now.submission;
  return [
    { kind: "clear-timer", key: APPROVAL_TIMER },
    ...decided(now, approvedText(now)),
    { kind: "request-turn", cause: "plan.approved" },
    notify(lines.approvedLine(planId, by)),
    auditDecision(now, { decision: unlock, by }),
  ];
}

function rejected({ now }: PlanModeState, { feedback, by }: PlanEventOf<"plan.rejected">): Effect[] {
  if (now.phase !== "rejected") return [];
  const { planId } = now.submission;
  return [
    { kind: "clear-timer", key: APPROVAL_TIMER },
    ...decided(now, rejectedText(now)),
    { kind: "request-turn", cause: "plan.rejected" },
    notify(lines.rejectedLine(planId, feedback)),
    auditDecision(now, { decision: "rejected", by, feedback }),
  ];
}

/** The agent is told with its next turn; nobody is there, so none is started for it. */
function timedOut({ now }: PlanModeState, { approvalId }: PlanEventOf<"plan.timed_out">): Effect[] {
  if (now.phase !== "timed_out") return [];
  const { planId } = now.submission;
  return [
    { kind: "clear-timer", key: APPROVAL_TIMER },
    ...decided(now, timedOutText(now)),
    notify(lines.timedOutLine(planId)),
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

function auditDecision(now: Decided, given: { decision: string; by: By; feedback?: string }): Effect {
  const { planId, approvalId, digest } = now.submission;
  const { by, ...rest } = given;
  const detail = { cycleId: now.cycle.id, planId, approvalId, digest, ...rest, by: byKey(by) };
  return audit("plan.decided", detail);
}
