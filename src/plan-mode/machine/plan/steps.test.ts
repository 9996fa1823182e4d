import { describe, expect, it } from "vitest";
import { agent, body, inPhase, planSession } from "../../../../test/kit/plan-session.ts";
import type { PlanPatch } from "../../../protocol/plan-mode.ts";
import type { PlanStep } from "../../../protocol/plan.ts";
import { mergeSteps, refuseBornClosed } from "./steps.ts";

const executing = () => inPhase("executing");
const update = (patch: PlanPatch, session = executing()) => session.apply({ type: "update", patch }, agent);

describe("merging", () => {
  it("[TO-03] joins by step text, keeps what the patch leaves out, keeps order and appends new steps", () => {
    const before: PlanStep[] = [
      { step: "a", status: "pending", activeForm: "doing a", acceptanceCriteria: ["x"] },
      { step: "b", status: "pending" },
    ];
    expect(
      mergeSteps(before, [
        { step: "c", status: "pending" },
        { step: "b", status: "in_progress" },
        { step: "a", status: "completed", verifiedCriteria: ["x"] },
      ]),
    ).toEqual([
      { step: "a", status: "completed", activeForm: "doing a", acceptanceCriteria: ["x"], verifiedCriteria: ["x"] },
      { step: "b", status: "in_progress" },
      { step: "c", status: "pending" },
    ]);
  });

  it.each([
    [
      "the patch",
      [
        { step: "a", status: "in_progress" },
        { step: "b", status: "in_progress" },
      ],
      false,
    ],
    ["the merged plan", [{ step: "Tell the team", status: "in_progress" }], true],
  ] as const)("[TO-03] refuses two steps in_progress in %s", (_where, plan, merge) => {
    const session = executing();
    session.must(
      { type: "update", patch: { plan: [{ step: "Rename the file", status: "in_progress" }], merge: true } },
      agent,
    );
    expect(update({ plan: [...plan], merge }, session)).toMatchObject({ refused: { code: "PLAN_INVALID" } });
  });

  it("[TO-03] refuses duplicate step texts, with and without merge", () => {
    const plan: PlanStep[] = [
      { step: "a", status: "pending" },
      { step: " a ", status: "pending" },
    ];
    for (const merge of [true, false])
      expect(update({ plan, merge })).toMatchObject({ refused: { code: "PLAN_INVALID" } });
  });

  it("[TO-03] refuses a merge that would hold more steps than a plan may", () => {
    const session = planSession();
    const many = (from: number): PlanStep[] =>
      Array.from({ length: 300 }, (_, n) => ({ step: `s${from + n}`, status: "pending" }));
    session.must({ type: "update", patch: { plan: many(0) } }, agent);
    expect(update({ plan: many(300), merge: true }, session)).toMatchObject({ refused: { code: "PLAN_INVALID" } });
  });

  it("[TO-03] works in normal mode too, without a cycle to complete", () => {
    const session = planSession();
    expect(session.outcome({ type: "update", patch: { plan: [{ step: "a", status: "completed" }] } }, agent)).toBe(
      "plan.updated",
    );
    expect(session.state().now).toMatchObject({
      mode: "normal",
      left: "never",
      steps: [{ step: "a", status: "completed" }],
    });
  });
});

describe("the closure gate", () => {
  it("[TO-04] refuses completed while a criterion is not echoed, and names what is missing", () => {
    expect(
      update({
        plan: [{ step: "Rename the file", status: "completed", verifiedCriteria: [" imports resolve "] }],
        merge: true,
      }),
    ).toEqual({
      refused: {
        code: "STEP_NOT_VERIFIED",
        message: expect.stringContaining("verifiedCriteria"),
        details: { step: "Rename the file", missing: ["tests pass"] },
      },
    });
  });

  it("[TO-04] an empty list is no gate", () => {
    const plan: PlanStep[] = [{ step: "a", status: "completed", acceptanceCriteria: [] }];
    expect(update({ plan }, planSession())).not.toHaveProperty("refused");
  });

  it("[TO-04] replacing the list does not lose the criteria that were approved", () => {
    const plan: PlanStep[] = [
      { step: "Rename the file", status: "completed" },
      { step: "Tell the team", status: "pending" },
    ];
    expect(update({ plan })).toMatchObject({ refused: { code: "STEP_NOT_VERIFIED" } });
  });
});

describe("what a person signed", () => {
  it("[PL-11, BY-04] approved steps cannot be dropped or made easier, only cancelled", () => {
    const rename = { step: "Rename the file", status: "pending" } as const;
    const tell = { step: "Tell the team", status: "pending" } as const;
    expect(update({ plan: [rename] })).toMatchObject({
      refused: { code: "PLAN_INVALID", details: { step: "Tell the team" } },
    });
    expect(update({ plan: [{ ...rename, acceptanceCriteria: [] }, tell] })).toMatchObject({
      refused: { code: "PLAN_INVALID", details: { missing: ["imports resolve", "tests pass"] } },
    });
    expect(update({ plan: [{ ...rename, acceptanceCriteria: ["imports resolve"] }], merge: true })).toMatchObject({
      refused: { code: "PLAN_INVALID", details: { missing: ["tests pass"] } },
    });
  });

  it("[IN-06] a step that is no longer viable is cancelled and a revised one added", () => {
    const session = executing();
    session.must(
      {
        type: "update",
        patch: {
          merge: true,
          plan: [
            { step: "Rename the file", status: "cancelled" },
            { step: "Rename the folder", status: "in_progress" },
          ],
        },
      },
      agent,
    );
    expect(session.state().now.steps.map(({ step, status }) => [step, status])).toEqual([
      ["Rename the file", "cancelled"],
      ["Tell the team", "pending"],
      ["Rename the folder", "in_progress"],
    ]);
    expect(session.state().now.mode).toBe("executing");
  });
});

describe("a proposal", () => {
  it("[BY-04, TO-02] cannot be born complete, nor verified in advance", () => {
    expect(refuseBornClosed(body.plan)).toBeUndefined();
    const closed: PlanStep[] = [
      { step: "a", status: "completed" },
      { step: "a", status: "cancelled" },
      { step: "a", status: "pending", verifiedCriteria: ["x"] },
    ];
    for (const plan of closed.map((step) => [step])) {
      expect(
        inPhase("exploring").apply({ type: "submit", body: { title: "t", plan }, digest: "d" }, agent),
      ).toMatchObject({
        refused: { code: "PLAN_INVALID" },
      });
    }
  });

  it("[TO-02] refuses duplicate steps and two in_progress", () => {
    const submit = (plan: PlanStep[]) =>
      inPhase("exploring").outcome({ type: "submit", body: { title: "t", plan }, digest: "d" }, agent);
    expect(
      submit([
        { step: "a", status: "pending" },
        { step: "a", status: "pending" },
      ]),
    ).toBe("PLAN_INVALID");
    expect(
      submit([
        { step: "a", status: "in_progress" },
        { step: "b", status: "in_progress" },
      ]),
    ).toBe("PLAN_INVALID");
    expect(
      submit([
        { step: "a", status: "in_progress" },
        { step: "b", status: "pending" },
      ]),
    ).toBe("plan.submitted");
  });
});
