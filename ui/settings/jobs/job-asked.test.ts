import { expect, it } from "vitest";
import { SessionId } from "../../../src/protocol/ids.ts";
import { inUnits, jobAsked, type JobDraft } from "./job-asked.ts";

const draft: JobDraft = {
  message: "Look at the log",
  name: "",
  when: "every",
  at: "2026-03-01T09:00",
  every: 2,
  unit: "hours",
  cron: "30 9 * * 1-5",
  zone: "Europe/Berlin",
  isIsolated: false,
  catchUp: "once",
};

it("[AU-07] a job is asked for by one way of saying when, and without a session its runs are their own", () => {
  const { job, ...place } = jobAsked(draft);
  expect(place).toEqual({});
  expect(job).toEqual({ message: "Look at the log", when: { everyMs: 7_200_000 }, isolated: true, catchUp: "once" });
  expect(jobAsked({ ...draft, when: "cron" }).job.when).toEqual({ cron: "30 9 * * 1-5", tz: "Europe/Berlin" });
  expect(jobAsked({ ...draft, when: "cron", zone: "" }).job.when).toEqual({ cron: "30 9 * * 1-5" });
  expect(jobAsked({ ...draft, when: "at" }).job.when).toEqual({ at: new Date(2026, 2, 1, 9).getTime() });
});

it("[AU-07] in a session it asks for a turn there, unless its runs are to be apart", () => {
  const sessionId = SessionId.parse("ses_1");
  expect(jobAsked({ ...draft, sessionId, name: "Log" })).toEqual({
    sessionId,
    job: { message: "Look at the log", when: { everyMs: 7_200_000 }, isolated: false, catchUp: "once", name: "Log" },
  });
  expect(jobAsked({ ...draft, sessionId, isIsolated: true }).job.isolated).toBe(true);
});

it.each([
  [90_000, { count: 90, unit: "second" }],
  [1_800_000, { count: 30, unit: "minute" }],
  [7_200_000, { count: 2, unit: "hour" }],
  [172_800_000, { count: 2, unit: "day" }],
])("[AU-07] %i ms is said in the largest whole unit", (everyMs, said) => expect(inUnits(everyMs)).toEqual(said));
