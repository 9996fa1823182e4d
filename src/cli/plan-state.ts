/**
 * Plan mode's state of a session, parsed. A state that this version cannot read is an error, because a guess could hide
 * a card.
 */
import { INITIAL } from "../plan-mode/machine/evolve.ts";
import { PLAN_MODE_SLICE } from "../plan-mode/machine/slice.ts";
import type { SessionView } from "../protocol/methods.ts";
import { PlanModeState } from "../plan-mode/protocol/state.ts";
import { CliError } from "./cli-error.ts";

export function planStateOf({ id, slices }: Pick<SessionView, "id" | "slices">): PlanModeState {
  const stored = slices[PLAN_MODE_SLICE];
  if (stored === undefined) return INITIAL;
  const state = PlanModeState.safeParse(stored);
  if (state.success) return state.data;
  throw new CliError({
    exit: "failed",
    message: `The plan of session ${id} is written in a form that this version cannot read.`,
    advice: "Use the same version of holdpoint as the gateway.",
    code: "VERSION_MISMATCH",
    cause: state.error,
  });
}
