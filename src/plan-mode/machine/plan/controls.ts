/** What surfaces need to know to offer the modes of a session. */
import type { JsonObject } from "../../../protocol/json.ts";
import type { PlanModeState } from "../../protocol/state.ts";
import type { PlanCardContext } from "../../cards/plan-card-context.ts";
import { nextRequestRule } from "./enter.ts";

/**
 * `enabled`: whether a cycle can be started here at all. `nextRequestPlans`: the cycle is over, and the next request
 * starts another by itself, although the mode is normal until then.
 */
export function controls(state: PlanModeState, context: PlanCardContext): JsonObject {
  return { enabled: context.settings.enabled, nextRequestPlans: nextRequestRule(state, context) !== undefined };
}
