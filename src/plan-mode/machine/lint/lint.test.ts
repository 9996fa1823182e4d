import { describe, expect, it } from "vitest";
import type { PlanBody } from "../../protocol/plan.ts";
import type { LintMode } from "../../protocol/lint/lint-finding.ts";
import { lintPlan } from "./lint-plan.ts";
import { lintLines } from "./lint-text.ts";

const plan = (steps: string[], change: Partial<PlanBody> = {}): PlanBody => ({
  title: "One",
  plan: steps.map((step) => ({ step, status: "pending" })),
  ...change,
});
const codes = (body: PlanBody, mode: LintMode = "all"): string[] => lintPlan(body, mode).map(({ code }) => code);

describe("plan lint", () => {
  it("[BY-08] finds steps without a check, unless the plan as a whole says how it is checked", () => {
    const some = plan(["Read src/a.ts", "Read src/b.ts"]);
    expect(lintPlan(some, "all")).toEqual([{ code: "L001", steps: [1, 2], more: 0 }]);
    const checked = { ...some, plan: some.plan.map((step) => ({ ...step, acceptanceCriteria: ["it is read"] })) };
    expect([codes(checked), codes({ ...some, verification: ["npm test"] })]).toEqual([[], []]);
  });

  it.each([
    "Move the table, or should we copy it?",
    "Use the new endpoint (TBD)",
    "Find out where it breaks: open question",
  ])("[BY-08] finds the open question in %j", (step) => {
    expect(codes(plan([step]), "warnings")).toEqual(["L002"]);
  });

  it("[BY-08] no question is an address with a question mark; one outside of the steps is about the plan", () => {
    expect(codes(plan(["Call https://example.org/a?b=1 once"]), "warnings")).toEqual([]);
    expect(lintPlan(plan(["Read"], { assumptions: ["nobody uses it?"] }), "warnings")).toEqual([
      { code: "L002", steps: [], more: 0 },
    ]);
  });

  it.each(["Delete the old bucket", "Drop table users", "Force-push main", "Publish the package", "Run rm -rf build"])(
    "[BY-08] finds that %j cannot be undone, where no way back is named",
    (step) => {
      expect(codes(plan([step]), "warnings")).toEqual(["L003"]);
      expect(codes(plan([`${step}; a backup is there`]), "warnings")).toEqual([]);
      const risks = [{ risk: "data is lost", mitigation: "restore from the snapshot" }];
      expect(codes(plan([step], { risks }), "warnings")).toEqual([]);
    },
  );

  it("[BY-08] believes a step that says itself that it cannot be undone, whatever the plan names elsewhere", () => {
    const risks = [{ risk: "data is lost", mitigation: "restore from the snapshot" }];
    const step = "Switch the writers. **Irreversible** after the first order";
    expect(lintPlan(plan(["Read", step], { risks }), "warnings")).toEqual([{ code: "L003", steps: [2], more: 0 }]);
    expect(codes(plan(["This is not irreversible"]), "warnings")).toEqual([]);
  });

  it("[BY-08] finds plans and steps that nobody reads to their end", () => {
    const many = plan(Array.from({ length: 41 }, (_, n) => `Read part ${n}`));
    expect(lintPlan(many, "warnings")).toEqual([{ code: "L004", steps: [], more: 0 }]);
    expect(lintPlan(plan(["Read", "x ".repeat(400)]), "warnings")).toEqual([{ code: "L004", steps: [2], more: 0 }]);
    expect(codes(plan(["Read"]), "warnings")).toEqual([]);
  });

  it("[BY-08] finds changes that name no place", () => {
    const found = lintPlan(plan(["Update the configuration", "Update src/config.ts", "Run `npm install`"]), "all");
    expect(found.find(({ code }) => code === "L005")).toEqual({ code: "L005", steps: [1], more: 0 });
  });

  it("[BY-08] says nothing where it is off, and nothing of what the plan itself names", () => {
    const bad = plan(["Drop table users", "Which one?"]);
    expect(codes(bad, "off")).toEqual([]);
    expect(codes({ ...bad, assumptions: ["L003 is meant so: the table is empty"] }, "warnings")).toEqual(["L002"]);
    expect(lintLines(lintPlan(bad, "warnings"))).toEqual([
      "L002: Steps that leave a question open: 2.",
      "L003: Steps that cannot be undone, without a way back: 1.",
    ]);
  });

  it("[BY-08] names at most twenty steps", () => {
    const [found] = lintPlan(plan(Array.from({ length: 30 }, () => "Really?")), "warnings");
    expect([found?.steps.length, found?.more]).toEqual([20, 10]);
  });
});
