/** Effects of a decision about single steps: text for the agent, who goes on at once; a line for people; an audit fact. */
import { INJECTION_PRIORITIES } from "../../../protocol/injection.ts";
import type { Effect } from "../../../plugins/sdk.ts";
import type { PlanEventOf } from "../../protocol/event.ts";
import type { PlanDecided } from "../../protocol/review.ts";
import type { PlanModeState } from "../../protocol/state.ts";
import { localized } from "../../texts/localized.ts";
import type { PlanContext } from "../actors.ts";
import { auditEffect, byKey, notifyEffect } from "../effect-parts.ts";
import { keepDecision } from "../note/effects.ts";
import { numberRanges } from "./number-ranges.ts";

export function stagedEffects(state: PlanModeState, event: PlanEventOf<"plan.staged">, context: PlanContext): Effect[] {
  const { now } = state;
  const { approvalId, planId, released, held, skipped, by, atMs } = event;
  const { key, decision, numbers } = stagedAs(event);
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
    ...record(state, event, { about: { decision, steps: numbers }, context }),
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

type Staged = Pick<PlanEventOf<"plan.staged">, "released" | "held" | "skipped">;

function stagedAs({ released, held, skipped = [] }: Staged) {
  if (released !== undefined) return { key: "stepsAccepted", decision: "released", numbers: released } as const;
  if (held !== undefined) return { key: "stepsHeld", decision: "held", numbers: held } as const;
  return { key: "stepsSkipped", decision: "skipped", numbers: skipped } as const;
}

/** Kept for ever beside the approval, which alone would say that everything was approved. */
function record(
  state: PlanModeState,
  { planId, approvalId, by, atMs }: PlanEventOf<"plan.staged">,
  { about, context }: { about: Required<Pick<PlanDecided, "decision" | "steps">>; context: PlanContext },
): Effect[] {
  if (state.now.phase !== "executing") return [];
  const { digest } = state.now.submission;
  return keepDecision(state, { type: "decided", planId, approvalId, digest, ...about, by, atMs }, context);
}

const ADVICE = {
  stepsAccepted: "Go on with them now.",
  stepsHeld: "Leave them until a person accepts them.",
  stepsSkipped: "They are cancelled and stay so. Go on with what is left.",
} as const;
