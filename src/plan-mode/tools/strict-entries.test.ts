import { expect, it } from "vitest";
import { exitPlanMode } from "./exit-plan-mode.ts";

it("[TO-02] neither a step nor a risk of a submission takes a property that nobody knows", () => {
  const plan = [{ step: "Paint it", status: "pending" }];
  const risk = { risk: "rain", mitigation: "a roof" };
  const takes = (given: object): boolean => exitPlanMode.input.safeParse({ title: "t", plan, ...given }).success;
  expect(takes({ risks: [risk] })).toBe(true);
  expect(takes({ risks: [{ ...risk, approved: true }] })).toBe(false);
  expect(takes({ plan: [{ ...plan[0], approved: true }] })).toBe(false);
});
