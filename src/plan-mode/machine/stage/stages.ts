/**
 * Steps that people have not accepted yet, and steps that they skip (BY-05). Numbers are those of the signed plan, from 1.
 *
 *   approved whole ──a checkpoint is declared──▶ held behind it ──accept──▶ open
 *   approved in part ──the others──▶ held ──accept──▶ open       held · open ──skip──▶ cancelled, for good
 */
import type { PlanStep } from "../../protocol/plan.ts";
import { isTerminal } from "../../protocol/plan.ts";
import type { Refused } from "../../../protocol/refusal.ts";
import { refuse } from "../../protocol/refuse.ts";
import type { PhaseOf, PlanPhase } from "../../protocol/state.ts";
import { localized } from "../../texts/localized.ts";

type Executing = PhaseOf<"executing">;

/** What an approval leaves for later: all but the chosen steps, or what stands behind the first checkpoint. */
export function heldAfter(steps: readonly PlanStep[], chosen: readonly number[] | undefined): number[] {
  const numbers = steps.map((_step, index) => index + 1);
  if (chosen !== undefined) return numbers.filter((number) => !chosen.includes(number));
  const checkpoint = steps.findIndex((step) => step.checkpoint === true);
  return checkpoint < 0 ? [] : numbers.slice(checkpoint + 1);
}

/** Up to and with the next checkpoint. */
export function nextStage({ submission, held = [] }: Executing): number[] {
  const end = held.findIndex((number) => submission.steps[number - 1]?.checkpoint === true);
  return end < 0 ? [...held] : held.slice(0, end + 1);
}

const textsOf = ({ submission }: Executing, numbers: readonly number[] = []): Set<string> =>
  new Set(numbers.map((number) => submission.steps[number - 1]?.step.trim() ?? ""));

/** Of the steps as they were signed, those whose work may be done now. */
export function openSteps({ submission, held = [], skipped = [] }: Executing): PlanStep[] {
  return submission.steps.filter((_step, index) => !held.includes(index + 1) && !skipped.includes(index + 1));
}

/** Everything that was accepted is done, and the rest waits for a person: until then nothing changes. */
export function isAtCheckpoint(now: PlanPhase): boolean {
  if (now.phase !== "executing" || now.held === undefined) return false;
  const held = textsOf(now, now.held);
  return now.steps.every((step) => isTerminal(step) || held.has(step.step.trim()));
}

/** A held step is not begun, and a skipped one stays skipped; whoever wants it otherwise asks a person. */
export function refuseStaged(now: PlanPhase, steps: readonly PlanStep[]): Refused | undefined {
  if (now.phase !== "executing") return undefined;
  const [held, skipped] = [textsOf(now, now.held), textsOf(now, now.skipped)];
  const early = steps.find(
    ({ step, status }) => held.has(step.trim()) && (status === "in_progress" || status === "completed"),
  );
  if (early !== undefined)
    return refuse(
      "STEP_HELD",
      `The step "${early.step}" has not been accepted yet. Finish what was accepted and end your turn; a person accepts the rest.`,
      { step: early.step },
    );
  const revived = steps.find(({ step, status }) => skipped.has(step.trim()) && status !== "cancelled");
  if (revived === undefined) return undefined;
  return refuse("STEP_HELD", `A person skipped the step "${revived.step}". It stays cancelled.`, {
    step: revived.step,
  });
}

/** Numbers of steps that a decision names; undefined where all are there. */
export function refuseNumbers(numbers: readonly number[] | undefined, steps: readonly PlanStep[]): Refused | undefined {
  const unknown = numbers?.find((number) => number > steps.length);
  if (unknown === undefined) return undefined;
  return refuse("PLAN_INVALID", localized("noteNoStep", { step: unknown, steps: steps.length }));
}
