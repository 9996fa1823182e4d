/** Effects of a decision about single steps: text for the agent, who goes on at once; a line for people; an audit fact. */
import { INJECTION_PRIORITIES } from "../../../protocol/injection.ts";
import type { Effect } from "../../../plugins/sdk.ts";
import type { PlanEventOf } from "../../protocol/event.ts";
import type { PlanModeState } from "../../protocol/state.ts";
import { localized } from "../../texts/localized.ts";
import { auditEffect, byKey, notifyEffect } from "../effect-parts.ts";
import { numberRanges } from "./number-ranges.ts";

export function stagedEffects({ now }: PlanModeState, event: PlanEventOf<"plan.staged">): Effect[] {
  const { approvalId, planId, released, held, skipped, by, atMs } = event;
  const [key, numbers] =
    released !== undefined
      ? (["stepsAccepted", released] as const)
      : held !== undefined
        ? (["stepsHeld", held] as const)
        : (["stepsSkipped", skipped ?? []] as const);
  const line = localized(key, { name: by.name, steps: numberRanges(numbers) });
  return [
    {
      kind: "inject",
      injection: {
        id: `plan-staged:${approvalId}:${atMs}:${key}`.slice(0, 128),
        kind: "plan_decision",
        text: `[PLAN_DECISION]: steps\n${line.text}\n${ADVICE[key]}\n[/PLAN_DECISION]`,
        priority: INJECTION_PRIORITIES.plan_decision,
        approvalId,
        ...(now.phase === "off" ? {} : { cycleId: now.cycle.id }),
      },
    },
    { kind: "request-turn", cause: "plan.staged" },
    notifyEffect(line),
    auditEffect("plan.staged", {
      approvalId,
      planId,
      ...(released === undefined ? {} : { released }),
      ...(held === undefined ? {} : { held }),
      ...(skipped === undefined ? {} : { skipped }),
      by: byKey(by),
    }),
  ];
}

const ADVICE = {
  stepsAccepted: "Go on with them now.",
  stepsHeld: "Leave them until a person accepts them.",
  stepsSkipped: "They are cancelled and stay so. Go on with what is left.",
} as const;
