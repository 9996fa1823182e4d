/** What sub-agents leave in the audit chain, and how it is worded. Types are stored: add, never rename. */
import type { FactWordings } from "../../../protocol/localized/fact-wording.ts";

export const facts = {
  "child.spawned": { title: "fact_childSpawned", shows: "title" },
  "child.ended": { title: "fact_childEnded", as: { outcome: "outcome" } },
} as const satisfies FactWordings;
export type SubAgentFact = keyof typeof facts;
