import { expect, it } from "vitest";
import { cardsOf } from "../../test/kit/card-world.ts";
import { inPhase } from "../../test/kit/plan-session.ts";
import { typedAccept } from "./typed-accept.ts";

it.each([
  ["/plan accept", "approve"],
  ["/plan  accept edits", "approve-allowing-edits"],
  ["/approve", "approve"],
  ["/Approve EDITS ", "approve-allowing-edits"],
  ["/plan accept 3fa91c", undefined],
  ["/plan accept now", undefined],
  ["/approved", undefined],
  ["plan accept", undefined],
])("[PL-20] %s is about the plan that this page shows: %s", (text, action) => {
  const cards = cardsOf(inPhase("pending"));
  expect(typedAccept(text, cards)?.action).toBe(action);
});

it("[PL-20] says what the page showed: the id and the digest", () => {
  const cards = cardsOf(inPhase("pending"));
  expect(typedAccept("/plan accept", cards)?.patch["planApproval"]).toEqual({
    action: "approve",
    approvalId: cards[0]?.id,
    digest: "d".repeat(64),
  });
});

it("[PL-20] over a rejection, and where nothing waits, the gateway answers", () => {
  for (const phase of ["rejected", "executing", "exploring"] as const)
    expect(typedAccept("/plan accept", cardsOf(inPhase(phase)))).toBeUndefined();
});
