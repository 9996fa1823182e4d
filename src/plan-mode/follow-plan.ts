/** Plan mode of one session, kept up to date by its events: for a surface that shows what each of them changed. */
import { evolve, INITIAL } from "./machine/evolve.ts";
import type { PlanModeEvent } from "./protocol/event.ts";
import { type PlanOverview, planOverview } from "./protocol/plan-overview.ts";
import type { PlanModeState } from "./protocol/state.ts";
import { readPlan } from "./read-plan.ts";

export type FollowedPlan = {
  /** The session was read, or begins anew. False: its state is written in a form that this version cannot read. */
  adopt(slices: Readonly<Record<string, unknown>>): boolean;
  /** Answers with the state that the event met. */
  observe(event: PlanModeEvent): PlanModeState;
  overview(): PlanOverview;
};

export function followPlan(): FollowedPlan {
  let state: PlanModeState = INITIAL;
  return {
    adopt(slices) {
      const read = readPlan(slices);
      state = read ?? state;
      return read !== undefined;
    },
    observe(event) {
      const before = state;
      state = evolve(state, event);
      return before;
    },
    overview: () => planOverview(state),
  };
}
