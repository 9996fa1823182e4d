import type { PlanModeState } from "../../protocol/plan-mode.ts";
import { isTerminal } from "../../protocol/plan.ts";
import { permissionOf } from "../machine/permission/permission.ts";
import { rfc3339 } from "../machine/text/rfc3339.ts";
import { oneLine } from "../../plugins/sdk.ts";

/** Where the session stands, in a few lines; what a rule decided is told apart from what a person did. */
export function renderStatus(state: PlanModeState): string {
  const { now, auto, question } = state;
  const lines = [
    `Mode: ${now.mode} · approval: ${now.approval}${auto ? " · auto on (plans are approved by rule)" : ""}`,
    `Permissions: ${permissionOf(state)}${now.mode === "plan" ? " (plan mode comes first)" : ""}`,
  ];
  if (now.phase !== "off") {
    lines.push(`Entered at ${rfc3339(now.cycle.enteredAtMs)} — reason: ${oneLine(now.cycle.reason)}`);
  }
  if (now.phase === "pending") {
    const { planId, title, deadlineAtMs } = now.submission;
    lines.push(`Waiting for a decision until ${rfc3339(deadlineAtMs)}: ${oneLine(title)} (plan_id=${planId})`);
  }
  lines.push(...reviewLines(state));
  if (now.phase === "executing" || now.phase === "rejected") {
    const { kind, name } = now.decidedBy;
    lines.push(`Decided by ${kind === "policy" ? `a rule: ${name}` : oneLine(name)}`);
  }
  if (now.steps.length > 0) lines.push(`Steps: ${now.steps.filter(isTerminal).length}/${now.steps.length} done`);
  if (question !== null) lines.push(`A question waits for an answer until ${rfc3339(question.deadlineAtMs)}.`);
  return lines.join("\n");
}

/** Who has signed, who is missing, and how many notes are open. */
function reviewLines({ now, review }: PlanModeState): string[] {
  const open = review?.notes.filter(({ resolved }) => resolved === null).length ?? 0;
  const notes = open === 0 ? [] : [`Open notes: ${open} (/plan notes)`];
  if (now.phase !== "pending" && now.phase !== "rejected") return notes;
  const { needs, signatures = [] } = now;
  if (needs === undefined) return notes;
  const signed = signatures.length === 0 ? "nobody yet" : signatures.map(({ by }) => oneLine(by.name)).join(", ");
  const missing = needs.missing.length === 0 ? "" : `; may still sign: ${needs.missing.map(oneLine).join(", ")}`;
  return [`Signatures: ${signatures.length} of ${needs.quorum} (${signed})${missing}`, ...notes];
}
