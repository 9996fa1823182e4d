/**
 * Which steps come after which, as far as the plan says so: a step that names an earlier one builds on it. The words for
 * a step are known in every language of the page, their grammar in none, so a step that names a later one is left alone;
 * only where English says "after step 7" or "depends on steps 3 and 4" does it come after that, too.
 */
import { namedSteps } from "./named-steps.ts";

type OrderedStep = { step: string; id?: string | undefined; dependsOn?: readonly string[] | undefined };

export type Order = { from: number; to: number };

const NUMBERS = String.raw`#?\d{1,3}(?:\s*(?:,|and|&|–|-|to)\s*(?:steps?\s*)?#?\d{1,3})*`;
/** With the word "step" a number is one; without it, only where nothing could be counted behind it. */
const AFTER = [
  new RegExp(
    String.raw`\b(?:after|depend(?:s|ing)? (?:up)?on|requires?|needs?|once|following|builds? on|waits? for)\s+(?:steps?|#)\s*(?<list>${NUMBERS})`,
    "giu",
  ),
  new RegExp(String.raw`\b(?:after|depend(?:s|ing)? on)\s+(?<list>${NUMBERS})(?=\s*(?:[.;:)\]]|$))`, "giu"),
];
/** What some agents begin a step with: its own number, as they count. */
const HEADING = /^[^\d:]{0,12}\d{1,3}[^\d\s:：.)]{0,2}\s*[:：.)]\s(?!\p{Ll}+\s\d)/u;

/** Numbers count from 1. Steps that are not there, and a step after itself, are left out. */
export function declaredOrder(steps: readonly OrderedStep[]): Order[] {
  if (steps.some(({ dependsOn }) => dependsOn !== undefined)) return structuredOrder(steps);
  return steps.flatMap(({ step }, index) => {
    const to = index + 1;
    const text = step.replace(HEADING, "");
    const earlier = namedSteps(text).filter((from) => from < to);
    return [...new Set([...earlier, ...saidAfter(step)])]
      .filter((from) => from !== to && from >= 1 && from <= steps.length)
      .toSorted((a, b) => a - b)
      .map((from) => ({ from, to }));
  });
}

/** What the plan declares as its order needs no reading of its words. */
function structuredOrder(steps: readonly OrderedStep[]): Order[] {
  const numbers = new Map(steps.map(({ id }, index) => [id, index + 1]));
  return steps.flatMap(({ dependsOn = [] }, index) =>
    dependsOn.flatMap((id) => {
      const from = numbers.get(id);
      return from === undefined ? [] : [{ from, to: index + 1 }];
    }),
  );
}

const saidAfter = (step: string): number[] =>
  AFTER.flatMap((pattern) =>
    [...step.matchAll(pattern)].flatMap(({ groups }) => namedSteps(`step ${groups?.["list"] ?? ""}`)),
  );
