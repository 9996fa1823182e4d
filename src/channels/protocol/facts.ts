/** What channels keep in the audit chain, and how it is worded. Types are stored: add, never rename. */
import type { FactWordings } from "../../protocol/localized/fact-wording.ts";

export const facts = {
  "account.paired": { title: "fact_accountPaired", tone: "accent", shows: "name" },
  "account.unpaired": { title: "fact_accountUnpaired", tone: "waiting", shows: "personId" },
} as const satisfies FactWordings;
