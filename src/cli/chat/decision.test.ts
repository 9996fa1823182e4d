import { expect, it } from "vitest";
import { cardsOf } from "../../../test/kit/card-world.ts";
import { inPhase, pendingApprovalId } from "../../../test/kit/plan-session.ts";
import { decisionFor, noteFor } from "./decision.ts";

it("[RV-01, PL-10] a typed note is about the revision that was shown", () => {
  const session = inPhase("pending");
  const approvalId = pendingApprovalId(session);
  expect(noteFor("/plan note 2 whom?", cardsOf(session))).toEqual({
    action: "add",
    approvalId,
    kind: "change",
    anchor: { on: "step", step: 2 },
    text: "whom?",
  });
});

it.each(["/plan note", "/plan note nowhere x", "/plan notes", "note 2 x", "/plan accept"])(
  "[CH-02] %j is no note: the gateway answers it",
  (typed) => {
    expect(noteFor(typed, cardsOf(inPhase("pending")))).toBeUndefined();
    expect(noteFor("/plan note 2 x", cardsOf(inPhase("exploring")))).toBeUndefined();
  },
);

it("[PL-10] a decision is bound to what was shown, and notes decide nothing", () => {
  const session = inPhase("pending");
  expect(decisionFor("/plan accept", cardsOf(session))).toMatchObject({
    planApproval: { action: "approve", approvalId: pendingApprovalId(session) },
  });
  expect(decisionFor("/plan note 1 accept", cardsOf(session))).toBeUndefined();
});

it("[PL-20] an approval is sent to the gateway as it was typed where nobody can have read what it is about", () => {
  const cards = cardsOf(inPhase("pending"));
  expect(decisionFor("/plan accept", cards, { isPiped: true })).toBeUndefined(); // written before anything was shown
  expect(decisionFor("/plan accept 3fa91c", cards)).toBeUndefined(); // the code says what was read
  expect(decisionFor("/plan accept", cardsOf(inPhase("rejected")))).toBeUndefined(); // rejected while they typed?
  expect(decisionFor("/plan revise smaller", cards, { isPiped: true })).toBeDefined();
});

it("[GA-14, PL-10] a plan is signed for a job only on a card that offers it, with its digest and the limits that were typed", () => {
  expect(decisionFor("/plan accept standing", cardsOf(inPhase("pending")))).toBeUndefined();
  const [card, ...others] = cardsOf(inPhase("pending"));
  const patch = { field: "planApproval", value: { action: "approve", approvalId: "apr_1", digest: "d", standing: {} } };
  const [accept] = card?.actions ?? [];
  if (card === undefined || accept === undefined) throw new Error("no plan waits");
  const ofJob = { ...card, actions: [...card.actions, { ...accept, id: "approve-standing", patch }] };
  expect(decisionFor("/plan accept edits standing 5 7d", [ofJob, ...others])).toEqual({
    planApproval: { action: "edit", approvalId: "apr_1", digest: "d", standing: { runs: 5, days: 7 } },
  });
});
