/** What questions and answers ask for. */
import type { CycleId } from "../../protocol/ids.ts";
import { INJECTION_PRIORITIES } from "../../protocol/injection.ts";
import type { PlanEventOf, PlanModeState } from "../../protocol/plan-mode.ts";
import { type Effect, never } from "../../plugins/sdk.ts";
import { audit, byKey, notify, QUESTION_TIMER } from "./effect-parts.ts";
import * as lines from "./text/notify-lines.ts";
import { answerText, unansweredText } from "./text/texts.ts";

type QuestionEvent = PlanEventOf<"question.asked"> | PlanEventOf<"question.answered"> | PlanEventOf<"question.closed">;

export function questionEffects(state: PlanModeState, event: QuestionEvent): Effect[] {
  switch (event.type) {
    case "question.asked":
      return asked(event);
    case "question.answered":
      return answered(state, event);
    case "question.closed":
      return closed(state, event);
    default:
      return never(event);
  }
}

function asked({ question }: PlanEventOf<"question.asked">): Effect[] {
  const { questionId, approvalId, deadlineAtMs } = question;
  return [
    { kind: "set-timer", key: QUESTION_TIMER, atMs: deadlineAtMs, command: { type: "expire", approvalId } },
    { kind: "end-turn" },
    notify(lines.askedLine(question)),
    audit("question.asked", { questionId, approvalId }),
  ];
}

function answered(state: PlanModeState, event: PlanEventOf<"question.answered">): Effect[] {
  const { questionId, answer, optionId, by } = event;
  return [
    { kind: "clear-timer", key: QUESTION_TIMER },
    tell(state, questionId, answerText(event)),
    { kind: "request-turn", cause: "question.answered" },
    notify(lines.answeredLine(questionId, answer)),
    audit("question.answered", { questionId, answer, optionId, by: byKey(by) }),
  ];
}

/** Expired: the agent learns of it with its next turn. Superseded or left: it was done with the question itself. */
function closed(state: PlanModeState, { questionId, reason }: PlanEventOf<"question.closed">): Effect[] {
  const told = reason === "timed_out" ? [tell(state, questionId, unansweredText(questionId))] : [];
  return [
    { kind: "clear-timer", key: QUESTION_TIMER },
    ...told,
    notify(lines.unansweredLine(questionId, reason)),
    audit("question.closed", { questionId, reason }),
  ];
}

function tell({ now }: PlanModeState, questionId: string, text: string): Effect {
  const cycle: { cycleId?: CycleId } = now.phase === "off" ? {} : { cycleId: now.cycle.id };
  const { question_answer: priority } = INJECTION_PRIORITIES;
  return {
    kind: "inject",
    injection: { id: `question-answer:${questionId}`, kind: "question_answer", text, priority, ...cycle },
  };
}
