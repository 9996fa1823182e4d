/**
 * How plan mode stands in a session. A state that this version cannot read is an error, because a guess could hide
 * a card.
 */
import { type PlanOverview, planOverview } from "../plan-mode/protocol/plan-overview.ts";
import { readPlan } from "../plan-mode/read-plan.ts";
import type { SessionView } from "../protocol/methods.ts";
import { CliError } from "./cli-error.ts";

export function overviewOf({ id, slices }: Pick<SessionView, "id" | "slices">): PlanOverview {
  const state = readPlan(slices);
  if (state === undefined) throw unreadablePlan(id);
  return planOverview(state);
}

export const unreadablePlan = (sessionId: string): CliError =>
  new CliError({
    exit: "failed",
    message: `The plan of session ${sessionId} is written in a form that this version cannot read.`,
    advice: "Use the same version of holdpoint as the gateway.",
    code: "VERSION_MISMATCH",
  });
