/** A held call as a card: before a person, and as their yes that waits to be used. */
import { callShownIn } from "../../protocol/card/call-shown.ts";
import type { By } from "../../protocol/actor.ts";
import type { CardAction, GrantCard } from "../../protocol/card/card.ts";
import type { CallGrant, HeldCall, PendingQuestion } from "../protocol/state.ts";
import type { LocalizedText } from "../../protocol/localized/localized-text.ts";
import { localized } from "../texts/localized.ts";
import { PLAN_MODE_SLICE } from "../machine/gate.ts";
import { callTitle, shortTitle } from "../machine/text/short-title.ts";
import { AMEND } from "../machine/scope/amend.ts";
import { ALLOW_ONCE } from "../machine/grant/give-grant.ts";
import { DENY } from "../machine/question/decide.ts";
import { callCode } from "../machine/signature/decision-code.ts";
import { cardText, nameOf } from "./card-text.ts";
import type { PlanCardContext } from "./plan-card-context.ts";
import { leavings, questionDeadline } from "./question-card.ts";

/** `signed`: who has signed what a yes would add to the plan, where several must. */
export function grantCard(question: PendingQuestion, context: PlanCardContext, signed: readonly By[] = []): GrantCard {
  const { call } = question;
  if (call === undefined) throw new Error("the question is about no call");
  const { approvalId, questionId, askedAtMs } = question;
  return {
    kind: "grant",
    id: approvalId,
    slice: PLAN_MODE_SLICE,
    state: "open",
    heading: cardText(localized("cardCallWaits")),
    title: shortTitle(callTitle(question.question, call)),
    status: cardText(localized("cardOpen")),
    sinceMs: askedAtMs,
    deadline: questionDeadline(question),
    questionId,
    call: callOf(call, callShownIn(question.question) ?? question.question),
    why: cardText(whyHeld(call)),
    actions: [...yesAndNo({ ...question, call }, context, signed), ...leavings(question)],
  };
}

/** A yes that nobody has used yet. Which question it answered is not kept, so it is named by the grant. */
export function givenCard({ id, call, by, atMs, untilMs }: CallGrant): GrantCard {
  return {
    kind: "grant",
    id,
    slice: PLAN_MODE_SLICE,
    state: "given",
    heading: cardText(localized("cardCall")),
    title: shortTitle(call.tool),
    status: cardText(localized("cardGiven", { name: nameOf(by) })),
    sinceMs: atMs,
    outcome: { by, atMs },
    questionId: "",
    grantId: id,
    call: callOf(call, ""),
    why: cardText(whyHeld(call)),
    untilMs,
    actions: [],
  };
}

const callOf = ({ tool, folder, rule, matched }: HeldCall, shown: string): GrantCard["call"] => ({
  tool,
  folder,
  shown,
  rule,
  matched,
});

function yesAndNo(
  question: PendingQuestion & { call: HeldCall },
  { settings }: PlanCardContext,
  signed: readonly By[],
): CardAction[] {
  const { approvers } = settings.approvals;
  const { approvalId, questionId, options } = question;
  const limited = approvers === undefined ? {} : { approvers: [...approvers] };
  const isOffered = ({ id }: CardAction): boolean => options.some((option) => option.id === id);
  const answering = (answer: string) =>
    ({
      scope: "operator.approvals",
      input: { kind: "none" },
      patch: { field: "planApproval", value: { action: "answer", approvalId, questionId, answer } },
      command: `/plan answer ${answer}`,
    }) satisfies Partial<CardAction>;
  const actions: CardAction[] = [
    {
      id: AMEND,
      label: cardText(localized("cardAmend")),
      hint: cardText(localized("cardAmendHint")),
      tone: "yes",
      ...answering(AMEND),
      command: `/plan answer ${callCode(question)} ${AMEND}`,
      ...limited,
      ...(signed.length === 0 ? {} : { signedBy: [...signed] }),
    },
    {
      id: ALLOW_ONCE,
      label: cardText(localized("cardAllowOnce")),
      hint: cardText(localized("cardAllowOnceHint")),
      tone: "yes",
      ...answering(ALLOW_ONCE),
      command: `/plan answer ${callCode(question)} ${ALLOW_ONCE}`,
      ...limited,
    },
    {
      id: DENY,
      label: cardText(localized("cardDeny")),
      hint: cardText(localized("cardDenyHint")),
      tone: "no",
      ...answering(DENY),
    },
  ];
  return actions.filter(isOffered);
}

const HELD = {
  plan: "callHeld_plan",
  "accept-edits": "callHeld_accept_edits",
  permission: "callHeld_permission",
  scope: "callHeld_scope",
} as const satisfies Record<HeldCall["gate"], string>;

const whyHeld = ({ gate, rule, matched }: HeldCall): LocalizedText => localized(HELD[gate], { rule, matched });
