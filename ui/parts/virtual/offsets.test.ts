import { expect, it } from "vitest";
import { offsetsOf, rowAt, rowsIn, totalOf } from "./offsets.ts";

const heights = new Map([
  ["a", 10],
  ["b", 30],
]);
const offsets = offsetsOf(["a", "b", "c", "d"], heights, 20);

it("adds known heights and guesses the others", () => {
  expect([...offsets]).toEqual([0, 10, 40, 60, 80]);
  expect(totalOf(offsets)).toBe(80);
  expect(totalOf(offsetsOf([], heights, 20))).toBe(0);
});

it.each([
  [-5, 0],
  [0, 0],
  [9.9, 0],
  [10, 1],
  [59, 2],
  [60, 3],
  [500, 3],
])("finds the row at %d px: %d", (px, row) => expect(rowAt(offsets, px)).toBe(row));

it("draws the rows in the window and some around it, never more than there are", () => {
  expect(rowsIn(offsets, { topPx: 12, heightPx: 10, moreDrawnPx: 0 })).toEqual({ from: 1, to: 2 });
  expect(rowsIn(offsets, { topPx: 12, heightPx: 10, moreDrawnPx: 100 })).toEqual({ from: 0, to: 4 });
  expect(rowsIn(offsetsOf([], heights, 20), { topPx: 0, heightPx: 10, moreDrawnPx: 100 })).toEqual({ from: 0, to: 0 });
});
