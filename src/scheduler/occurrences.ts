/** The times of a schedule. Cron expressions are read by croner, which is loaded with the first of them. */
import { isTimezone, type JobSchedule } from "./protocol/schedule.ts";

export type Occurrences = {
  /** The first time after a moment; null when there is none. */
  after(ms: number): number | null;
  /** The last times up to a moment, that moment included, oldest first. */
  lastUntil(ms: number, count: number): number[];
};

/** `error` says what is wrong with the expression or the time zone, for whoever wrote it. */
export async function occurrencesOf(schedule: JobSchedule): Promise<Occurrences | { error: string }> {
  switch (schedule.kind) {
    case "at":
      return once(schedule.atMs);
    case "every":
      return steady(schedule);
    case "cron":
      return calendar(schedule);
  }
}

const once = (atMs: number): Occurrences => ({
  after: (ms) => (ms < atMs ? atMs : null),
  lastUntil: (ms, count) => (atMs <= ms && count > 0 ? [atMs] : []),
});

function steady({ everyMs, anchorMs }: Extract<JobSchedule, { kind: "every" }>): Occurrences {
  const number = (ms: number): number => Math.floor((ms - anchorMs) / everyMs); // of the last time up to it
  return {
    after: (ms) => anchorMs + Math.max(1, number(ms) + 1) * everyMs,
    lastUntil(ms, count) {
      const last = number(ms);
      const first = Math.max(1, last - count + 1);
      return Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => anchorMs + (first + n) * everyMs);
    },
  };
}

const FIELDS = /^(?:@\w+|[0-9A-Za-z*,/#+-]+(?:\s+[0-9A-Za-z*,/#+-]+){4,5})$/;
const NO_FIELDS = "five or six fields are needed";
const WHOLE_SECOND_MS = 1_000;

async function calendar({
  expression,
  timezone,
}: Extract<JobSchedule, { kind: "cron" }>): Promise<Occurrences | { error: string }> {
  // croner would also take a date, and "?" for whatever time it is now: neither is a schedule that can be written down
  if (!FIELDS.test(expression)) return { error: problemIn(expression, timezone, NO_FIELDS) };
  const { Cron } = await import("croner");
  try {
    // paused, and without a function to call: it only computes
    const cron = new Cron(expression, { timezone, paused: true, mode: "5-or-6-parts" });
    cron.nextRun(new Date(0)); // a time zone that nobody knows is noticed with the first question
    return {
      after: (ms) => cron.nextRun(new Date(ms))?.getTime() ?? null,
      lastUntil: (ms, count) =>
        cron
          .previousRuns(count + 1, new Date(ms + WHOLE_SECOND_MS)) // it knows whole seconds and leaves out the given one
          .map((date) => date.getTime())
          .filter((time) => time <= ms)
          .toSorted((a, b) => a - b)
          .slice(-count),
    };
  } catch (error) {
    return { error: problemIn(expression, timezone, error) };
  }
}

function problemIn(expression: string, timezone: string, error: unknown): string {
  const cause = error instanceof Error ? error.message.replace(/^CronPattern: /, "").replace(/\.$/, "") : String(error);
  if (!isTimezone(timezone)) return `"${timezone}" is no time zone. Name one such as Europe/Berlin or UTC.`;
  return `"${expression}" is no cron expression (${cause}). Five fields, minute first: 30 9 * * 1-5; or six, second first.`;
}
