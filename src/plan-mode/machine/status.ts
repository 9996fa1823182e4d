/** The stored state as the agent and people's clients read it. */
import type { PlanModeState } from "../protocol/state.ts";
import { isTerminal } from "../protocol/plan.ts";
import { Json } from "../../protocol/json.ts";
import { permissionOf } from "./permission/permission.ts";
import { rfc3339 } from "./text/rfc3339.ts";
import type { PlanContext } from "./actors.ts";

/** The mode of the sessions above is theirs, and not in this one's state. */
const BELOW =
  "You are a sub-agent: a call also needs that every session above you may make it now, whatever your own mode is.";

export function statusOf(state: PlanModeState, { settings, session }: PlanContext): { [key: string]: Json } {
  const { now, question, auto } = state;
  const { steps } = now;
  return {
    enabled: settings.enabled,
    mode: now.mode,
    ...(session.kind === "subagent" ? { held_from_above: BELOW } : {}),
    approval: now.approval,
    auto,
    held: state.held !== undefined,
    permission_mode: permissionOf(state),
    entered_at: now.phase === "off" ? null : rfc3339(now.cycle.enteredAtMs),
    entered_reason: now.phase === "off" ? null : now.cycle.reason,
    unlocked_at: now.phase === "executing" ? rfc3339(now.decidedAtMs) : null,
    rejection_count: now.phase === "off" ? 0 : now.cycle.rejectionCount,
    plan: planOf(state),
    steps: Json.parse(steps),
    done: steps.filter(isTerminal).length,
    total: steps.length,
    question:
      question === null
        ? null
        : {
            question_id: question.questionId,
            question: question.question,
            deadline_at: rfc3339(question.deadlineAtMs),
          },
  };
}

/** Without the approvalId: an agent has no use for it. */
function planOf({ now }: PlanModeState): Json {
  if (now.phase === "off" || now.phase === "exploring") return null;
  const { planId, revision, title, digest, submittedAtMs, deadlineAtMs } = now.submission;
  const decidedBy = now.phase === "executing" || now.phase === "rejected" ? now.decidedBy : null;
  return {
    plan_id: planId,
    revision,
    title,
    digest,
    submitted_at: rfc3339(submittedAtMs),
    deadline_at: rfc3339(deadlineAtMs),
    feedback: now.phase === "rejected" ? now.feedback : null,
    ...(now.phase === "pending" && now.needs !== undefined
      ? { signatures: now.signatures?.length ?? 0, signatures_needed: now.needs.quorum }
      : {}),
    decided_by: decidedBy === null ? null : { kind: decidedBy.kind, name: decidedBy.name },
  };
}
