/** Plan mode's state as a session carries it, read back: for surfaces, which draw from the cards and the overview. */
import { INITIAL } from "./machine/evolve.ts";
import { PLAN_MODE_SLICE } from "./machine/slice.ts";
import { PlanModeState } from "./protocol/state.ts";

/** Undefined: written in a form that this version cannot read. */
export function readPlan(slices: Readonly<Record<string, unknown>>): PlanModeState | undefined {
  const stored = slices[PLAN_MODE_SLICE];
  return stored === undefined ? INITIAL : PlanModeState.safeParse(stored).data;
}
