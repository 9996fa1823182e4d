/** What signing a standing plan, and a run under one, ask for. How many runs were used is counted where the job lives. */
import { INJECTION_PRIORITIES } from "../../../protocol/injection.ts";
import type { PlanEventOf } from "../../protocol/event.ts";
import type { PlanModeState } from "../../protocol/state.ts";
import type { Effect } from "../../../plugins/sdk.ts";
import type { PlanContext } from "../actors.ts";
import { APPROVAL_TIMER, auditEffect, byKey, lineEffect, offeredKey, presenceKey } from "../effect-parts.ts";
import { keepDecision } from "../note/effects.ts";
import * as lines from "../text/notify-lines.ts";
import { approvedText } from "../text/texts.ts";

export function standingSignedEffects(
  state: PlanModeState,
  event: PlanEventOf<"plan.standing_signed">,
  context: PlanContext,
): Effect[] {
  const { plan, cycleId, by, atMs } = event;
  const { planId, approvalId, digest, runs, untilMs, unlock, signedBy } = plan;
  return [
    { kind: "clear-timer", key: APPROVAL_TIMER },
    { kind: "cancel-injections", cycleId },
    lineEffect(lines.standingLine(plan)),
    ...keepDecision(state, { type: "decided", planId, approvalId, digest, decision: "standing", by, atMs }, context),
    auditEffect("plan.decided", {
      cycleId,
      planId,
      approvalId,
      digest,
      decision: "standing",
      unlock,
      runs,
      untilMs,
      signedBy: signedBy.map(byKey),
      by: byKey(by),
      ...presenceKey(event),
      ...offeredKey(event),
    }),
  ];
}

/** No turn is requested: the job's own message follows, and begins one. */
export function standingBegunEffects(
  { now }: PlanModeState,
  { cycle, submission, by, standing }: PlanEventOf<"plan.standing_begun">,
): Effect[] {
  if (now.phase !== "executing") return [];
  const { planId, approvalId, digest } = submission;
  return [
    {
      kind: "inject",
      injection: {
        id: `plan-standing:${cycle.id}`,
        kind: "plan_decision",
        text: approvedText(now),
        priority: INJECTION_PRIORITIES.plan_decision,
        approvalId,
        cycleId: cycle.id,
      },
    },
    lineEffect(lines.standingRunLine(planId, standing)),
    auditEffect("plan.standing_begun", {
      planId,
      approvalId,
      digest,
      jobId: standing.jobId,
      n: standing.n,
      by: byKey(by),
    }),
  ];
}
