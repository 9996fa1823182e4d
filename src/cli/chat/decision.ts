import { parsePlanCommand } from "../../plan-mode/commands/parse-plan-command.ts";
import type { PlanApproval } from "../../plan-mode/protocol/command.ts";
import type { PlanModeState } from "../../plan-mode/protocol/state.ts";
import type { PlanNote } from "../../plan-mode/protocol/review.ts";

/**
 * A decision as it was typed, bound to what this terminal showed: the id, and for an approval the digest of the exact
 * plan. Undefined for everything else, and when no card is shown: the gateway answers that.
 */
export function decisionFor(typed: string, { now, question }: PlanModeState): PlanApproval | undefined {
  if (!/^\/plan(?=\s|$)/i.test(typed.trim())) return undefined;
  const command = parsePlanCommand(typed);
  if ("refused" in command) return undefined; // the gateway says it, with the usage
  const submission = now.phase === "pending" || now.phase === "rejected" ? now.submission : undefined;
  switch (command.verb) {
    case "accept":
      if (submission === undefined) return undefined;
      return {
        action: command.edits ? "edit" : "approve",
        approvalId: submission.approvalId,
        digest: submission.digest,
      };
    case "revise":
      if (now.phase !== "pending") return undefined;
      return { action: "reject", approvalId: now.submission.approvalId, feedback: command.feedback };
    case "answer":
      if (question === null) return undefined;
      return {
        action: "answer",
        approvalId: question.approvalId,
        questionId: question.questionId,
        answer: command.choice,
      };
    default:
      return undefined;
  }
}

/** A note as it was typed, on the revision that this terminal showed: a newer one would give its number another step. */
export function noteFor(typed: string, { now }: PlanModeState): PlanNote | undefined {
  if (!/^\/plan\s+note(?=\s|$)/i.test(typed.trim()) || now.phase === "off" || now.phase === "exploring")
    return undefined;
  const command = parsePlanCommand(typed);
  if ("refused" in command || command.verb !== "note") return undefined;
  return { action: "add", approvalId: now.submission.approvalId, ...command.note };
}
