/** What steps declare besides their text: names, order, scope and proofs. What cannot be taken, and what stays as signed. */
import type { PlanStep } from "../../protocol/plan.ts";
import type { Refused } from "../../../protocol/refusal.ts";
import type { Proof } from "../../protocol/step/proof.ts";
import { refuse } from "../../protocol/refuse.ts";
import { pathProblem, proofProblem, scopeProblem } from "../scope/scope-problem.ts";

export function refuseDeclarations(steps: readonly PlanStep[]): Refused | undefined {
  return refuseScopes(steps) ?? refuseProofs(steps) ?? refuseOrder(steps);
}

function refuseScopes(steps: readonly PlanStep[]): Refused | undefined {
  for (const { step, scope } of steps) {
    const problem = scope === undefined ? undefined : scopeProblem(scope);
    if (problem !== undefined) return refuse("PLAN_SCOPE_INVALID", `The step "${step}": ${problem}.`, { step });
  }
  return undefined;
}

function refuseProofs(steps: readonly PlanStep[]): Refused | undefined {
  for (const { step, proof = [], acceptanceCriteria = [] } of steps) {
    const criteria = new Set(acceptanceCriteria.map((criterion) => criterion.trim()));
    for (const one of proof) {
      const problem = criteria.has(one.criterion) ? undefined : `there is no criterion "${one.criterion}" to prove`;
      const why = problem ?? fileProblem(one);
      if (why !== undefined) return refuse("PLAN_INVALID", `The step "${step}": ${why}.`, { step });
    }
  }
  return undefined;
}

function fileProblem(proof: Proof): string | undefined {
  const problem = proof.by === "file" ? pathProblem(proof.path) : undefined;
  return problem === undefined ? undefined : `the file of a proof cannot be read: ${problem}`;
}

/** Of what is submitted: people see every sign of it. A plan that was signed earlier stays as it is. */
export function refuseProofCommands(steps: readonly PlanStep[]): Refused | undefined {
  for (const { step, proof = [] } of steps) {
    for (const one of proof) {
      const problem = one.by === "command" ? proofProblem(one.command) : undefined;
      if (problem !== undefined)
        return refuse("PLAN_INVALID", `The step "${step}": the command of a proof cannot be taken: ${problem}.`, {
          step,
        });
    }
  }
  return undefined;
}

function refuseOrder(steps: readonly PlanStep[]): Refused | undefined {
  const named = new Map(steps.flatMap((step) => (step.id === undefined ? [] : [[step.id, step] as const])));
  if (named.size < steps.filter(({ id }) => id !== undefined).length)
    return refuse("PLAN_INVALID", "Two steps have the same id. Give each its own, or leave the ids out.");
  for (const { step, dependsOn = [] } of steps) {
    const unknown = dependsOn.find((id) => !named.has(id));
    if (unknown !== undefined)
      return refuse("PLAN_INVALID", `The step "${step}" depends on "${unknown}", which is no step of this plan.`, {
        step,
      });
  }
  const circle = steps.find((step) => step.id !== undefined && reaches(step, step.id, named));
  return circle === undefined
    ? undefined
    : refuse("PLAN_INVALID", `The step "${circle.step}" depends on itself, by way of others.`, { step: circle.step });
}

function reaches(from: PlanStep, id: string, named: ReadonlyMap<string, PlanStep>): boolean {
  const seen = new Set<string>();
  const open = [...(from.dependsOn ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === id) return true;
    if (seen.has(next)) continue;
    seen.add(next);
    open.push(...(named.get(next)?.dependsOn ?? []));
  }
  return false;
}

/** While a plan is carried out its steps declare what was signed, whatever the agent sends; a new one opens nothing. */
export function keepDeclarations(approved: readonly PlanStep[], steps: readonly PlanStep[]): PlanStep[] {
  const signed = new Map(approved.map((step) => [step.step.trim(), step]));
  return steps.map((step) => {
    const agreed = signed.get(step.step.trim());
    if (agreed === undefined) return step;
    const { id: _id, dependsOn: _order, scope: _scope, proof: _proof, checkpoint: _end, ...reported } = step;
    return { ...reported, ...declarationsOf(agreed) };
  });
}

function declarationsOf({ id, dependsOn, scope, proof, checkpoint }: PlanStep): Partial<PlanStep> {
  return {
    ...(id === undefined ? {} : { id }),
    ...(dependsOn === undefined ? {} : { dependsOn }),
    ...(scope === undefined ? {} : { scope }),
    ...(proof === undefined ? {} : { proof }),
    ...(checkpoint === undefined ? {} : { checkpoint }),
  };
}

/** A step that nobody signed opens nothing: what it needs is asked for when it is needed. */
export function refuseAddedScope(approved: readonly PlanStep[], steps: readonly PlanStep[]): Refused | undefined {
  const signed = new Set(approved.map(({ step }) => step.trim()));
  const added = steps.find(({ step, scope }) => scope !== undefined && !signed.has(step.trim()));
  return added === undefined
    ? undefined
    : refuse(
        "PLAN_INVALID",
        `The step "${added.step}" was not in the signed plan, so it brings no scope. Leave the scope out; a call outside of the plan asks a person to amend it.`,
        { step: added.step },
      );
}
