import { describe, expect, it } from "vitest";
import type { Occurrences } from "./occurrences.ts";
import { planDue } from "./plan-due.ts";

const HOUR = 3_600_000;
/** On the hour. */
const hourly: Occurrences = {
  after: (ms) => (Math.floor(ms / HOUR) + 1) * HOUR,
  lastUntil: (ms, count) =>
    Array.from({ length: count }, (_, n) => (Math.floor(ms / HOUR) - n) * HOUR)
      .filter((time) => time > 0)
      .toReversed(),
};

const job = (catchUp: "skip" | "once" | "all", more: object = {}) => ({ catchUp, catchUpMax: 2, offsetMs: 0, ...more });
const at = (dueAtMs: number, nowMs: number) => ({ dueAtMs, nowMs, times: hourly });
const why = "The gateway was down or busy.";

describe("a job whose time has come", () => {
  it.each(["skip", "once", "all"] as const)("[AU-07] on time, %s makes no difference", (catchUp) => {
    expect(planDue(job(catchUp), at(HOUR, HOUR + 900))).toEqual({ useMs: HOUR, skipped: 0, why, nextAtMs: 2 * HOUR });
  });

  it("[AU-07] skip: what passed unseen stays undone", () => {
    expect(planDue(job("skip"), at(HOUR, 3.5 * HOUR))).toEqual({ useMs: null, skipped: 3, why, nextAtMs: 4 * HOUR });
  });

  it("[AU-07] skip: the newest is used when it is only just over", () => {
    expect(planDue(job("skip"), at(HOUR, 3 * HOUR + 30_000))).toEqual({
      useMs: 3 * HOUR,
      skipped: 2,
      why,
      nextAtMs: 4 * HOUR,
    });
  });

  it("[AU-07] once: one stands for all", () => {
    expect(planDue(job("once"), at(HOUR, 3.5 * HOUR))).toEqual({
      useMs: 3 * HOUR,
      skipped: 2,
      why,
      nextAtMs: 4 * HOUR,
    });
  });

  it("[AU-07] all: the newest of them, one after the other, as many as the job allows", () => {
    expect(planDue(job("all"), at(HOUR, 3.5 * HOUR))).toEqual({ useMs: 2 * HOUR, skipped: 1, why, nextAtMs: 3 * HOUR });
    expect(planDue(job("all"), at(3 * HOUR, 3.5 * HOUR))).toEqual({
      useMs: 3 * HOUR,
      skipped: 0,
      why,
      nextAtMs: 4 * HOUR,
    });
  });

  it("[AU-07] jitter moves the job's own times and not the schedule", () => {
    const late = job("once", { offsetMs: 600_000 });
    expect(planDue(late, at(HOUR + 600_000, HOUR + 600_000))).toEqual({
      useMs: HOUR,
      skipped: 0,
      why,
      nextAtMs: 2 * HOUR,
    });
    expect(planDue(late, at(HOUR + 600_000, 2 * HOUR + 60_000)).nextAtMs).toBe(2 * HOUR);
  });
});
