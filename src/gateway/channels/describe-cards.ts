/** The cards of a session: what waits for a person, and what their buttons ask for. */
import type { Card, CardAction, Describe } from "../../delivery/card.ts";
import { PLAN_MODE_SLICE } from "../../plan-mode/machine/slice.ts";
import { digestOf } from "../../plugins/digest-of.ts";
import { Json } from "../../protocol/json.ts";
import { type PendingQuestion, PlanModeState } from "../../plan-mode/protocol/state.ts";

export const describeCards: Describe = (session) => {
  const { data } = PlanModeState.safeParse(session.slices[PLAN_MODE_SLICE]);
  if (data === undefined) return [];
  const approval = data.now.phase === "pending" ? [approvalCard(data.now)] : [];
  return data.question === null ? approval : [...approval, questionCard(data.question)];
};

const decision = (value: Json): CardAction => ({ kind: "set", field: "planApproval", value });

/** A decision says what its author saw: the id and the digest of what was drawn. */
function approvalCard({ submission, signatures = [] }: Extract<PlanModeState["now"], { phase: "pending" }>): Card {
  const { approvalId, planId, revision, digest, title, steps, deadlineAtMs } = submission;
  const payload = Json.parse({ kind: "approval", approvalId, planId, revision, title, steps, deadlineAtMs });
  return {
    cardId: approvalId,
    revisionHash: digestOf({ approvalId, digest, signatures: signatures.length }),
    payload,
    actions: { approve: decision({ action: "approve", approvalId, digest }) },
  };
}

function questionCard({ approvalId, questionId, question, options, deadlineAtMs }: PendingQuestion): Card {
  const answers = options.map(({ id }) => [
    `answer:${id}`,
    decision({ action: "answer", approvalId, questionId, answer: id }),
  ]);
  return {
    cardId: approvalId,
    revisionHash: digestOf({ approvalId, questionId }),
    payload: Json.parse({ kind: "question", questionId, question, options, deadlineAtMs }),
    actions: Object.fromEntries(answers),
  };
}
