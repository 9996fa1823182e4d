/** The scope that a plan is carried out under: what its approved steps declare, and what people added since. */
import type { PlanStep } from "../../protocol/plan.ts";
import type { PhaseOf, PlanPhase } from "../../protocol/state.ts";
import type { StepScope } from "../../protocol/step/scope.ts";
import { openSteps } from "../stage/stages.ts";
import { type ScopeMatcher, scopeMatcher } from "./scope-match.ts";

type Executing = PhaseOf<"executing">;

/** Undefined where an approval opens everything, or where none is in force. */
export function scopeOf(now: PlanPhase): ScopeMatcher | undefined {
  return now.phase === "executing" && now.scoped === true ? matcherOf(now) : undefined;
}

const known = new WeakMap<Executing, ScopeMatcher>();

/** A stored state never changes, so each is prepared once. */
function matcherOf(now: Executing): ScopeMatcher {
  const found = known.get(now) ?? scopeMatcher(scopesOf(now));
  known.set(now, found);
  return found;
}

/** Of the steps as they were signed, and accepted so far: whatever the agent has reported about them since, it opens nothing. */
const scopesOf = (now: Executing): StepScope[] => [
  ...openSteps(now).flatMap(declaredBy),
  ...(now.amendments ?? []).map(({ add }) => add),
];

/** A command that proves a criterion was signed as well. */
export function declaredBy({ scope, proof = [] }: PlanStep): StepScope[] {
  const commands = proof.flatMap((one) => (one.by === "command" ? [one.command] : []));
  return [...(scope === undefined ? [] : [scope]), ...(commands.length === 0 ? [] : [{ commands }])];
}

/** Changes with the scope: a call that was judged under another one is judged again. Undefined where there is none. */
export function scopeKey(now: PlanPhase): string | undefined {
  if (now.phase !== "executing" || now.scoped !== true) return undefined;
  const { submission, amendments = [], held = [], skipped = [] } = now;
  return `${submission.approvalId}/${amendments.length}/${held.join()}/${skipped.join()}`;
}
