/** The tone in which what became of a plan is shown. */
import type { PlanOutcome } from "../../src/library/protocol/library-entry.ts";

export const TONES: Readonly<Record<PlanOutcome, string>> = {
  pending: "waiting",
  approved: "accent",
  standing: "accent",
  completed: "good",
  rejected: "bad",
  expired: "",
  superseded: "",
  left: "",
};
