/** What the scheduler keeps in the audit chain, and how it is worded. Types are stored: add, never rename. */
import type { FactWordings } from "../../protocol/localized/fact-wording.ts";

export const facts = {
  "job.added": { title: "fact_jobAdded", tone: "accent", shows: "name" },
  "job.changed": { title: "fact_jobChanged", shows: "name" },
  "job.removed": { title: "fact_jobRemoved", shows: "name" },
  "job.fired": { title: "fact_jobFired", shows: "name" },
  "standing.signed": { title: "fact_standingSigned", tone: "accent", shows: "name" },
  "standing.ended": { title: "fact_standingEnded", tone: "waiting", shows: "name" },
  "run.ended": { title: "fact_runEnded", as: { outcome: "outcome" } },
} as const satisfies FactWordings;
export type SchedulerFact = keyof typeof facts;
