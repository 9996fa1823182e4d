import { expect, it } from "vitest";
import { areClosed, stepsAfter, stepsIn } from "./folded-steps.ts";

const plan = (...steps: [string, string][]) => ({ plan: steps.map(([step, status]) => ({ step, status })) });

it("[UI-01] follows a plan through its updates: joined by the text of a step, or all of them anew", () => {
  const first = stepsIn(plan(["Sand", "pending"], ["Paint", "pending"]));
  const joined = stepsAfter(first, { ...plan(["Sand", "completed"], ["Dry", "in_progress"]), merge: true });
  expect(joined).toEqual([
    { text: "Sand", status: "completed" },
    { text: "Paint", status: "pending" },
    { text: "Dry", status: "in_progress" },
  ]);
  expect(stepsAfter(joined, plan(["Paint", "completed"]))).toEqual([{ text: "Paint", status: "completed" }]);
  expect([areClosed(joined), areClosed(stepsAfter(joined, plan(["Paint", "cancelled"]))), areClosed([])]).toEqual([
    false,
    true,
    false,
  ]);
});

it("[UI-01] takes nothing for granted in what a tool was given; an unknown status is pending", () => {
  expect([stepsIn(undefined), stepsIn({ plan: "all" }), stepsIn({ plan: [null, 7, { step: " " }] })]).toEqual([
    [],
    [],
    [],
  ]);
  expect(stepsIn({ plan: [{ step: " Sand ", status: "began", activeForm: "Sanding" }] })).toEqual([
    { text: "Sand", status: "pending", activeForm: "Sanding" },
  ]);
});
