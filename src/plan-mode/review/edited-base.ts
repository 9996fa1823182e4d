/** The revision that a person edited, whole: the machine proves by its digest that nothing but the steps is another. */
import { Json, type JsonObject } from "../../protocol/json.ts";
import { PlanModeCommand, PlanModeState } from "../../protocol/plan-mode.ts";
import { PlanRevision } from "../../protocol/plan.ts";
import type { PatchPlace } from "../../plugins/sdk.ts";
import { submissionOf } from "../machine/plan/cycle.ts";
import { INITIAL } from "../machine/evolve.ts";
import { PLAN_MODE_SLICE } from "../machine/slice.ts";

/** Other commands pass as they are. Who asks again under the same key finds a past revision as well. */
export async function withEditedBase(command: JsonObject, { session, artifact }: PatchPlace): Promise<JsonObject> {
  const parsed = PlanModeCommand.safeParse(command);
  if (!parsed.success || parsed.data.type !== "approve-edition") return command;
  const { approvalId } = parsed.data.approval;
  const state = PlanModeState.parse(session.slices[PLAN_MODE_SLICE] ?? INITIAL);
  const known = [submissionOf(state), ...(state.past ?? [])].find((item) => item?.approvalId === approvalId);
  const stored = known === undefined ? undefined : await artifact("plan", known.planId);
  return { ...command, base: stored === undefined ? null : Json.parse(PlanRevision.parse(stored).body) };
}
