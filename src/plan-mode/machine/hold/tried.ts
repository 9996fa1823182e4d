/** What the kernel refused a held run. It decides nothing: people are shown it. */
import type { PlanEventOf } from "../../protocol/event.ts";
import type { TriedWrite } from "../../protocol/hold.ts";
import type { PlanModeState } from "../../protocol/state.ts";
import type { PlanContext } from "../actors.ts";
import type { PlanDecision } from "../decision.ts";

export function setTried({ tried: before }: PlanModeState, tried: TriedWrite, { nowMs }: PlanContext): PlanDecision {
  const isKnown = before?.path === tried.path && before.program === tried.program && before.others === tried.others;
  return isKnown
    ? { events: [], reply: null }
    : { events: [{ type: "run.tried", ...tried, atMs: nowMs }], reply: null };
}

export const evolveTried = (
  state: PlanModeState,
  { path, program, others }: PlanEventOf<"run.tried">,
): PlanModeState => ({ ...state, tried: { path, program, others } });
