/** A scheduled job of a plan as one line. Without a schema library: the page reads this file too. */
import type { PlanJob } from "./plan-job.ts";

/** As people read it: when, and what the agent is told then. Schedules are data, the same in every language. */
export function planJobLine({ message, when, isolated }: PlanJob): string {
  return `${whenText(when)}${isolated ? " (isolated)" : ""} → ${message}`;
}

function whenText(when: PlanJob["when"]): string {
  if ("atMs" in when) return new Date(when.atMs).toISOString();
  return "everyMs" in when ? `${when.everyMs / 1_000} s` : `${when.cron} ${when.tz}`;
}
