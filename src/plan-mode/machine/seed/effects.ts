/** A seed and a chosen kind are kept in the audit chain; people see who chose what. */
import type { PlanEventOf } from "../../protocol/event.ts";
import type { Effect } from "../../../plugins/sdk.ts";
import { auditEffect, byKey } from "../effect-parts.ts";

export function seedEffects(event: PlanEventOf<"plan.seeded" | "plan.archetype_set">): Effect[] {
  const { cycleId } = event;
  if (event.type === "plan.seeded") {
    const { skill, by } = event.seed;
    return [auditEffect("plan.seeded", { cycleId, skill, steps: event.steps.length, by: byKey(by) })];
  }
  return [auditEffect("plan.archetype_set", { cycleId, archetype: event.archetype, by: byKey(event.by) })];
}
