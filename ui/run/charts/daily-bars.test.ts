import { expect, it } from "vitest";
import { type Day, lastDays, shares, stacked, sumOf } from "./daily-bars.ts";

const day = (name: string, more: Partial<Day> = {}): Day => ({
  day: name,
  submitted: 0,
  approved: 0,
  rejected: 0,
  expired: 0,
  refusals: 0,
  ...more,
});
const NOON = Date.parse("2026-03-02T12:00:00Z");

it("[UI-10] a chart has a bar for every day, also over the end of a month", () => {
  const days = lastDays([day("2026-02-28", { approved: 2 }), day("2025-01-01", { approved: 9 })], NOON, 4);
  expect(days).toEqual([day("2026-02-27"), day("2026-02-28", { approved: 2 }), day("2026-03-01"), day("2026-03-02")]);
  expect(sumOf(days, "approved")).toBe(2);
});

it("[UI-10] the parts of a bar stand on each other, and the tallest bar fills the chart", () => {
  expect(
    stacked([
      [1, 0, 1],
      [4, 0, 0],
      [0, 0, 0],
    ]),
  ).toEqual([
    [
      { from: 0, share: 0.25, part: 0 },
      { from: 0.25, share: 0.25, part: 2 },
    ],
    [{ from: 0, share: 1, part: 0 }],
    [],
  ]);
});

it("[UI-10] where nothing was counted nothing is divided by it", () => {
  expect(stacked([[0, 0]])).toEqual([[]]);
  expect([shares([]), shares([0]), shares([2, 4])]).toEqual([[], [0], [0.5, 1]]);
});
