/**
 * Which steps come after which, where the plan says so in words: "after step 2", "depends on steps 3 and 4". Nothing is
 * guessed: a plan that declares no order between its steps has none to draw.
 */
export type Order = { from: number; to: number };

const NUMBERS = String.raw`#?\d{1,3}(?:\s*(?:,|and|&|–|-|to)\s*(?:steps?\s*)?#?\d{1,3})*`;
/** With the word "step" a number is one; without it, only where nothing could be counted behind it. */
const NAMED = new RegExp(
  String.raw`\b(?:after|depend(?:s|ing)? (?:up)?on|requires?|needs?|once|following|builds? on|waits? for)\s+(?:steps?|#)\s*(?<list>${NUMBERS})`,
  "giu",
);
const BARE = new RegExp(String.raw`\b(?:after|depend(?:s|ing)? on)\s+(?<list>${NUMBERS})(?=\s*(?:[.;:)\]]|$))`, "giu");
const PART = /(?<first>\d{1,3})(?:\s*(?:–|-|to)\s*(?:steps?\s*)?#?(?<last>\d{1,3}))?/giu;

/** Numbers count from 1. Steps that are not there, and a step after itself, are left out. */
export function declaredOrder(steps: readonly { step: string }[]): Order[] {
  return steps.flatMap(({ step }, index) => {
    const to = index + 1;
    const named = new Set(
      [...step.matchAll(NAMED), ...step.matchAll(BARE)].flatMap(({ groups }) => numbersIn(groups?.["list"] ?? "")),
    );
    return [...named]
      .filter((from) => from !== to && from >= 1 && from <= steps.length)
      .toSorted((a, b) => a - b)
      .map((from) => ({ from, to }));
  });
}

function numbersIn(list: string): number[] {
  return [...list.matchAll(PART)].flatMap(({ groups }) => {
    const first = Number(groups?.["first"]);
    const last = Number(groups?.["last"] ?? first);
    return last < first ? [first, last] : Array.from({ length: last - first + 1 }, (_, more) => first + more);
  });
}
