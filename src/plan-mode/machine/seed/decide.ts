/** A draft begins with the template of a skill: before the first turn by itself, or because a person chose one. */
import { Json } from "../../../protocol/json.ts";
import type { PlanModeCommand } from "../../protocol/command.ts";
import type { PlanModeEvent } from "../../protocol/event.ts";
import type { PhaseOf, PlanModeState } from "../../protocol/state.ts";
import { refuse } from "../../protocol/refuse.ts";
import { localized } from "../../texts/localized.ts";
import { byOf, type PlanContext } from "../actors.ts";
import type { PlanDecision } from "../decision.ts";
import { refuseSteps } from "../plan/steps.ts";
import { chooseTemplate } from "./choose-template.ts";

type SeedCommand = Extract<PlanModeCommand, { type: "seed" }>;

export function seed(state: PlanModeState, command: SeedCommand, context: PlanContext): PlanDecision {
  const decided = seededBy(state, command, context);
  // nobody asked for it by name, so there is nobody to refuse it to
  return "refused" in decided && command.skill === undefined ? NOTHING : decided;
}

function seededBy(
  { now }: PlanModeState,
  { skill: wanted, templates }: SeedCommand,
  context: PlanContext,
): PlanDecision {
  if (now.phase !== "exploring") return NOT_PLANNING;
  if (!isReplaceable(now)) return DRAFT_EXISTS;
  if (wanted === undefined && now.cycle.seed !== undefined) return NOTHING;
  const { maxPlanTemplateSteps: maxSteps } = context.settings;
  const chosen = chooseTemplate(templates, { maxSteps, archetype: now.cycle.archetype?.name, skill: wanted });
  if (chosen === undefined) return refuse("TEMPLATE_NOT_FOUND", localized("noTemplate", { skill: wanted ?? "" }));
  const { skill, steps, report } = chosen;
  const refused = refuseSteps(steps);
  if (refused !== undefined) return refused;
  const begun: PlanModeEvent = {
    type: "plan.seeded",
    cycleId: now.cycle.id,
    seed: { skill, by: byOf(context.actor), untouched: true },
    steps,
    atMs: context.nowMs,
  };
  return { events: [begun], reply: { seeded: true, skill, steps: steps.length, report: Json.parse(report) } };
}

const NOTHING: PlanDecision = { events: [], reply: { seeded: false } };

/** What the agent drafted itself is not overwritten. */
const isReplaceable = ({ steps, cycle }: PhaseOf<"exploring">): boolean =>
  steps.length === 0 || cycle.seed?.untouched === true;

const NOT_PLANNING = refuse("PLAN_NOT_ACTIVE", "A template begins a draft: enter plan mode first, with /plan on.");
const DRAFT_EXISTS = refuse(
  "DRAFT_EXISTS",
  "The agent has drafted steps already. Tell it what to take from the skill.",
);
