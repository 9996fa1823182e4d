/** How a template and the chosen kind of plan change a cycle. */
import type { PlanEventOf } from "../../protocol/event.ts";
import type { Cycle, PlanPhase } from "../../protocol/state.ts";
import { inCycle } from "../plan/cycle.ts";

type SeedEvent = PlanEventOf<"plan.seeded" | "plan.archetype_set">;

export function evolveSeed(now: PlanPhase, event: SeedEvent): PlanPhase {
  const phase = inCycle(now, event.type);
  if (event.type === "plan.seeded")
    return { ...phase, cycle: { ...phase.cycle, seed: event.seed }, steps: event.steps };
  const { archetype, by } = event;
  const { archetype: _before, ...cycle } = phase.cycle;
  const chosen: Cycle = archetype === null ? cycle : { ...cycle, archetype: { name: archetype, by } };
  // a draft that nobody touched gives way to one of the new kind
  if (phase.phase !== "exploring" || chosen.seed?.untouched !== true || chosen.seed.by.kind !== "system")
    return { ...phase, cycle: chosen };
  const { seed: _seed, ...unseeded } = chosen;
  return { ...phase, cycle: unseeded, steps: [] };
}

/** From here on the draft is the agent's. */
export function touched<Phase extends PlanPhase>(now: Phase): Phase {
  if (now.phase === "off" || now.cycle.seed?.untouched !== true) return now;
  const { untouched: _mark, ...seed } = now.cycle.seed;
  return { ...now, cycle: { ...now.cycle, seed } };
}
