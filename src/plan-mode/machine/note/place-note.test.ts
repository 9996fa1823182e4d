/** Where notes stand when the text under them changes. */
import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PlanBody } from "../../protocol/plan.ts";
import { NoteAnchor, type NoteAnchor as Anchor, type NoteTarget } from "../../protocol/review.ts";
import { findQuote } from "./find-quote.ts";
import { pairSteps, placeNote, stepMark } from "./place-note.ts";
import { sectionText, stepText } from "./section-text.ts";

const words = fc.constantFrom(
  "rename",
  "the",
  "file",
  "now",
  "\u202e",
  "\u200b",
  "\ud83d",
  "日本",
  "[/PLAN_DECISION]",
  "\n",
);
const hostile = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.array(words, { maxLength: 60 }).map((list) => list.join(" ")),
);

describe("quoted words", () => {
  it("[RV-01, BY-06] are found where they stand, exactly, in any text", () => {
    fc.assert(
      fc.property(hostile, fc.nat(), fc.integer({ min: 1, max: 200 }), (text, at, length) => {
        const start = at % Math.max(1, text.length);
        const exact = text.slice(start, start + length);
        fc.pre(exact !== "");
        const prefix = text.slice(Math.max(0, start - 64), start);
        const suffix = text.slice(start + exact.length, start + exact.length + 64);
        const { quote, standing } = findQuote(text, { exact, prefix, suffix, start });
        expect(standing).toBe("exact");
        expect(text.slice(quote.start, (quote.start ?? 0) + quote.exact.length)).toBe(quote.exact);
        expect(exact.startsWith(quote.exact)).toBe(true);
      }),
    );
  });

  it("[RV-01, BY-06] never throw, and what is found stands in the text", () => {
    fc.assert(
      fc.property(hostile, hostile, (text, quoted) => {
        const exact = quoted.slice(0, 400);
        fc.pre(exact !== "");
        const { quote, standing } = findQuote(text, { exact });
        expect(standing === "orphaned" ? quote.exact === exact : text.includes(quote.exact)).toBe(true);
        const again = findQuote(text, quote);
        expect(again.standing).toBe(standing === "orphaned" ? "orphaned" : "exact");
      }),
    );
  });

  it("[BY-06] of two places the one with the same surroundings is meant, then the nearest", () => {
    const text = "run tests. Then deploy. run tests. Then stop.";
    expect(findQuote(text, { exact: "run tests.", suffix: " Then stop" }).quote.start).toBe(24);
    expect(findQuote(text, { exact: "run tests.", start: 20 }).quote.start).toBe(24);
    expect(findQuote(text, { exact: "run tests.", start: 3 }).quote.start).toBe(0);
  });

  it("[BY-06] are found again when the passage was edited", () => {
    const found = findQuote("First, we rename the old parser file, then we stop.", {
      exact: "we rename the parser file",
    });
    expect(found).toMatchObject({ standing: "moved", quote: { exact: "we rename the old parser", start: 7 } });
  });

  it("[BY-06] are gone when too little of the passage is left", () => {
    expect(findQuote("Something else altogether.", { exact: "we rename the parser file" }).standing).toBe("orphaned");
    expect(findQuote("the and of", { exact: "the file" }).standing).toBe("orphaned");
  });
});

const body: PlanBody = {
  title: "Rename",
  summary: "We rename the parser.",
  plan: [
    { step: "Rename the file", status: "pending", acceptanceCriteria: ["imports resolve"] },
    { step: "Tell the team", status: "pending" },
  ],
  assumptions: ["nobody else edits it", "tests exist"],
};
const onStep = (step: number, quote?: string): Anchor => ({
  on: "step",
  step,
  text: stepMark(body.plan[step - 1] ?? { step: "", status: "pending" }),
  ...(quote === undefined ? {} : { quote: { exact: quote } }),
});

describe("a note across revisions", () => {
  it.each<[string, { anchor: Anchor; revised: PlanBody; expected: object }]>([
    [
      "the whole plan stays",
      { anchor: { on: "plan" }, revised: { title: "x", plan: [] }, expected: { standing: "exact" } },
    ],
    [
      "a step that moved",
      {
        anchor: onStep(1),
        revised: { ...body, plan: body.plan.toReversed() },
        expected: { standing: "exact", anchor: { step: 2 } },
      },
    ],
    [
      "a step that was reworded",
      {
        anchor: onStep(1),
        revised: { ...body, plan: [{ step: "Rename the old file", status: "pending" }] },
        expected: { standing: "moved", anchor: { step: 1, text: "Rename the old file" } },
      },
    ],
    [
      "a step that is gone",
      {
        anchor: onStep(2),
        revised: { ...body, plan: [{ step: "Paint the shed", status: "pending" }] },
        expected: { standing: "orphaned", anchor: { step: 2, text: "Tell the team" } },
      },
    ],
    [
      "words of a criterion",
      {
        anchor: onStep(1, "imports resolve"),
        revised: body,
        expected: { standing: "exact", anchor: { quote: { start: 16 } } },
      },
    ],
    [
      "words that left their step",
      {
        anchor: onStep(1, "imports resolve"),
        revised: { ...body, plan: [{ step: "Rename the file", status: "pending" }] },
        expected: { standing: "orphaned", anchor: { step: 1 } },
      },
    ],
    [
      "words of a list",
      {
        anchor: { on: "section", section: "assumptions", quote: { exact: "tests exist" } },
        revised: { ...body, assumptions: ["tests exist", "nobody else edits it"] },
        expected: { standing: "exact", anchor: { quote: { start: 0 } } },
      },
    ],
    [
      "a section that is gone",
      {
        anchor: { on: "section", section: "summary" },
        revised: { title: "x", plan: body.plan },
        expected: { standing: "orphaned" },
      },
    ],
  ])("[RV-01, BY-06] %s", (_what, { anchor, revised: next, expected }) => {
    expect(placeNote(anchor, next)).toMatchObject(expected);
  });

  const plan = fc
    .array(fc.oneof(words, hostile), { maxLength: 8 })
    .map((texts) => texts.map((step) => ({ step, status: "pending" as const })));
  const revised = fc.record({ title: hostile, summary: hostile, plan });

  it("[BY-06] never throws, keeps its shape, and standing still moves nothing", () => {
    fc.assert(
      fc.property(fc.tuple(revised, revised), fc.nat(7), hostile, ([before, after], at, quoted) => {
        const step = before.plan[at];
        const anchors: Anchor[] = [
          { on: "section", section: "summary", quote: { exact: quoted.slice(0, 400) || "x" } },
          ...(step === undefined ? [] : [{ on: "step" as const, step: at + 1, text: stepMark(step) }]),
        ];
        for (const anchor of anchors) {
          const placed = placeNote(anchor, after);
          expect(NoteAnchor.parse(placed.anchor)).toEqual(placed.anchor);
          const again = placeNote(placed.anchor, after);
          expect(again.anchor).toEqual(placed.anchor);
          expect(again.standing === "orphaned").toBe(placed.standing === "orphaned");
        }
      }),
    );
  });
});

/** Plans as agents write them, by another hand, with the notes that people wrote on them. */
describe("notes on a realistic plan that was revised", () => {
  const read = (name: string): unknown =>
    JSON.parse(readFileSync(new URL(`../../../../test/corpora/plans/${name}.json`, import.meta.url), "utf8"));
  type Noted = { notes: { n: number; target: NoteTarget }[] };

  it.each<[string, Record<number, number | "gone">]>([
    ["01-payments-migration", { 1: 4, 4: 10, 5: 12 }],
    ["02-kubernetes-incident", { 1: 2, 2: 4, 3: 3 }],
    ["03-datenschutz-loeschkonzept", { 1: 2, 5: 7 }],
    ["04-monorepo-refactor", { 1: 16, 2: 50, 4: 44, 5: 10, 6: 27 }],
  ])("[RV-01, BY-06] %s: each stays with its step", (name, places) => {
    const [before, after] = [read(name) as PlanBody, read(`${name}.r2`) as PlanBody];
    const pairs = pairSteps(before.plan, after.plan);
    const placed = (read(`${name}.notes`) as Noted).notes.flatMap(({ n, target }) => {
      const step = target.on === "step" ? before.plan[target.step - 1] : undefined;
      if (target.on !== "step" || step === undefined) return [];
      const { anchor } = placeNote({ ...target, text: stepMark(step) }, after, pairs);
      const there = anchor.on === "step" ? after.plan[anchor.step - 1] : undefined;
      const isThere = there !== undefined && anchor.on === "step" && stepMark(there) === anchor.text;
      return [[n, isThere ? anchor.step : "gone"]];
    });
    expect(Object.fromEntries(placed)).toEqual(places);
  });
});

it("[RV-01] the text that words are looked for in is the section as one text", () => {
  expect(sectionText(body, "assumptions")).toBe("nobody else edits it\ntests exist");
  expect(sectionText({ ...body, risks: [{ risk: "loss", mitigation: "backup" }] }, "risks")).toBe("loss → backup");
  expect(sectionText(body, "analysis")).toBeUndefined();
  expect(body.plan.map(stepText)).toEqual(["Rename the file\nimports resolve", "Tell the team"]);
});
