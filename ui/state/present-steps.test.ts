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
  expect(presentSteps({ plan: over("completed") })).toEqual(done);
  expect(presentSteps({ plan: over("off") })).toEqual(done);
  expect(presentSteps({ card: card("approved") })).toEqual(
    new Map([["Paint", { status: "in_progress", verified: new Set() }]]),
  );
  expect([presentSteps({ card: card("pending") }), presentSteps({ plan: over("never") })]).toEqual([
    new Map(),
    new Map(),
  ]);
});

const proof = [{ by: "command", command: "npm test", exitCode: 0, criterion: "It holds" }];
const evidence = (after: number) => [
  { kind: "command", step: "Test", criterion: "It holds", callId: "c1", after, passed: true },
];
const standing = (known: Parameters<typeof presentSteps>[0]) =>
  presentSteps(known).get("Test")?.proofs?.get("It holds")?.standing;

it("[UI-12] what was seen of a criterion stays with the plan when it has ended, and shows what was changed after it", () => {
  const ended = (after: number, count: number) =>
    ({
      steps: [{ step: "Test", status: "completed", proof }],
      evidence: evidence(after),
      changes: { count, atMs: 1 },
    }) as unknown as NonNullable<Parameters<typeof presentSteps>[0]["progress"]>;
  expect([ended(2, 2), ended(2, 3)].map((progress) => standing({ progress }))).toEqual(["proven", "earlier"]);
  const open = { ...ended(2, 3), steps: [{ step: "Test", status: "in_progress", proof }] } as ReturnType<typeof ended>;
  expect(standing({ progress: open })).toBe("outdated"); // nobody closed it by that evidence
  const running = { now: { phase: "executing", evidence: evidence(0), steps: [] } } as unknown as PlanModeState;
  const shown = {
    state: "approved",
    steps: [
      {
        text: "Test",
        status: "in_progress",
        criteria: [{ text: "It holds", verified: false, proof: "command", standing: "proven" }],
      },
    ],
  } as unknown as ApprovalCard;
  const found = presentSteps({ card: shown, plan: running }).get("Test")?.proofs?.get("It holds");
  expect(found).toEqual({ standing: "proven", evidence: evidence(0)[0] });
});
