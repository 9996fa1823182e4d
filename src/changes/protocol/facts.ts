/** What changes and rollbacks keep in the audit chain, and how it is worded. Types are stored: add, never rename. */
import type { FactWordings } from "../../protocol/localized/fact-wording.ts";

export const facts = {
  "changes.drifted": { title: "fact_drifted", tone: "waiting", shows: "level" },
  "changes.resumed": { title: "fact_resumed", tone: "good" },
  "changes.unrecorded": { title: "fact_unrecorded", tone: "bad", shows: "failure" },
  "changes.rollback_ordered": { title: "fact_rollbackOrdered", tone: "accent" },
  "changes.rolled_back": { title: "fact_rolledBack", tone: "good" },
} as const satisfies FactWordings;
export type ChangesFact = keyof typeof facts;
