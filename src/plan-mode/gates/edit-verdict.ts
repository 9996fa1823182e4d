/** The verdict of the accept-edits rules on one call. */
import type { FindingClass } from "../shell/shell-gate.ts";

/** What the accept-edits rules say of one call. */
export type HeldInEdits = {
  allowed: false;
  class: FindingClass | "unreadable";
  code: string;
  matched: string;
  reason: string;
};
export type EditCallVerdict = { allowed: true } | HeldInEdits;
