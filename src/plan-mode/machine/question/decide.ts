/** Questions to a person, and their answers. */
import { ApprovalId, type QuestionId } from "../../../protocol/ids.ts";
import type { PlanModeCommand } from "../../protocol/command.ts";
import type { PlanModeEvent } from "../../protocol/event.ts";
import { type PendingQuestion, type PlanModeState, QUESTION_CHARS_MAX } from "../../protocol/state.ts";
import type { Refused } from "../../../protocol/refusal.ts";
import { refuse } from "../../protocol/refuse.ts";
import { hasPerson } from "../../../protocol/session.ts";
import { allowing, grantFor } from "../grant/give-grant.ts";
import type { PlanDecision } from "../decision.ts";
import { AMEND, amendPlan } from "../scope/amend.ts";
import { refuseApprover, refuseOwn } from "../signature/approvers.ts";
import { refusePresence } from "../signature/presence.ts";
import { matchAnswer, questionIdFor, readOptions } from "./questions.ts";
import { rfc3339 } from "../text/rfc3339.ts";
import { ASK_INSTRUCTIONS } from "../text/texts.ts";
import { byOf, type PlanContext } from "../actors.ts";
import { isBlank } from "../../../plugins/sdk.ts";

const APPROVAL_SLOT = 1;
/** The option that denies a held call. */
export const DENY = "deny";

type Ask = Extract<PlanModeCommand, { type: "ask" }>;

export function askQuestion(state: PlanModeState, command: Ask, context: PlanContext): PlanDecision {
  const refused = refuseAsking(state, context) ?? refuseQuestion(command.question);
  if (refused !== undefined) return refused;
  const options = readOptions(command.options, command.callId);
  if ("refused" in options) return options;
  const { nowMs, settings, freshId } = context;
  const question: PendingQuestion = {
    questionId: questionIdFor(command, context.session.id),
    approvalId: ApprovalId.parse(freshId("apr", APPROVAL_SLOT)),
    question: command.question.trim(),
    options: options.options,
    allowFreetext: command.allowFreetext ?? false,
    askedAtMs: nowMs,
    deadlineAtMs: nowMs + settings.approvalTimeoutSeconds * 1_000,
  };
  const cycle = state.now.phase === "off" ? {} : { cycleId: state.now.cycle.id };
  const asked: PlanModeEvent = { type: "question.asked", question, ...cycle, atMs: nowMs };
  return { events: [asked], reply: askReply(question) };
}

export function refuseAsking({ now, question }: PlanModeState, { session }: PlanContext): Refused | undefined {
  if (!hasPerson(session.kind)) {
    return refuse(
      "PERMISSION_DENIED",
      `Nobody could answer a ${session.kind} session. Choose the safer course and say so.`,
      {
        session_kind: session.kind,
        reason: "nobody could answer",
      },
    );
  }
  if (now.phase === "pending") {
    return refuse(
      "APPROVAL_PENDING",
      "Your plan is before a person. Stop here and wait for the decision; ask afterwards.",
    );
  }
  if (question !== null) {
    return refuse("QUESTION_PENDING", "A question is already before the person. Stop here and wait for its answer.");
  }
  return undefined;
}

function refuseQuestion(question: string): Refused | undefined {
  if (isBlank(question)) return refuse("PLAN_INVALID", "question is blank. Write what you want to know.");
  if (question.trim().length > QUESTION_CHARS_MAX) {
    return refuse("PLAN_INVALID", `question may hold ${QUESTION_CHARS_MAX} characters. Shorten it.`);
  }
  return undefined;
}

const askReply = ({ questionId, question, options, allowFreetext, deadlineAtMs }: PendingQuestion) => ({
  question_id: questionId,
  question,
  options: options.map(({ id, label }) => ({ id, label })),
  allow_freetext: allowFreetext,
  deadline_at: rfc3339(deadlineAtMs),
  instructions: ASK_INSTRUCTIONS,
});

type Answering = { approvalId?: ApprovalId | undefined; questionId?: QuestionId | undefined; answer: string };

export function answerQuestion(state: PlanModeState, asked: Answering, context: PlanContext): PlanDecision {
  const { question } = state;
  if (question === null) return refuse("QUESTION_NOT_PENDING", "No question waits for an answer in this session.");
  const refused = refuseAnswering(question, asked, context);
  if (refused !== undefined) return refused;
  const matched = matchAnswer(question, asked.answer);
  if ("refused" in matched) return matched;
  const isYes = question.call !== undefined && matched.optionId !== DENY; // allowing a call is a decision; anybody may deny it
  const own = isYes ? refuseOwn(question.callBy, context) : undefined;
  if (own !== undefined) return own;
  if (matched.optionId === AMEND && question.amendment !== undefined) {
    return amendPlan(state, { question, matched }, context);
  }
  const held = isYes ? (refuseApprover(context) ?? refusePresence(allowing(question), context)) : undefined;
  if (held !== undefined) return held;
  const { questionId } = question;
  const { nowMs, actor } = context;
  const answered: PlanModeEvent = { type: "question.answered", questionId, ...matched, by: byOf(actor), atMs: nowMs };
  return {
    events: [answered, ...grantFor(state, { question, optionId: matched.optionId }, context)],
    reply: { question_id: questionId, answer: matched.answer, option_id: matched.optionId },
  };
}

type Leaving = { action: "decline" | "defer"; reason?: string | undefined } & Omit<Answering, "answer">;

/** Declining and deferring are answers of their own, and never allow anything. */
export function leaveUnanswered(state: PlanModeState, asked: Leaving, context: PlanContext): PlanDecision {
  const { question } = state;
  if (question === null) return refuse("QUESTION_NOT_PENDING", "No question waits for an answer in this session.");
  const refused = refuseAnswering(question, asked, context);
  if (refused !== undefined) return refused;
  const { questionId } = question;
  const { nowMs, actor } = context;
  const reason = asked.action === "decline" ? "declined" : "deferred";
  const said = asked.reason === undefined || isBlank(asked.reason) ? {} : { said: asked.reason.trim() };
  const closed: PlanModeEvent = { type: "question.closed", questionId, reason, by: byOf(actor), ...said, atMs: nowMs };
  return { events: [closed], reply: { question_id: questionId, answer: null, result: reason } };
}

function refuseAnswering(
  question: PendingQuestion,
  asked: Omit<Answering, "answer">,
  { nowMs }: PlanContext,
): Refused | undefined {
  if (asked.approvalId === undefined) {
    return refuse(
      "APPROVAL_ID_REQUIRED",
      "An answer names the approvalId of its question. Read it from the waiting question.",
    );
  }
  const isOther = asked.questionId !== undefined && asked.questionId !== question.questionId;
  if (asked.approvalId !== question.approvalId || isOther) {
    return refuse("QUESTION_STALE", "This answer belongs to another question. Read the one that waits now.");
  }
  if (nowMs >= question.deadlineAtMs) {
    return refuse("APPROVAL_EXPIRED", "The deadline of this question has passed. The agent can ask again.");
  }
  return undefined;
}
