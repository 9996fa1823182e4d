/** The one timer of the nudges, and what a nudge does. */
import { INJECTION_PRIORITIES } from "../../../protocol/injection.ts";
import type { PlanEventOf, PlanModeEvent } from "../../protocol/event.ts";
import type { PlanModeState } from "../../protocol/state.ts";
import type { Effect } from "../../../plugins/sdk.ts";
import { auditEffect } from "../effect-parts.ts";
import { nudgeText } from "../text/nudge-text.ts";
import type { PlanContext } from "../actors.ts";
import { beginsAnew, NUDGE_TIMER, nudgeAtMs, watchOf } from "./nudge.ts";

const NONE: Effect[] = [{ kind: "clear-timer", key: NUDGE_TIMER }];

/** `state` is the one after the event. */
export function nudgeEffects(state: PlanModeState, event: PlanModeEvent, context: PlanContext): Effect[] {
  if (event.type === "plan.nudged") return nudged(state, event, context);
  if (event.type === "plan.rested") {
    return event.stopped ? NONE : counting(state, { n: state.nudges ?? 0, sinceMs: context.nowMs }, context);
  }
  if (!beginsAnew(state, event)) return [];
  // nobody has said anything yet in a session that was just opened; the end of its first turn begins the count
  if (event.type === "plan.entered" && context.session.turnCount === 0) return NONE;
  return counting(state, { n: 0, sinceMs: context.nowMs }, context);
}

function counting(state: PlanModeState, count: { n: number; sinceMs: number }, { settings }: PlanContext): Effect[] {
  const watch = watchOf(state);
  if (watch === undefined) return NONE;
  const atMs = nudgeAtMs({ ...count, for: watch.for }, settings);
  if (atMs === undefined) return NONE;
  return [{ kind: "set-timer", key: NUDGE_TIMER, atMs, command: { type: "nudge", ...watch, ...count } }];
}

function nudged(state: PlanModeState, event: PlanEventOf<"plan.nudged">, context: PlanContext): Effect[] {
  const { cycleId, n, sinceMs } = event;
  return [
    {
      kind: "inject",
      injection: {
        id: `plan-nudge:${cycleId}`,
        kind: "plan_nudge",
        text: nudgeText(state, Math.round((context.nowMs - sinceMs) / 60_000)),
        priority: INJECTION_PRIORITIES.plan_nudge,
        cycleId,
      },
    },
    { kind: "request-turn", cause: "plan_nudge", continues: true },
    auditEffect("plan.nudged", { cycleId, n, for: event.for }),
    ...counting(state, nextCount(event, context), context),
  ];
}

/** Times that passed while the gateway was down are not made up for: one nudge says it all. */
function nextCount({ for: what, n, sinceMs }: PlanEventOf<"plan.nudged">, { settings, nowMs }: PlanContext) {
  let next = n + 1;
  for (let atMs = nudgeAtMs({ for: what, n: next, sinceMs }, settings); atMs !== undefined && atMs <= nowMs;) {
    next += 1;
    atMs = nudgeAtMs({ for: what, n: next, sinceMs }, settings);
  }
  return { n: next, sinceMs };
}
