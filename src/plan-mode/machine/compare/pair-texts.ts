/** Which text of a list became which of another: the same one, else the one most like it, else none. */
import { type Bag, bagOf, likenessIn } from "./words.ts";

/** Less alike than this, a text is another one and not a changed one. */
const LIKENESS_MIN = 0.4;
/** Alone between the same two neighbours as before, it is the changed one unless it has next to nothing in common. */
const LIKENESS_IN_PLACE_MIN = 0.1;

export type Pair = { from: number | null; to: number | null };

/** Every text of both lists exactly once, in the order in which the newer list is read; what is gone stands where it stood. */
export function pairTexts(
  before: readonly string[],
  after: readonly string[],
  bagFor: (text: string) => Bag = bagOf,
): Pair[] {
  if (before.length === after.length && before.every((text, index) => text === after[index]))
    return before.map((_, index) => ({ from: index, to: index }));
  const toOf = new Map<number, number>();
  const taken = new Set<number>();
  const join = (from: number, to: number): void => {
    if (toOf.has(from) || taken.has(to)) return;
    toOf.set(from, to);
    taken.add(to);
  };
  for (const { from, to } of samePairs(before, after)) join(from, to);
  const left = before.keys().filter((index) => !toOf.has(index));
  const right = after.keys().filter((index) => !taken.has(index));
  const alike = alikePairs([...left], [...right], { before, after, bagFor });
  for (const { from, to, score } of alike) if (score >= LIKENESS_MIN) join(from, to);
  const lengths = { befores: before.length, afters: after.length };
  for (const { from, to } of alike.filter((pair) => isInPlace(pair, toOf, lengths))) join(from, to);
  return inOrder(before.length, after.length, toOf);
}

function samePairs(before: readonly string[], after: readonly string[]): { from: number; to: number }[] {
  const places = new Map<string, number[]>();
  for (const [to, text] of after.entries()) places.set(text, [...(places.get(text) ?? []), to]);
  return before.flatMap((text, from) => {
    const to = places.get(text)?.shift();
    return to === undefined ? [] : [{ from, to }];
  });
}

const NO_WORDS = bagOf("");

type Lists = { before: readonly string[]; after: readonly string[]; bagFor: (text: string) => Bag };

/** The most alike first; among equals the nearest. */
function alikePairs(left: readonly number[], right: readonly number[], { before, after, bagFor }: Lists) {
  if (left.length === 0 || right.length === 0) return [];
  const olds = before.map(bagFor);
  const news = after.map(bagFor);
  const likeness = likenessIn([...olds, ...news]);
  return left
    .flatMap((from) => right.map((to) => ({ from, to, score: likeness(olds[from] ?? NO_WORDS, news[to] ?? NO_WORDS) })))
    .filter(({ score }) => score >= LIKENESS_IN_PLACE_MIN)
    .toSorted((a, b) => b.score - a.score || Math.abs(a.from - a.to) - Math.abs(b.from - b.to) || a.from - b.from);
}

/** Between neighbours that belong together; the ends of both lists do, but two of them say nothing. */
function isInPlace(
  { from, to }: { from: number; to: number },
  toOf: ReadonlyMap<number, number>,
  { befores, afters }: { befores: number; afters: number },
): boolean {
  const [isFirst, isLast] = [from === 0 && to === 0, from === befores - 1 && to === afters - 1];
  const isBehind = isFirst || (to > 0 && toOf.get(from - 1) === to - 1);
  const isBefore = isLast || (to < afters - 1 && toOf.get(from + 1) === to + 1);
  return isBehind && isBefore && !(isFirst && isLast);
}

function inOrder(befores: number, afters: number, toOf: ReadonlyMap<number, number>): Pair[] {
  const fromOf = new Map([...toOf].map(([from, to]) => [to, from]));
  const gone = new Map<number, number[]>(); // what stood behind which place of the newer list
  let behind = -1;
  for (let from = 0; from < befores; from += 1) {
    const to = toOf.get(from);
    if (to !== undefined) behind = Math.max(behind, to);
    else gone.set(behind, [...(gone.get(behind) ?? []), from]);
  }
  const removed = (place: number): Pair[] => (gone.get(place) ?? []).map((from) => ({ from, to: null }));
  const kept = Array.from({ length: afters }, (_, to): Pair[] => [
    { from: fromOf.get(to) ?? null, to },
    ...removed(to),
  ]);
  return [...removed(-1), ...kept.flat()];
}

/** Those that changed places: as few as possible, so that moving one up does not count as moving all others down. */
export function movedPairs(pairs: readonly Pair[]): Set<number> {
  const kept = pairs.flatMap(({ from, to }) => (from === null || to === null ? [] : [{ from, to }]));
  const steady = longestRise(kept.map(({ from }) => from));
  return new Set(kept.filter((_, index) => !steady.has(index)).map(({ to }) => to));
}

/** Places of one longest rising subsequence. */
function longestRise(values: readonly number[]): Set<number> {
  const tails: number[] = []; // place of the smallest end of a rise of each length
  const before: (number | undefined)[] = [];
  for (const [place, value] of values.entries()) {
    const length = firstAtLeast(tails, (tail) => (values[tail] ?? 0) >= value);
    before[place] = length === 0 ? undefined : tails[length - 1];
    tails[length] = place;
  }
  const rise = new Set<number>();
  for (let place = tails.at(-1); place !== undefined; place = before[place]) rise.add(place);
  return rise;
}

/** Where the first of these is for which it holds, given that it holds for all behind it too; their number where there is none. */
function firstAtLeast(tails: readonly number[], holds: (tail: number) => boolean): number {
  let [low, high] = [0, tails.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(tails[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return low;
}
