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
