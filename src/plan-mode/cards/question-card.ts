/** A question of the agent as a card, and what a person can do with any question: leave it. */
import type { CardAction, CardDeadline, QuestionCard } from "../../protocol/card/card.ts";
import { FEEDBACK_CHARS_MAX, REASON_CHARS_MAX } from "../protocol/command.ts";
import type { PendingQuestion } from "../protocol/state.ts";
import { localized } from "../texts/localized.ts";
import { PLAN_MODE_SLICE } from "../machine/gate.ts";
import { shortTitle } from "../machine/text/short-title.ts";
import { cardText } from "./card-text.ts";

export function questionCard(question: PendingQuestion): QuestionCard {
  const { approvalId, questionId, options, allowFreetext, askedAtMs } = question;
  return {
    kind: "question",
    id: approvalId,
    slice: PLAN_MODE_SLICE,
    state: "open",
    heading: cardText(localized("cardQuestionWaits")),
    title: shortTitle(question.question),
    status: cardText(localized("cardOpen")),
    sinceMs: askedAtMs,
    deadline: questionDeadline(question),
    questionId,
    question: question.question,
    options: options.map(plainOption),
    freeText: allowFreetext,
    actions: [answering(question), ...leavings(question)],
  };
}

export const questionDeadline = ({ deadlineAtMs, reading }: PendingQuestion): CardDeadline =>
  reading === undefined
    ? { atMs: deadlineAtMs }
    : { atMs: deadlineAtMs, pausedUntilMs: reading.untilMs, readBy: reading.by };

const plainOption = ({ id, label, description }: PendingQuestion["options"][number]) => ({
  id,
  label,
  ...(description === undefined ? {} : { description }),
});

function answering({ approvalId, questionId, options, allowFreetext }: PendingQuestion): CardAction {
  const free = { freeText: { charsMax: FEEDBACK_CHARS_MAX, label: cardText(localized("cardAnswerLabel")) } };
  return {
    id: "answer",
    label: cardText(localized("cardAnswer")),
    tone: "other",
    scope: "operator.approvals",
    input: { kind: "option", field: "answer", options: options.map(plainOption), ...(allowFreetext ? free : {}) },
    patch: { field: "planApproval", value: { action: "answer", approvalId, questionId } },
    command: "/plan answer",
  };
}

/** Not answering is never a yes, so it is open to everybody who may decide. */
export function leavings({ approvalId, questionId }: PendingQuestion): CardAction[] {
  const leaving = (action: "decline" | "defer") =>
    ({
      tone: "no",
      scope: "operator.approvals",
      input: {
        kind: "text",
        field: "reason",
        charsMin: 0,
        charsMax: REASON_CHARS_MAX,
        label: cardText(localized("cardAnswerLabel")),
      },
      patch: { field: "planApproval", value: { action, approvalId, questionId } },
      command: `/plan ${action}`,
    }) satisfies Partial<CardAction>;
  return [
    {
      id: "defer",
      label: cardText(localized("cardDefer")),
      hint: cardText(localized("cardDeferHint")),
      ...leaving("defer"),
    },
    {
      id: "decline",
      label: cardText(localized("cardDecline")),
      hint: cardText(localized("cardDeclineHint")),
      ...leaving("decline"),
    },
  ];
}
