/** The state of a step in plain text, as it stands in front of it. */
import type { StepStatus } from "../plan.ts";

export const STEP_MARKS: Readonly<Record<StepStatus, string>> = {
  pending: "[ ]",
  in_progress: "[>]",
  completed: "[x]",
  cancelled: "[~]",
};
