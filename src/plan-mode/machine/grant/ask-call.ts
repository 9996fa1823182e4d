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
import { lentTo, type PlanContext } from "../actors.ts";
import { AMEND_OPTION, AMEND_TOOL, proposeAmendment } from "../scope/amend.ts";
import type { ProposedAmendment } from "../../protocol/step/scope.ts";
import type { Refused } from "../../../protocol/refusal.ts";
import { ALLOW_ONCE } from "./give-grant.ts";

const APPROVAL_SLOT = 1;

const ONCE_OR_NOT: QuestionOption[] = [
  { id: ALLOW_ONCE, label: "Allow once", description: "Exactly this call, one time, while the mode stays as it is." },
  { id: "deny", label: "Deny", description: "The call stays blocked; the agent is told." },
];

type AskCall = Extract<PlanModeCommand, { type: "ask-call" }>;

const ONCE = "May it make exactly this call, once?";

const WHY: Readonly<Record<HeldCall["gate"], string>> = {
  plan: "It is not proven to be read-only, and the session is in plan mode.",
  "accept-edits": "It is one of the calls that an approval with edits does not cover.",
  permission: "Such a call needs a person's yes in this session.",
  scope: "The approved plan does not declare it.",
};

const ASKS: Readonly<Record<HeldCall["gate"], string>> = {
  plan: ONCE,
  "accept-edits": ONCE,
  permission: ONCE,
  scope: "Shall the plan be amended by what it needs?",
};

/** Undefined when it is too long to be shown whole: nobody is asked to sign what they cannot read. */
export function callQuestion({ call, shown }: Pick<AskCall, "call" | "shown">): string | undefined {
  const text = `The agent wants to make one call of ${call.tool} in ${call.folder}:
    ${shown.replaceAll("\n", "\n    ")}
${WHY[call.gate]} (${call.rule}: ${call.matched})
${ASKS[call.gate]}`;
  return text.length > CALL_QUESTION_CHARS_MAX ? undefined : text;
}

export function askCall(state: PlanModeState, command: AskCall, context: PlanContext): PlanDecision {
  const refused = refuseAsking(state, context);
  if (refused !== undefined) return refused;
  const text = callQuestion(command);
  if (text === undefined) return refuse("PLAN_INVALID", "The call is too long to be shown to a person whole.");
  const amendment = amendmentOf(state, command);
  if (amendment !== undefined && "refused" in amendment) return amendment;
  const { nowMs, settings, freshId, session } = context;
  const callBy = lentTo(context.actor);
  const question: PendingQuestion = {
    questionId: questionIdFor({ callId: command.callId, question: text }, session.id),
    approvalId: ApprovalId.parse(freshId("apr", APPROVAL_SLOT)),
    question: text,
    options: optionsOf(command, amendment, context),
    allowFreetext: false,
    askedAtMs: nowMs,
    deadlineAtMs: nowMs + settings.approvalTimeoutSeconds * 1_000,
    call: command.call,
    ...(amendment === undefined ? {} : { amendment }),
    ...(callBy === undefined ? {} : { callBy }),
  };
  const cycle = state.now.phase === "off" ? {} : { cycleId: state.now.cycle.id };
  return { events: [{ type: "question.asked", question, ...cycle, atMs: nowMs }], reply: { asked: true } };
}

/** Only the gate that knows the scope asks for more of it, and it asks for nothing else. */
function amendmentOf(state: PlanModeState, { call, amend }: AskCall): ProposedAmendment | Refused | undefined {
  if (call.gate !== "scope") return undefined;
  return proposeAmendment(state, amend ?? {});
}

/** One person's yes to one call is no way around the signatures that an amendment needs (PL-19). */
function optionsOf(
  { call }: AskCall,
  amendment: ProposedAmendment | undefined,
  { settings }: PlanContext,
): QuestionOption[] {
  if (amendment === undefined) return ONCE_OR_NOT;
  const isWhole = settings.approvals.quorum > 1 || call.tool === AMEND_TOOL;
  const once = isWhole ? ONCE_OR_NOT.slice(1) : ONCE_OR_NOT;
  return [AMEND_OPTION, ...once];
}
