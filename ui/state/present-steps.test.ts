import { expect, it } from "vitest";
import type { ApprovalCard } from "../../src/protocol/card/card.ts";
import type { PlanModeState } from "../../src/plan-mode/protocol/state.ts";
import { presentSteps } from "./present-steps.ts";

const steps = [{ step: "Paint", status: "completed", verifiedCriteria: ["It is blue"] }];
const over = (left: string): PlanModeState => ({ now: { phase: "off", left, steps } }) as unknown as PlanModeState;
const card = (state: string): ApprovalCard =>
  ({
    state,
    steps: [{ text: "Paint", status: "in_progress", criteria: [{ text: "It is blue", verified: false }] }],
  }) as unknown as ApprovalCard;

it("[UI-12] a plan shows how it stands now, also when it is finished and its card is gone", () => {
  const done = new Map([["Paint", { status: "completed", verified: new Set(["It is blue"]) }]]);
  expect(presentSteps(undefined, over("completed"))).toEqual(done);
  expect(presentSteps(undefined, over("off"))).toEqual(done);
  expect(presentSteps(card("approved"), undefined)).toEqual(
    new Map([["Paint", { status: "in_progress", verified: new Set() }]]),
  );
  expect([presentSteps(card("pending"), undefined), presentSteps(undefined, over("never"))]).toEqual([
    new Map(),
    new Map(),
  ]);
});
