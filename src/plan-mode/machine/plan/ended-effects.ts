/** How a cycle ends: every step closed, or a person left. */
import { INJECTION_PRIORITIES } from "../../../protocol/injection.ts";
import type { PlanEventOf } from "../../protocol/event.ts";
import type { PlanModeState } from "../../protocol/state.ts";
import type { PlanProgress, PlanStep } from "../../protocol/plan.ts";
import { Json } from "../../../protocol/json.ts";
import { chargeIn } from "../../../scheduler/protocol/standing.ts";
import { digestOf, type Effect } from "../../../plugins/sdk.ts";
import { APPROVAL_TIMER, auditEffect, byKey, lineEffect, notifyEffect } from "../effect-parts.ts";
import { exitedLine, leftLine } from "../text/notify-lines.ts";
import { completeText, completionSummary } from "../text/texts.ts";
import type { PlanContext } from "../actors.ts";

type Ended = PlanEventOf<"plan.left"> | PlanEventOf<"plan.completed">;

/** Progress is kept as an artifact of this kind, under the id of its plan. */
export const PLAN_PROGRESS = "plan-progress";

export function endedEffects(state: PlanModeState, event: Ended, context: PlanContext): Effect[] {
  const { session } = context;
  if (event.type === "plan.completed")
    return [...completed(event, state.now.steps), ...completedProgress(state, event, context)];
  const { cycleId } = event;
  const left = auditEffect("plan.left", { by: byKey(event.by), ...(cycleId === undefined ? {} : { cycleId }) });
  if (cycleId === undefined) return [left];
  return [
    { kind: "cancel-injections", cycleId },
    { kind: "clear-timer", key: APPROVAL_TIMER },
    // while a plan is carried out plan mode has been exited already, at the approval
    lineEffect(
      event.executing === undefined
        ? exitedLine(event.plan, event.turn ?? session.turnCount)
        : leftLine(event.executing),
    ),
    left,
    ...(event.progress === undefined ? [] : keepProgress(event.progress)),
  ];
}

/** Each run of a standing plan begins it anew, so its progress is no document of the plan. */
function completedProgress(
  { now, past }: PlanModeState,
  { seen }: PlanEventOf<"plan.completed">,
  { session }: PlanContext,
): Effect[] {
  const planId = past?.at(-1)?.planId;
  const isStanding = chargeIn(session.slices)?.standing?.plan.planId === planId;
  return planId === undefined || isStanding ? [] : keepProgress({ planId, steps: now.steps, ...seen });
}

function keepProgress(progress: PlanProgress): Effect[] {
  const body = Json.parse(progress);
  const artifact = { kind: PLAN_PROGRESS, id: progress.planId, digest: digestOf(body), body };
  return [{ kind: "write-artifact", artifact }];
}

function completed({ cycleId, title }: PlanEventOf<"plan.completed">, steps: readonly PlanStep[]): Effect[] {
  return [
    {
      kind: "inject",
      injection: {
        id: `plan-complete:${cycleId}`,
        kind: "plan_complete",
        text: completeText(title, steps),
        priority: INJECTION_PRIORITIES.plan_complete,
        cycleId,
      },
    },
    notifyEffect(completionSummary(title, steps)),
    auditEffect("plan.completed", { cycleId, steps: steps.map(({ step, status }) => ({ step, status })) }),
  ];
}
