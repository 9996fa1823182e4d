/** How a criterion stands by what was seen of it. Without a schema library: the page reads this file too. */
import type { ProofStanding } from "../../../protocol/card/card.ts";
import type { PlanSeen } from "../plan.ts";
import type { Evidence } from "./evidence.ts";

export type Seen = Pick<PlanSeen, "evidence" | "changes">;

/** Of each criterion the newest is kept; `findLast` makes that certain. */
export const evidenceFor = ({ evidence = [] }: Seen, step: string, criterion: string): Evidence | undefined =>
  evidence.findLast((one) => one.step === step.trim() && one.criterion === criterion.trim());

export function standingOf(now: Seen, step: string, criterion: string): ProofStanding {
  const found = evidenceFor(now, step, criterion);
  if (found === undefined) return "missing";
  if (found.kind === "waiver") return "waived";
  if (found.kind !== "word" && !found.passed) return "failed";
  return found.after === changesIn(now) ? "proven" : "outdated";
}

export const changesIn = ({ changes }: Seen): number => changes?.count ?? 0;
