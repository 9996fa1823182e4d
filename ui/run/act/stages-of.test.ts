import { expect, it } from "vitest";
import type { PlanModeState } from "../../../src/plan-mode/protocol/state.ts";
import { stagesOf } from "./stages-of.ts";

const step = (text: string) => ({ step: text, status: "pending" });
const alice = { kind: "operator", id: "opr_1", name: "Alice" };
const running = (more: object = {}, around: object = {}): PlanModeState =>
  ({
    now: {
      phase: "executing",
      steps: [step("added"), step("buy"), step("paint"), step("clean")],
      submission: { approvalId: "apr_1", digest: "d", steps: [step("buy"), step("paint "), step("clean")] },
      ...more,
    },
    auto: false,
    question: null,
    ...around,
  }) as unknown as PlanModeState;

it("[BY-05] steps are known by their numbers in the signed plan, whatever the agent added since", () => {
  const loosening = { what: { kind: "stage", steps: [2] }, signatures: [{ by: alice }] };
  expect(stagesOf(running({ held: [2], skipped: [3] }, { loosening }))).toEqual({
    approvalId: "apr_1",
    digest: "d",
    byStep: new Map([
      ["buy", { number: 1, isHeld: false, isSkipped: false, signedBy: [] }],
      ["paint", { number: 2, isHeld: true, isSkipped: false, signedBy: [alice] }],
      ["clean", { number: 3, isHeld: false, isSkipped: true, signedBy: [] }],
    ]),
  });
});

it("[BY-05] nothing can be decided about the steps of a plan that is over, or that nobody approved", () => {
  expect(stagesOf(undefined)).toBeUndefined();
  expect(stagesOf({ now: { phase: "off" } } as unknown as PlanModeState)).toBeUndefined();
});
