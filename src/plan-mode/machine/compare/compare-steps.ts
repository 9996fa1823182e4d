/** Compares the steps of two revisions of a plan. */
import type { Change, CriterionChange, DiffPart, StepChange } from "../../protocol/plan-diff.ts";
import type { PlanStep } from "../../protocol/plan.ts";
import { declaredLines } from "../../protocol/step/step-lines.ts";
import { movedPairs, type Pair, pairTexts } from "./pair-texts.ts";
import { textDiff } from "./text-diff.ts";
import type { Bag } from "./words.ts";

/** Every step of both revisions exactly once. What an agent reports about a step (its status) is no change of the plan. */
export function compareSteps(
  before: readonly PlanStep[],
  after: readonly PlanStep[],
  bagFor?: (text: string) => Bag,
): StepChange[] {
  const pairs = pairTexts(before.map(textOf), after.map(textOf), bagFor);
  const moved = movedPairs(pairs);
  return pairs.map((pair) => {
    const old = pair.from === null ? undefined : before[pair.from];
    const now = pair.to === null ? undefined : after[pair.to];
    const text = textDiff(old === undefined ? "" : textOf(old), now === undefined ? "" : textOf(now));
    const criteria = compareTexts(old?.acceptanceCriteria ?? [], now?.acceptanceCriteria ?? []);
    const declares = compareTexts(declaredIn(old), declaredIn(now));
    return {
      change: changeOf(pair, isSame(text) && [...criteria, ...declares].every(({ change }) => change === "same")),
      moved: pair.to !== null && moved.has(pair.to),
      from: numberOf(pair.from),
      to: numberOf(pair.to),
      text,
      criteria,
      ...(declares.length === 0 ? {} : { declares }),
    };
  });
}

const declaredIn = (step: PlanStep | undefined): string[] => (step === undefined ? [] : declaredLines(step));

export const isUnchanged = (changes: readonly StepChange[]): boolean =>
  changes.every(({ change, moved }) => change === "same" && !moved);

function compareTexts(before: readonly string[], after: readonly string[]): CriterionChange[] {
  const [old, now] = [before.map(trimmed), after.map(trimmed)];
  return pairTexts(old, now).map((pair) => {
    const text = textDiff(
      pair.from === null ? "" : (old[pair.from] ?? ""),
      pair.to === null ? "" : (now[pair.to] ?? ""),
    );
    return { change: changeOf(pair, isSame(text)), text };
  });
}

export function changeOf({ from, to }: Pair, same: boolean): Change {
  if (from === null) return "added";
  if (to === null) return "removed";
  return same ? "same" : "changed";
}

export const isSame = (parts: readonly DiffPart[]): boolean => parts.every(({ op }) => op === "same");

const trimmed = (text: string): string => text.trim();
const textOf = ({ step }: PlanStep): string => step.trim();
const numberOf = (index: number | null): number | null => (index === null ? null : index + 1);
