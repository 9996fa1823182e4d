/** What the facts of a plan's life ask for: the introduction, the stored revision, the deadline, the end. */
import { INJECTION_PRIORITIES } from "../../../protocol/injection.ts";
import { Json } from "../../../protocol/json.ts";
import type { PlanEventOf } from "../../protocol/event.ts";
import type { Cycle, PlanModeState } from "../../protocol/state.ts";
import type { PlanRevision } from "../../protocol/plan.ts";
import { type Effect, never } from "../../../plugins/sdk.ts";
import { APPROVAL_TIMER, auditEffect, byKey, lineEffect } from "../effect-parts.ts";
import { gateSeen } from "../sub-agents/sub-agent-gate.ts";
import * as lines from "../text/notify-lines.ts";
import { introText } from "../text/texts.ts";
import type { PlanContext } from "../actors.ts";
import { PROPOSAL } from "./cycle.ts";
import { endedEffects } from "./ended-effects.ts";

type PlanLifeEvent = PlanEventOf<"plan.entered" | "plan.submitted" | "plan.left" | "plan.completed">;

export function planEffects(state: PlanModeState, event: PlanLifeEvent, context: PlanContext): Effect[] {
  switch (event.type) {
    case "plan.entered":
      return entered(event);
    case "plan.submitted":
      return submitted(event, context);
    case "plan.left":
    case "plan.completed":
      return endedEffects(state, event, context);
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
    ...(cycle.enteredBy.id === PROPOSAL ? [] : [intro(cycle)]), // whoever submits in the same commit needs none
    lineEffect(lines.enteredLine(cycle)),
    auditEffect("plan.entered", { cycleId: cycle.id, by: byKey(cycle.enteredBy), reason: cycle.reason }),
  ];
}

const intro = (cycle: Cycle): Effect => ({
  kind: "inject",
  injection: {
    id: `plan-intro:${cycle.id}`,
    kind: "plan_intro",
    text: introText(cycle.reason),
    priority: INJECTION_PRIORITIES.plan_intro,
    cycleId: cycle.id,
  },
});

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
    auditEffect("plan.submitted", {
      cycleId,
      planId,
      approvalId,
      digest,
      revision,
      subagents: gateSeen(context),
      ...(supersedes === undefined ? {} : { supersedes }),
      ...(submission.edited === undefined ? {} : { editedBy: byKey(submission.edited.by) }),
      ...(submission.writtenBy === undefined ? {} : { writtenBy: byKey(submission.writtenBy) }),
    }),
  ];
}

function waitingEffects(given: { planId: string; approvalId: string; deadlineAtMs: number }): Effect[] {
  const { planId, approvalId, deadlineAtMs } = given;
  return [
    { kind: "set-timer", key: APPROVAL_TIMER, atMs: deadlineAtMs, command: { type: "expire", approvalId } },
    lineEffect(lines.awaitingLine(planId)),
  ];
}

function revisionOf(
  { submission, body, cycleId, addresses, changes }: PlanEventOf<"plan.submitted">,
  { session }: PlanContext,
): PlanRevision {
  const { planId, approvalId, revision, digest, submittedAtMs, edited, writtenBy } = submission;
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
    ...(writtenBy === undefined ? {} : { author: writtenBy }),
    ...(edited === undefined ? {} : { author: edited.by, basedOn: edited.basedOn }),
    ...(changes === undefined ? {} : { changes }),
  };
}
