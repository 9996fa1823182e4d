/** The kind of work that a plan is for: chosen by the agent or by a person, whose choice stands. */
import type { By } from "../../../protocol/actor.ts";
import type { PlanModeEvent } from "../../protocol/event.ts";
import type { PlanBody } from "../../protocol/plan.ts";
import type { Refused } from "../../../protocol/refusal.ts";
import type { PlanModeState } from "../../protocol/state.ts";
import type { Archetype, ChosenArchetype } from "../../protocol/template/archetype.ts";
import { refuse } from "../../protocol/refuse.ts";
import { byOf, type PlanContext } from "../actors.ts";
import type { PlanDecision } from "../decision.ts";

export function setArchetype({ now }: PlanModeState, archetype: Archetype | null, context: PlanContext): PlanDecision {
  if (now.mode !== "plan") return NOT_PLANNING;
  if (now.phase === "pending") return WAITS;
  const by = byOf(context.actor);
  const { id: cycleId, archetype: before } = now.cycle;
  if (isKept(before, by)) return { events: [], reply: { archetype: before?.name ?? null, chosen_by: "a person" } };
  if ((before?.name ?? null) === archetype && before?.by.kind === by.kind) return { events: [], reply: { archetype } };
  return { events: [archetypeSet({ cycleId, archetype, by }, context)], reply: { archetype } };
}

export const archetypeSet = (
  chosen: Pick<Extract<PlanModeEvent, { type: "plan.archetype_set" }>, "cycleId" | "archetype" | "by">,
  { nowMs }: PlanContext,
): PlanModeEvent => ({ type: "plan.archetype_set", ...chosen, atMs: nowMs });

/** What a person chose, the agent does not change. */
const isKept = (before: ChosenArchetype | undefined, by: By): boolean =>
  by.kind !== "operator" && before?.by.kind === "operator";

const NOT_PLANNING = refuse("PLAN_NOT_ACTIVE", "A kind of plan is chosen while it is made: enter plan mode first.");
const WAITS = refuse("APPROVAL_PENDING", "A plan waits for a decision; send it back first, then choose another kind.");

/** Of the kind that a person chose, or of none that is said. */
export function refuseOtherKind(
  now: PlanModeState["now"],
  { archetype }: Pick<PlanBody, "archetype">,
): Refused | undefined {
  const chosen = now.phase === "off" ? undefined : now.cycle.archetype;
  if (archetype === undefined || chosen === undefined || chosen.by.kind !== "operator") return undefined;
  if (chosen.name === archetype) return undefined;
  return refuse(
    "PLAN_INVALID",
    `A person chose the kind ${chosen.name} for this plan. Submit it with archetype "${chosen.name}", or without one.`,
  );
}
