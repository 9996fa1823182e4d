/**
 * A call outside of the plan's scope, put before a person as an amendment of the plan. What is added has a digest of its
 * own, and its signature needs what an approval needs here:
 *
 *   gate holds ──ask-call {amend}──▶ question ──amend──▶ signed ──the last needed──▶ the scope holds more
 *                                       ├──allow once──▶ grant        (where one signature is enough)
 *                                       └──deny · expired · superseded
 */
import { Json } from "../../../protocol/json.ts";
import type { Refused } from "../../../protocol/refusal.ts";
import { digestOf } from "../../../plugins/sdk.ts";
import type { PlanModeEvent } from "../../protocol/event.ts";
import { refuse } from "../../protocol/refuse.ts";
import type { PendingQuestion, PlanModeState, QuestionOption } from "../../protocol/state.ts";
import { AMENDMENTS_MAX, type Amendment, type ProposedAmendment, type StepScope } from "../../protocol/step/scope.ts";
import { byOf, type PlanContext } from "../actors.ts";
import type { PlanDecision } from "../decision.ts";
import { loosen } from "../signature/loosening.ts";
import { scopeProblem } from "./scope-problem.ts";

/** The tool by which an agent asks for more than the plan declares; nothing of it runs. */
export const AMEND_TOOL = "amend_plan";

/** The option that adds what the call needs to the plan. */
export const AMEND = "amend";

export const AMEND_OPTION: QuestionOption = {
  id: AMEND,
  label: "Amend the plan",
  description: "What it needs becomes part of the plan, until the plan ends.",
};

/** What a yes would add to the plan that is carried out, as people sign it. */
export function proposeAmendment({ now }: PlanModeState, add: StepScope): ProposedAmendment | Refused {
  if (now.phase !== "executing" || now.scoped !== true) return NO_SCOPE;
  const problem = scopeProblem(add);
  if (problem !== undefined) return refuse("PLAN_SCOPE_INVALID", `${problem}.`);
  const n = (now.amendments?.length ?? 0) + 1;
  if (n > AMENDMENTS_MAX) return FULL;
  const { approvalId, digest: plan } = now.submission;
  return { n, add, digest: digestOf(Json.parse({ approvalId, plan, n, add })) };
}

const NO_SCOPE = refuse("PLAN_NOT_ACTIVE", "No plan with a scope is being carried out, so there is none to amend.");
const FULL = refuse(
  "PLAN_INVALID",
  `A plan can be amended ${AMENDMENTS_MAX} times. Call enter_plan_mode and submit a plan that declares what it needs.`,
);

type Answered = { question: PendingQuestion; matched: { answer: string; optionId: string | null } };

/** One person's yes; the question stays open while others must sign too. */
export function amendPlan(state: PlanModeState, { question, matched }: Answered, context: PlanContext): PlanDecision {
  const { now } = state;
  const { amendment, approvalId, questionId } = question;
  if (now.phase !== "executing" || amendment === undefined) return NO_SCOPE;
  const { digest } = amendment;
  const signed = loosen(state, { kind: "amend", approvalId, digest }, context);
  if ("refused" in signed) return signed;
  const { events, signatures, missing } = signed;
  const about = { question_id: questionId, answer: matched.answer, option_id: matched.optionId, digest };
  if (missing > 0) return { events, reply: { ...about, decision: "signed", signatures, missing } };
  const by = byOf(context.actor);
  const { nowMs: atMs } = context;
  const amended: PlanModeEvent = {
    type: "plan.amended",
    approvalId: now.submission.approvalId,
    planId: now.submission.planId,
    amendment: { ...amendment, by, atMs, ...signaturesOn(state, events) },
    questionId,
    atMs,
  };
  const answered: PlanModeEvent = { type: "question.answered", questionId, ...matched, by, atMs };
  return { events: [...events, answered, amended], reply: { ...about, decision: "amended" } };
}

type Signed = Extract<PlanModeEvent, { type: "loosening.signed" }>;
const lastSigned = (events: readonly PlanModeEvent[]): Signed | undefined =>
  events.findLast((event): event is Signed => event.type === "loosening.signed");

/** Everybody on whose word it rests: when one of them is revoked, so is the plan. */
function signaturesOn(
  { loosening }: PlanModeState,
  events: readonly PlanModeEvent[],
): Pick<Amendment, "signatures" | "passkey"> {
  const mine = lastSigned(events)?.signature;
  if (mine === undefined) return {};
  const others = (loosening?.signatures ?? []).filter(
    ({ digest, by }) => digest === mine.digest && by.id !== mine.by.id,
  );
  return {
    ...(others.length === 0 ? {} : { signatures: [...others, mine] }),
    ...(mine.passkey === undefined ? {} : { passkey: mine.passkey }),
  };
}
