import { INITIAL } from "../plan-mode/machine/evolve.ts";
import { PLAN_MODE_SLICE } from "../plan-mode/machine/slice.ts";
import type { SessionView } from "../protocol/methods.ts";
import { PlanModeState } from "../plan-mode/protocol/state.ts";
import { CliError } from "./cli-error.ts";

/** Plan mode of a session as the gateway has it. What this program cannot read it does not guess: a card might be missing. */
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
