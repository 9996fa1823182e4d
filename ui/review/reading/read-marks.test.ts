import { expect, it } from "vitest";
import type { PlanBody, PlanRevision } from "../../../src/plan-mode/protocol/plan.ts";
import { markOf, marksOf, newParts, partsOf } from "./read-marks.ts";

const body = (summary: string, ...steps: string[]): PlanBody => ({
  title: "Paint",
  summary,
  plan: steps.map((step) => ({ step, status: "pending" })),
});
const revision = (number: number, of: PlanBody): PlanRevision => ({ revision: number, body: of }) as PlanRevision;
const marks = (of: PlanBody): string[] => [...marksOf(of).values()];

it("[UI-05] a part that a revision left as it was stays read, wherever it stands now", () => {
  const first = body("Why", "Sand", "Paint");
  const second = body("Why not", "Prime", "Paint", "Sand");
  expect([...newParts(revision(2, second), { revision: 1, seen: marks(first), read: [] })]).toEqual([
    "summary",
    "step-1",
  ]);
  expect(partsOf(second).slice(0, 5)).toEqual(["summary", "analysis", "step-1", "step-2", "step-3"]);
});

it("[UI-05] nothing is new to whoever sees the first plan, or has looked at this revision", () => {
  const only = body("Why", "Sand");
  expect(newParts(revision(1, only), { revision: 0, seen: [], read: [] }).size).toBe(0);
  expect(newParts(revision(2, only), { revision: 2, seen: [], read: [] }).size).toBe(0);
});

it("[UI-05] texts are told apart by every letter", () => {
  expect(new Set(["", "a", "b", "ab", "ba", "a\u0000"].map(markOf)).size).toBe(6);
});
