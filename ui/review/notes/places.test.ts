import { describe, expect, it } from "vitest";
import type { PlanBody } from "../../../src/plan-mode/protocol/plan.ts";
import type { Note } from "../../../src/plan-mode/protocol/review.ts";
import { type Place, placeOf, targetAt, writtenAt } from "./places.ts";

const body: PlanBody = {
  title: "Paint the shed",
  plan: [{ step: "Buy paint", status: "pending", acceptanceCriteria: ["it is green"] }],
  summary: "The shed gets a colour.",
  risks: [{ risk: "rain", mitigation: "wait" }],
  assumptions: [],
};

type Placed = Pick<Note, "anchor" | "standing">;

describe("the place of a note", () => {
  it.each<[string, Placed, Place]>([
    ["on the plan", { anchor: { on: "plan" }, standing: "exact" }, "plan"],
    ["on a step", { anchor: { on: "step", step: 1, text: "Buy paint" }, standing: "moved" }, "step-1"],
    ["on a step that is gone", { anchor: { on: "step", step: 7, text: "Sell it" }, standing: "orphaned" }, "steps"],
    [
      "on words that are gone from their step",
      { anchor: { on: "step", step: 1, text: "Buy paint", quote: { exact: "red" } }, standing: "orphaned" },
      "step-1",
    ],
    ["on a section", { anchor: { on: "section", section: "summary" }, standing: "exact" }, "summary"],
    [
      "on words that are gone",
      { anchor: { on: "section", section: "summary", quote: { exact: "red" } }, standing: "orphaned" },
      "summary",
    ],
    ["on a section that is gone", { anchor: { on: "section", section: "analysis" }, standing: "orphaned" }, "plan"],
  ])("[RV-01, BY-06] %s", (_what, note, place) => {
    expect(placeOf(note, body)).toBe(place);
  });
});

describe("the text at a place", () => {
  it.each<[Place, string | undefined]>([
    ["step-1", "Buy paint\nit is green"],
    ["step-2", undefined],
    ["summary", "The shed gets a colour."],
    ["risks", "rain → wait"],
    ["assumptions", undefined],
    ["plan", undefined],
  ])("[RV-01] of %s is the one in which the gateway looks for a quote", (place, text) => {
    expect(writtenAt(place, body)).toBe(text);
  });

  it("[RV-01] leads back to what a note can be written on", () => {
    expect(["plan", "steps", "step-3", "risks"].map((place) => targetAt(place as Place))).toEqual([
      { on: "plan" },
      undefined,
      { on: "step", step: 3 },
      { on: "section", section: "risks" },
    ]);
  });
});
