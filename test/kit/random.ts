/** Chance that can be repeated: the same seed gives the same numbers (mulberry32). */
export type Random = {
  /** 0 ≤ n < 1 */
  next(): number;
  /** 0 ≤ n < max, whole */
  below(max: number): number;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
};

export function seeded(seed: number): Random {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
  const below = (max: number): number => Math.floor(next() * max);
  return { next, below, pick: (items) => items[below(items.length)] ?? items[0] };
}
