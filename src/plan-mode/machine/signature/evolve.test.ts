/** What earlier versions wrote, and what a standing plan begins with, as it is folded into the state. */
import { expect, it } from "vitest";
import { inPhase } from "../../../../test/kit/plan-session.ts";
import type { PlanEventOf } from "../../protocol/event.ts";
import { evolveSignature } from "./evolve.ts";

const by = { kind: "operator", id: "opr_alice", name: "Alice" } as const;

it("[PL-16] a rule that an earlier version switched on has nobody behind it", () => {
  const state = evolveSignature(inPhase("off").state(), { type: "plan.auto_set", enabled: true, by, atMs: 1 });
  expect(state.auto).toBe(true);
  expect(state).not.toHaveProperty("autoBy");
});

it("[GA-14, BY-02, BY-05] a run under a standing plan begins with its scope and the steps that are held", () => {
  const { now } = inPhase("executing").state();
  if (now.phase !== "executing") throw new Error("not executing");
  const { cycle, submission } = now;
  const begun = { type: "plan.standing_begun", unlock: "approved", cycle, submission, by, standing: {}, atMs: 7 };
  const after = (more: object) =>
    evolveSignature(inPhase("off").state(), { ...begun, ...more } as unknown as PlanEventOf<"plan.standing_begun">).now;
  expect(after({ scoped: true, held: [2] })).toMatchObject({ phase: "executing", scoped: true, held: [2] });
  expect(after({})).not.toHaveProperty("scoped");
  expect(after({})).not.toHaveProperty("held");
});
