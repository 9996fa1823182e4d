/** How accepted, held and skipped steps are kept. */
import type { PlanEventOf } from "../../protocol/event.ts";
import type { PhaseOf, PlanPhase } from "../../protocol/state.ts";

const joined = (a: readonly number[] = [], b: readonly number[] = []): number[] =>
  [...new Set([...a, ...b])].toSorted((x, y) => x - y);
const without = (a: readonly number[] = [], b: readonly number[] = []): number[] => a.filter((n) => !b.includes(n));

export function evolveStages(now: PlanPhase, event: PlanEventOf<"plan.staged">): PhaseOf<"executing"> {
  if (now.phase !== "executing") throw new Error(`plan.staged in ${now.phase}`);
  const { held: heldBefore, skipped: skippedBefore, ...rest } = now;
  const held = without(joined(heldBefore, event.held), [...(event.released ?? []), ...(event.skipped ?? [])]);
  const skipped = joined(skippedBefore, event.skipped);
  const gone = new Set((event.skipped ?? []).map((number) => now.submission.steps[number - 1]?.step.trim()));
  const paused = new Set((event.held ?? []).map((number) => now.submission.steps[number - 1]?.step.trim()));
  return {
    ...rest,
    steps: now.steps.map((step) => {
      if (gone.has(step.step.trim())) return { ...step, status: "cancelled" };
      return paused.has(step.step.trim()) && step.status === "in_progress" ? { ...step, status: "pending" } : step;
    }),
    ...(held.length === 0 ? {} : { held }),
    ...(skipped.length === 0 ? {} : { skipped }),
  };
}
