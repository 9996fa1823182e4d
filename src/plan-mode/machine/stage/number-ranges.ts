/** Numbers of steps as people write them: 1-3, 5. */

const RANGES = /^\d{1,3}(?:\s*-\s*\d{1,3})?(?:\s*,\s*\d{1,3}(?:\s*-\s*\d{1,3})?)*$/;
const NUMBER_MAX = 500;

/** Undefined where it is no list of numbers from 1 on. */
export function parseRanges(text: string): number[] | undefined {
  if (!RANGES.test(text.trim())) return undefined;
  const numbers = new Set<number>();
  for (const part of text.split(",")) {
    const [first = 0, last = first] = part.split("-").map((number) => Number(number.trim()));
    if (first < 1 || last < first || last > NUMBER_MAX) return undefined;
    for (let number = first; number <= last; number++) numbers.add(number);
  }
  return [...numbers].toSorted((a, b) => a - b);
}

export function numberRanges(numbers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(", ");
}
