/** The signs that carry meaning in the chat; each one column wide, and each beside a word that says the same. */
import type { StepStatus } from "../../plan-mode/protocol/plan.ts";
import type { Paint } from "../text/paint.ts";

export const MARKS = {
  agent: "●",
  tool: "·",
  good: "✓",
  bad: "✗",
  held: "⊘",
  back: "↺",
  waiting: "⏸",
  unknown: "?",
  note: "–",
} as const;

export const STEP_MARKS: Record<StepStatus, string> = {
  pending: "○",
  in_progress: "●",
  completed: "✓",
  cancelled: "–",
};

export function stepPaint(status: StepStatus, paint: Paint): ((text: string) => string) | undefined {
  switch (status) {
    case "completed":
      return paint.good;
    case "in_progress":
      return paint.accent;
    case "cancelled":
      return paint.struck;
    case "pending":
      return undefined;
  }
}
