/**
 * An agent that has come to rest with work left is woken after a while, a few times, and then left alone.
 *
 *   entered · approved · rejected · answered · progress ──▶ counting from now ──minute 10──▶ nudge ──minute 30──▶ nudge …
 *   submitted · asked · expired · left · completed · stopped by a person ──▶ no timer
 *
 * A nudge is bound to its cycle and to what it was for. One that finds a turn under way does nothing; the end of that
 * turn begins the count again.
 */
import type { CycleId } from "../../../protocol/ids.ts";
import type { PlanModeCommand } from "../../protocol/command.ts";
import type { PlanEventOf, PlanModeEvent } from "../../protocol/event.ts";
import type { PlanModeSettings } from "../../protocol/settings.ts";
import type { NudgeFor, PlanModeState } from "../../protocol/state.ts";
import { refuse } from "../../protocol/refuse.ts";
import type { PlanDecision } from "../decision.ts";
import type { PlanContext } from "../actors.ts";
import { isAtCheckpoint } from "../stage/stages.ts";

export const NUDGE_TIMER = "nudge";
const MINUTE_MS = 60_000;

export type Watch = { cycleId: CycleId; for: NudgeFor };

/** What the agent should be doing now, if anything. An agent that waits for a person has nothing to do. */
export function watchOf({ now, question }: PlanModeState): Watch | undefined {
  if (question !== null) return undefined;
  switch (now.phase) {
    case "exploring":
    case "rejected":
      return { cycleId: now.cycle.id, for: "exploring" };
    case "executing":
      if (now.standing !== undefined) return undefined; // the run ends when its agent comes to rest
      if (isAtCheckpoint(now)) return undefined;
      return { cycleId: now.cycle.id, for: "executing" };
    default:
      return undefined;
  }
}

/** Of a count that began at `sinceMs`, the time of the nudge with this number; undefined behind the last one. */
export function nudgeAtMs(
  { for: what, n, sinceMs }: { for: NudgeFor; n: number; sinceMs: number },
  { nudges }: Pick<PlanModeSettings, "nudges">,
): number | undefined {
  const minute = (what === "exploring" ? nudges?.exploringMinutes : nudges?.executingMinutes)?.[n];
  return minute === undefined ? undefined : sinceMs + Math.round(minute * MINUTE_MS);
}

type NudgeCommand = Extract<PlanModeCommand, { type: "nudge" }>;

export function nudge(
  state: PlanModeState,
  command: NudgeCommand,
  { session, settings, nowMs }: PlanContext,
): PlanDecision {
  const watch = watchOf(state);
  const { cycleId, for: what, n, sinceMs } = command;
  const isStale = watch === undefined || watch.cycleId !== cycleId || watch.for !== what;
  if (isStale) return refuse("TIMER_GONE", "There is nothing to nudge the agent for any more.");
  if (session.turn.status !== "idle") return refuse("TIMER_GONE", "The agent is at work.");
  if (nudgeAtMs({ for: what, n, sinceMs }, settings) === undefined)
    return refuse("TIMER_GONE", "Nudges are switched off.");
  return { events: [{ type: "plan.nudged", cycleId, for: what, n, sinceMs, atMs: nowMs }], reply: null };
}

/** Facts after which the count begins anew, or ends, by what the agent should be doing then. */
const BEGINS_ANEW: ReadonlySet<PlanModeEvent["type"]> = new Set([
  "plan.entered",
  "plan.refreshed",
  "plan.submitted",
  "plan.approved",
  "plan.standing_signed",
  "plan.rejected",
  "plan.timed_out",
  "plan.left",
  "plan.completed",
  "question.asked",
  "question.answered",
  "question.closed",
  "plan.staged",
]);

/** A draft that changes is no progress that anybody waits for; a step that moves is. */
export const beginsAnew = (state: PlanModeState, event: PlanModeEvent): boolean =>
  BEGINS_ANEW.has(event.type) || (event.type === "plan.updated" && state.now.phase === "executing");

/** How many nudges of this count the agent has had; forgotten when it begins anew. */
export function withNudges(state: PlanModeState, event: PlanModeEvent): PlanModeState {
  if (event.type === "plan.nudged") return { ...state, nudges: event.n + 1 };
  if (state.nudges === undefined || !beginsAnew(state, event)) return state;
  const { nudges: _nudges, ...rest } = state;
  return rest;
}

/** The end of a turn: the count goes on where nothing counts; a person who stopped the agent wants it to rest. */
export function onTurnEnd(state: PlanModeState, outcome: string, context: PlanContext): PlanEventOf<"plan.rested">[] {
  const watch = watchOf(state);
  if (watch === undefined) return [];
  const isCounting = context.session.timers.some((timer) => timer.key.endsWith(`/${NUDGE_TIMER}`));
  const stopped = outcome === "aborted";
  const n = state.nudges ?? 0;
  const isOver = nudgeAtMs({ for: watch.for, n, sinceMs: context.nowMs }, context.settings) === undefined;
  if (stopped ? !isCounting : isCounting || isOver) return [];
  return [{ type: "plan.rested", stopped, atMs: context.nowMs }];
}
