import { describe, expect, it } from "vitest";
import type { PlanStep } from "../../../src/plan-mode/protocol/plan.ts";
import { stepRanges } from "../decide/step-ranges.ts";
import { keysIn } from "./declared-fields.ts";
import { draftOf, edited, problemsOf, type StepDraft, type StepEdit, STEPS_MAX, stepsOf } from "./step-draft.ts";

const plan: PlanStep[] = [
  { step: "Read", status: "pending", activeForm: "Reading", acceptanceCriteria: ["all of it"] },
  { step: "Write", status: "pending" },
  { step: "Test", status: "pending" },
];
const after = (draft: StepDraft, ...edits: StepEdit[]): StepDraft => edits.reduce(edited, draft);
const words = (draft: StepDraft): string[] => draft.steps.map(({ text }) => text);
const keyOf = (draft: StepDraft, text: string): number => draft.steps.find((step) => step.text === text)?.key ?? -1;

describe("a draft of steps", () => {
  it("[PL-17] left alone is the plan as it was", () => {
    expect(stepsOf(draftOf(plan))).toEqual(plan);
  });

  it("[PL-17] can be changed, added to, taken from and put in another order", () => {
    const start = draftOf(plan);
    const [read, write] = [keyOf(start, "Read"), keyOf(start, "Write")];
    const draft = after(
      start,
      { type: "write", key: read, text: " Read everything " },
      { type: "remove", key: write },
      { type: "add", at: 0 },
      { type: "add-criterion", key: read },
      { type: "move", key: read, to: 99 },
    );
    const added = draft.steps[0]?.key ?? 0;
    const done = after(draft, { type: "write", key: added, text: "Begin" });
    expect(stepsOf(done)).toEqual([
      { step: "Begin", status: "pending" },
      { step: "Test", status: "pending" },
      { step: "Read everything", status: "pending", activeForm: "Reading", acceptanceCriteria: ["all of it"] },
    ]);
  });

  it("[PL-17] changes and removes criteria", () => {
    const start = draftOf(plan);
    const [step] = start.steps;
    const [criterion] = step?.criteria ?? [];
    const about = { key: step?.key ?? 0, criterion: criterion?.key ?? 0 };
    const changed = after(start, { type: "write-criterion", ...about, text: "each page" });
    expect(stepsOf(changed)[0]?.acceptanceCriteria).toEqual(["each page"]);
    expect(stepsOf(after(changed, { type: "remove-criterion", ...about }))[0]).not.toHaveProperty("acceptanceCriteria");
  });

  it("[PL-17] goes back and forth, typing in one field as one change", () => {
    const start = draftOf(plan);
    const key = keyOf(start, "Write");
    const typed = after(
      start,
      { type: "write", key, text: "W" },
      { type: "write", key, text: "Wx" },
      { type: "remove", key },
    );
    expect(words(after(typed, { type: "undo" }))).toEqual(["Read", "Wx", "Test"]);
    expect(words(after(typed, { type: "undo" }, { type: "undo" }))).toEqual(["Read", "Write", "Test"]);
    expect(words(after(typed, { type: "undo" }, { type: "undo" }, { type: "undo" }))).toEqual([
      "Read",
      "Write",
      "Test",
    ]);
    expect(words(after(typed, { type: "undo" }, { type: "redo" }))).toEqual(["Read", "Test"]);
  });

  it("[PL-17] undoes one drag over several places at once", () => {
    const start = draftOf(plan);
    const key = keyOf(start, "Read");
    const dragged = after(start, { type: "move", key, to: 1, hold: "d1" }, { type: "move", key, to: 2, hold: "d1" });
    expect(words(dragged)).toEqual(["Write", "Test", "Read"]);
    expect(words(after(dragged, { type: "undo" }))).toEqual(["Read", "Write", "Test"]);
  });

  it("[PL-17] gives every step a key of its own, also after going back", () => {
    const start = draftOf(plan);
    const draft = after(
      start,
      { type: "add", at: 0 },
      { type: "undo" },
      { type: "add", at: 3 },
      { type: "add", at: 3 },
    );
    expect(new Set(draft.steps.map(({ key }) => key)).size).toBe(5);
  });

  it("[PL-17] says where a step is empty or stands there twice, and holds no more than a plan may", () => {
    const start = draftOf(plan);
    const draft = after(
      start,
      { type: "write", key: keyOf(start, "Write"), text: "Read " },
      { type: "write", key: keyOf(start, "Test"), text: " " },
    );
    expect([...problemsOf(draft).values()]).toEqual(["twice", "empty"]);
    const full = draftOf(Array.from({ length: STEPS_MAX }, (_, n) => ({ step: `s${n}`, status: "pending" as const })));
    expect(after(full, { type: "add", at: 0 })).toBe(full);
  });

  it("[PL-17, BY-02] edits what a step touches, what it comes after, where people are asked, and what proves it", () => {
    const declaring: PlanStep[] = [
      { step: "Write", status: "pending", id: "w", scope: { paths: ["src/"], hosts: ["a.example"] } },
      {
        step: "Test",
        status: "pending",
        dependsOn: ["w"],
        acceptanceCriteria: ["it holds"],
        proof: [{ by: "command", command: "npm test", exitCode: 0, criterion: "it holds" }],
      },
      { step: "Ship", status: "pending" },
    ];
    const start = draftOf(declaring);
    expect(stepsOf(start)).toEqual(declaring);
    const [write, test, ship] = start.steps;
    if (write === undefined || test === undefined || ship === undefined) throw new Error("no steps");
    const draft = after(
      start,
      {
        type: "declare",
        key: write.key,
        declared: { scope: { ...write.declared.scope, paths: "src/\n docs/ \n", hosts: "" } },
      },
      { type: "declare", key: write.key, declared: { checkpoint: true } },
      { type: "declare", key: ship.key, declared: { after: [test.key, write.key] } },
      { type: "write-criterion", key: test.key, criterion: test.criteria[0]?.key ?? 0, text: "it works" },
    );
    expect(stepsOf(draft)).toEqual([
      { step: "Write", status: "pending", id: "w", scope: { paths: ["src/", "docs/"] }, checkpoint: true },
      {
        step: "Test",
        status: "pending",
        id: `step-${test.key}`,
        dependsOn: ["w"],
        acceptanceCriteria: ["it works"],
        proof: [{ by: "command", command: "npm test", exitCode: 0, criterion: "it works" }],
      },
      { step: "Ship", status: "pending", dependsOn: [`step-${test.key}`, "w"] },
    ]);
    const proof = { by: "person", subject: "", expected: "" } as const;
    const vouched = after(draft, { type: "prove", key: test.key, criterion: test.criteria[0]?.key ?? 0, proof });
    expect(stepsOf(vouched)[1]?.proof).toEqual([{ by: "person", criterion: "it works" }]);
    expect(stepsOf(after(vouched, { type: "remove", key: test.key }))[1]?.dependsOn).toEqual(["w"]);
    expect(stepsOf(after(vouched, { type: "undo" }))[1]?.proof).toMatchObject([{ by: "command" }]);
  });

  it("[BY-05] steps are named by ranges of their numbers", () => {
    expect([[1, 2, 3, 5], [2], []].map(stepRanges)).toEqual(["1–3, 5", "2", ""]);
  });

  it("[PL-17] only numbers of other steps are taken for what comes before", () => {
    expect(keysIn("1, 3-4 and 9", [11, 12, 13, 14], 13)).toEqual([11, 14]);
  });
});
