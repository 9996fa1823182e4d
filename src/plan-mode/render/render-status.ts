import type { PlanModeState } from "../../protocol/plan-mode.ts";
import { isTerminal } from "../../protocol/plan.ts";
import { rfc3339 } from "../machine/text/rfc3339.ts";
import { oneLine } from "../../plugins/sdk.ts";

/** Where the session stands, in a few lines; what a rule decided is told apart from what a person did. */
export function renderStatus({ now, auto, question }: PlanModeState): string {
  const lines = [
    `Mode: ${now.mode} · approval: ${now.approval}${auto ? " · auto on (plans are approved by rule)" : ""}`,
  ];
  if (now.phase !== "off") {
    lines.push(`Entered at ${rfc3339(now.cycle.enteredAtMs)} — reason: ${oneLine(now.cycle.reason)}`);
  }
  if (now.phase === "pending") {
    const { planId, title, deadlineAtMs } = now.submission;
    lines.push(`Waiting for a decision until ${rfc3339(deadlineAtMs)}: ${oneLine(title)} (plan_id=${planId})`);
  }
  if (now.phase === "executing" || now.phase === "rejected") {
    const { kind, name } = now.decidedBy;
    lines.push(`Decided by ${kind === "policy" ? `a rule: ${name}` : oneLine(name)}`);
  }
  if (now.steps.length > 0) lines.push(`Steps: ${now.steps.filter(isTerminal).length}/${now.steps.length} done`);
  if (question !== null) lines.push(`A question waits for an answer until ${rfc3339(question.deadlineAtMs)}.`);
  return lines.join("\n");
}
