/** Counts as charts need them: every day of a stretch, also those on which nothing happened, and how tall each bar is. */
import type { ResultOf } from "../../../src/all-methods.ts";

export type Day = ResultOf<"stats">["days"][number];

const DAY_MS = 86_400_000;
const DAYS_SHOWN = 30;

/** The days up to today, oldest first. Days are of UTC, as they were counted. */
export function lastDays(days: readonly Day[], nowMs: number, count = DAYS_SHOWN): Day[] {
  const known = new Map(days.map((day) => [day.day, day]));
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(nowMs - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10);
    return known.get(day) ?? { day, submitted: 0, approved: 0, rejected: 0, expired: 0, refusals: 0 };
  });
}

export const sumOf = (days: readonly Day[], name: Exclude<keyof Day, "day">): number =>
  days.reduce((sum, day) => sum + day[name], 0);

/** One bar made of parts that stand on each other, in shares of the tallest bar of all. */
export type Bar = { from: number; share: number; part: number }[];

export function stacked(rows: readonly (readonly number[])[]): Bar[] {
  const tallest = Math.max(1, ...rows.map((row) => row.reduce((sum, value) => sum + value, 0)));
  return rows.map((row) => {
    let from = 0;
    return row.flatMap((value, part) => {
      const share = value / tallest;
      const piece = { from, share, part };
      from += share;
      return value === 0 ? [] : [piece];
    });
  });
}

/** Each value as a share of the longest, for horizontal bars. */
export function shares(values: readonly number[]): number[] {
  const longest = Math.max(1, ...values);
  return values.map((value) => value / longest);
}
