/** Effects of questions and answers. */
import type { CycleId } from "../../../protocol/ids.ts";
import { INJECTION_PRIORITIES } from "../../../protocol/injection.ts";
import type { PlanEventOf } from "../../protocol/event.ts";
import type { PlanModeState } from "../../protocol/state.ts";
import { type Effect, never } from "../../../plugins/sdk.ts";
import { auditEffect, byKey, notifyEffect, QUESTION_TIMER } from "../effect-parts.ts";
import * as lines from "../text/notify-lines.ts";
import { answerText, notAnsweredText, unansweredText } from "../text/texts.ts";

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
    notifyEffect(lines.askedLine(question)),
    auditEffect("question.asked", { questionId, approvalId }),
  ];
}

function answered(state: PlanModeState, event: PlanEventOf<"question.answered">): Effect[] {
  const { questionId, answer, optionId, by } = event;
  return [
    { kind: "clear-timer", key: QUESTION_TIMER },
    tell(state, questionId, answerText(event)),
    { kind: "request-turn", cause: "question.answered" },
    notifyEffect(lines.answeredLine(questionId, answer)),
    auditEffect("question.answered", { questionId, answer, optionId, by: byKey(by) }),
  ];
}

function closed(state: PlanModeState, event: PlanEventOf<"question.closed">): Effect[] {
  const { questionId, reason, by } = event;
  return [
    { kind: "clear-timer", key: QUESTION_TIMER },
    ...unansweredEffects(state, event),
    notifyEffect(lines.unansweredLine(questionId, reason)),
    auditEffect("question.closed", { questionId, reason, ...(by === undefined ? {} : { by: byKey(by) }) }),
  ];
}

/**
 * Expired: the agent learns of it with its next turn. Declined or deferred: a person is present, so the agent goes on
 * at once. Superseded: the event that superseded the question has its own effects.
 */
function unansweredEffects(
  state: PlanModeState,
  { questionId, reason, said }: PlanEventOf<"question.closed">,
): Effect[] {
  switch (reason) {
    case "timed_out":
      return [tell(state, questionId, unansweredText(questionId))];
    case "declined":
    case "deferred":
      return [
        tell(state, questionId, notAnsweredText(questionId, reason, said ?? "")),
        { kind: "request-turn", cause: `question.${reason}` },
      ];
    case "left":
      // outlives the cycle that ends with it
      return [tell(OFF, questionId, notAnsweredText(questionId, reason, ""))];
    case "superseded":
      return [];
    default:
      return never(reason);
  }
}

const OFF: Pick<PlanModeState, "now"> = {
  now: { phase: "off", mode: "normal", approval: "none", left: "off", steps: [] },
};

function tell({ now }: Pick<PlanModeState, "now">, questionId: string, text: string): Effect {
  const cycle: { cycleId?: CycleId } = now.phase === "off" ? {} : { cycleId: now.cycle.id };
  const { question_answer: priority } = INJECTION_PRIORITIES;
  return {
    kind: "inject",
    injection: { id: `question-answer:${questionId}`, kind: "question_answer", text, priority, ...cycle },
  };
}
