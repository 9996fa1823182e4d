import { describe, expect, it } from "vitest";
import type { JobSchedule } from "./protocol/schedule.ts";
import { type Occurrences, occurrencesOf } from "./occurrences.ts";

async function timesOf(schedule: JobSchedule): Promise<Occurrences> {
  const times = await occurrencesOf(schedule);
  if ("error" in times) throw new Error(times.error);
  return times;
}

const cron = (expression: string, timezone: string): JobSchedule => ({ kind: "cron", expression, timezone });

async function following(schedule: JobSchedule, from: string, count: number): Promise<string[]> {
  const times = await timesOf(schedule);
  const found: string[] = [];
  let at: number | null = Date.parse(from);
  while (found.length < count && at !== null) {
    at = times.after(at);
    if (at !== null) found.push(new Date(at).toISOString());
  }
  return found;
}

describe("cron expressions", () => {
  it("[AU-07] are read in their time zone", async () => {
    expect(await following(cron("30 9 * * 1-5", "Europe/Berlin"), "2026-01-02T12:00:00Z", 2)).toEqual([
      "2026-01-05T08:30:00.000Z",
      "2026-01-06T08:30:00.000Z",
    ]);
    expect(await following(cron("30 9 * * 1-5", "America/New_York"), "2026-01-02T15:00:00Z", 1)).toEqual([
      "2026-01-05T14:30:00.000Z",
    ]);
  });

  it("[AU-07] may have seconds", async () => {
    expect(await following(cron("*/20 0 12 * * *", "UTC"), "2026-01-02T11:00:00Z", 3)).toEqual([
      "2026-01-02T12:00:00.000Z",
      "2026-01-02T12:00:20.000Z",
      "2026-01-02T12:00:40.000Z",
    ]);
  });

  it("[AU-07] a time that the clocks leave out in spring comes once, at the next time that exists", async () => {
    expect(await following(cron("30 2 * * *", "Europe/Berlin"), "2026-03-28T00:00:00Z", 3)).toEqual([
      "2026-03-28T01:30:00.000Z",
      "2026-03-29T01:00:00.000Z",
      "2026-03-30T00:30:00.000Z",
    ]);
  });

  it("[AU-07] a time that comes twice in autumn is used once, and every hour stays every hour", async () => {
    expect(await following(cron("30 2 * * *", "Europe/Berlin"), "2026-10-24T12:00:00Z", 2)).toEqual([
      "2026-10-25T00:30:00.000Z",
      "2026-10-26T01:30:00.000Z",
    ]);
    expect(await following(cron("0 * * * *", "Europe/Berlin"), "2026-10-24T23:30:00Z", 4)).toEqual([
      "2026-10-25T00:00:00.000Z",
      "2026-10-25T01:00:00.000Z",
      "2026-10-25T02:00:00.000Z",
      "2026-10-25T03:00:00.000Z",
    ]);
  });

  it.each([
    ["99 * * * *", "UTC", /no cron expression \(Invalid value for minute: 99\)/],
    ["* * *", "UTC", /five or six fields/],
    ["? * * * *", "UTC", /five or six fields/],
    ["2030-01-01T00:00:00", "UTC", /five or six fields/],
    ["0 9 * * *", "Mars/Phobos", /"Mars\/Phobos" is no time zone/],
  ])("[AU-07] %s in %s is refused with what is wrong", async (expression, timezone, problem) => {
    expect(await occurrencesOf(cron(expression, timezone))).toEqual({ error: expect.stringMatching(problem) });
  });

  it("[AU-07] a day that never comes has no time", async () => {
    expect((await timesOf(cron("0 0 31 2 *", "UTC"))).after(0)).toBeNull();
  });

  it("[AU-07] tell the last times up to a moment, that moment included", async () => {
    const times = await timesOf(cron("0 12 * * *", "UTC"));
    const noon = Date.parse("2026-01-03T12:00:00Z");
    expect(times.lastUntil(noon, 2)).toEqual([noon - 86_400_000, noon]);
    expect(times.lastUntil(noon - 1, 1)).toEqual([noon - 86_400_000]);
  });
});

describe("intervals and single times", () => {
  it("[AU-07] an interval is counted from its beginning and does not drift", async () => {
    const times = await timesOf({ kind: "every", everyMs: 60_000, anchorMs: 5_000 });
    expect([times.after(0), times.after(5_000), times.after(65_000), times.after(66_001)]).toEqual([
      65_000, 65_000, 125_000, 125_000,
    ]);
    expect(times.lastUntil(190_000, 2)).toEqual([125_000, 185_000]);
    expect(times.lastUntil(64_999, 2)).toEqual([]);
  });

  it("[AU-07] a single time comes once", async () => {
    const times = await timesOf({ kind: "at", atMs: 1_000 });
    expect([times.after(999), times.after(1_000)]).toEqual([1_000, null]);
    expect([times.lastUntil(999, 5), times.lastUntil(1_000, 5)]).toEqual([[], [1_000]]);
  });
});
