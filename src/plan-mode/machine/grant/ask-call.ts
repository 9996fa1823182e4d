/**
 * A held call, put before a person by the server itself (GA-02, GA-10, AE-05). The question shows the call, whole; a yes mints
 * a permission for exactly that call:
 *
 *   gate holds ──ask-call──▶ question ──allow once──▶ grant ──claim──▶ spent
 *                               └──deny · expired · superseded      └──a mode or the approval changed · time is up ──▶ void
 */
import { ApprovalId } from "../../../protocol/ids.ts";
import type { PlanModeCommand } from "../../protocol/command.ts";
import {
  CALL_QUESTION_CHARS_MAX,
  type HeldCall,
  type PendingQuestion,
  type PlanModeState,
  type QuestionOption,
} from "../../protocol/state.ts";
import { refuse } from "../../protocol/refuse.ts";
import { refuseAsking } from "../question/decide.ts";
import type { PlanDecision } from "../decision.ts";
import { questionIdFor } from "../question/questions.ts";
import type { PlanContext } from "../actors.ts";
import { ALLOW_ONCE } from "./give-grant.ts";

const APPROVAL_SLOT = 1;

const OPTIONS: QuestionOption[] = [
  { id: ALLOW_ONCE, label: "Allow once", description: "Exactly this call, one time, while the mode stays as it is." },
  { id: "deny", label: "Deny", description: "The call stays blocked; the agent is told." },
];

type AskCall = Extract<PlanModeCommand, { type: "ask-call" }>;

const WHY: Readonly<Record<HeldCall["gate"], string>> = {
  plan: "It is not proven to be read-only, and the session is in plan mode.",
  "accept-edits": "It is one of the calls that an approval with edits does not cover.",
  permission: "Such a call needs a person's yes in this session.",
};

/** Undefined when it is too long to be shown whole: nobody is asked to sign what they cannot read. */
export function callQuestion({ call, shown }: Pick<AskCall, "call" | "shown">): string | undefined {
  const text = [
    `The agent wants to make one call of ${call.tool} in ${call.folder}:`,
    ...shown.split("\n").map((line) => `    ${line}`),
    `${WHY[call.gate]} (${call.rule}: ${call.matched})`,
    "May it make exactly this call, once?",
  ].join("\n");
  return text.length > CALL_QUESTION_CHARS_MAX ? undefined : text;
}

export function askCall(state: PlanModeState, command: AskCall, context: PlanContext): PlanDecision {
  const refused = refuseAsking(state, context);
  if (refused !== undefined) return refused;
  const text = callQuestion(command);
  if (text === undefined) return refuse("PLAN_INVALID", "The call is too long to be shown to a person whole.");
  const { nowMs, settings, freshId, session } = context;
  const question: PendingQuestion = {
    questionId: questionIdFor({ callId: command.callId, question: text }, session.id),
    approvalId: ApprovalId.parse(freshId("apr", APPROVAL_SLOT)),
    question: text,
    options: OPTIONS,
    allowFreetext: false,
    askedAtMs: nowMs,
    deadlineAtMs: nowMs + settings.approvalTimeoutSeconds * 1_000,
    call: command.call,
  };
  const cycle = state.now.phase === "off" ? {} : { cycleId: state.now.cycle.id };
  return { events: [{ type: "question.asked", question, ...cycle, atMs: nowMs }], reply: null };
}
