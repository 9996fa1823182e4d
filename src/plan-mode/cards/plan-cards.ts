/** The cards of plan mode: the plan, the question or the held call before a person, a yes that waits to be used, notices. */
import type { By } from "../../protocol/actor.ts";
import type { Card } from "../../protocol/card/card.ts";
import type { PlanModeState } from "../protocol/state.ts";
import { approvalCard } from "./approval-card.ts";
import type { PlanCardContext } from "./plan-card-context.ts";
import { checkpointCards } from "./checkpoint-card.ts";
import { givenCard, grantCard } from "./grant-card.ts";
import { noticeCards } from "./notice-cards.ts";
import { escalationOf, reminderCards } from "./reminder-card.ts";
import { questionCard } from "./question-card.ts";

/** What waits comes first; a question waits only while no plan does. */
export function planCards(state: PlanModeState, context: PlanCardContext): Card[] {
  const { now, question, grant } = state;
  const asked: Card[] = [
    ...(question === null
      ? []
      : [question.call === undefined ? questionCard(question) : grantCard(question, context, signedFor(state))]),
    ...(now.phase === "off" || now.phase === "exploring" ? [] : [approvalCard(state, now, context)]),
  ];
  const shown = asked.map((card) => ({ ...card, ...escalationOf(card, state) }));
  return [
    ...shown,
    ...(grant === undefined ? [] : [givenCard(grant)]),
    ...reminderCards(shown, state),
    ...checkpointCards(state, context),
    ...noticeCards(state, context),
  ];
}

/** Who has signed the amendment that the open question is about. */
function signedFor({ question, loosening }: PlanModeState): By[] {
  const isAbout = loosening?.what.kind === "amend" && loosening.what.digest === question?.amendment?.digest;
  return isAbout ? (loosening?.signatures ?? []).map(({ by }) => by) : [];
}
