/** Whether an agent outside works past its hooks. It decides nothing: people are shown it. */
import type { PlanEventOf } from "../../protocol/event.ts";
import type { PlanModeState } from "../../protocol/state.ts";
import type { PlanContext } from "../actors.ts";
import type { PlanDecision } from "../decision.ts";

export const setGated = (state: PlanModeState, gated: boolean, { nowMs }: PlanContext): PlanDecision =>
  gated === (state.ungatedAtMs === undefined)
    ? { events: [], reply: null }
    : { events: [{ type: "run.gated", gated, atMs: nowMs }], reply: null };

export function evolveGated(
  { ungatedAtMs: _before, ...state }: PlanModeState,
  { gated, atMs }: PlanEventOf<"run.gated">,
): PlanModeState {
  return gated ? state : { ...state, ungatedAtMs: atMs };
}
