/** Where each row of a long list begins, from the heights that are known and a guess for the others. No document here. */

export type Span = { from: number; to: number };

/** `offsets[i]` is where row i begins; the last one is the height of all. */
export function offsetsOf(
  keys: readonly (string | number)[],
  heights: ReadonlyMap<string | number, number>,
  guessPx: number,
): Float64Array {
  const offsets = new Float64Array(keys.length + 1);
  for (const [index, key] of keys.entries()) {
    offsets[index + 1] = (offsets[index] ?? 0) + (heights.get(key) ?? guessPx);
  }
  return offsets;
}

export const totalOf = (offsets: Float64Array): number => offsets.at(-1) ?? 0;

/** The row that lies at this height; the first or last one for heights beyond the list. */
export function rowAt(offsets: Float64Array, px: number): number {
  let low = 0;
  let high = offsets.length - 2;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((offsets[middle] ?? 0) <= px) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}

/** The rows to draw for a window on the list, with some more around it for quick scrolling. */
export function rowsIn(offsets: Float64Array, window: { topPx: number; heightPx: number; moreDrawnPx: number }): Span {
  const count = offsets.length - 1;
  if (count <= 0) return { from: 0, to: 0 };
  const { topPx, heightPx, moreDrawnPx } = window;
  const from = rowAt(offsets, topPx - moreDrawnPx);
  const to = rowAt(offsets, topPx + heightPx + moreDrawnPx) + 1;
  return { from, to: Math.min(count, to) };
}
