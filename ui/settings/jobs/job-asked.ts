/** What a person filled in to schedule a job, as the gateway is asked for it. Whether it is any good the gateway says. */
import type { JobAsked } from "../../../src/scheduler/protocol/schedule.ts";
import type { SessionId } from "../../../src/protocol/ids.ts";

export const WHENS = ["at", "every", "cron"] as const;
export type When = (typeof WHENS)[number];

export const UNITS = ["minutes", "hours", "days"] as const;
export type Unit = (typeof UNITS)[number];
const UNIT_MS: Readonly<Record<Unit, number>> = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 };

export const CATCH_UPS = ["once", "skip", "all"] as const;

/** As the fields of the form hold it: `at` is local time, `2026-03-01T09:00`. */
export type JobDraft = {
  message: string;
  name: string;
  when: When;
  at: string;
  every: number;
  unit: Unit;
  cron: string;
  zone: string;
  /** Absent: each run has a session of its own and belongs to none. */
  sessionId?: SessionId;
  isIsolated: boolean;
  catchUp: (typeof CATCH_UPS)[number];
};

type Asked = { sessionId?: SessionId; job: JobAsked };

export function jobAsked({ message, name, sessionId, isIsolated, catchUp, ...times }: JobDraft): Asked {
  return {
    ...(sessionId === undefined ? {} : { sessionId }),
    job: {
      message,
      when: whenOf(times),
      isolated: isIsolated || sessionId === undefined,
      catchUp,
      ...(name === "" ? {} : { name }),
    },
  };
}

function whenOf({ when, at, every, unit, cron, zone }: Pick<JobDraft, Times>): JobAsked["when"] {
  switch (when) {
    case "at":
      return { at: new Date(at).getTime() };
    case "every":
      return { everyMs: every * UNIT_MS[unit] };
    case "cron":
      return { cron, ...(zone === "" ? {} : { tz: zone }) };
  }
}

type Times = "when" | "at" | "every" | "unit" | "cron" | "zone";

/** The largest unit that a time fills without a rest. */
export function inUnits(everyMs: number): { count: number; unit: "second" | "minute" | "hour" | "day" } {
  const units = [
    ["day", UNIT_MS.days],
    ["hour", UNIT_MS.hours],
    ["minute", UNIT_MS.minutes],
  ] as const;
  const [unit, unitMs] = units.find(([, size]) => everyMs % size === 0) ?? (["second", 1_000] as const);
  return { count: everyMs / unitMs, unit };
}
