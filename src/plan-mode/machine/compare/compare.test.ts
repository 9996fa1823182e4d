/** Comparisons of texts and plans: whatever they hold, nothing is lost, nothing is invented, and it ends. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DiffPart, StepChange } from "../../protocol/plan-diff.ts";
import { ApprovalId, CycleId, NoteId, PlanId, SessionId } from "../../../protocol/ids.ts";
import type { PlanBody, PlanRevision, PlanStep } from "../../protocol/plan.ts";
import { type Note, type NoteAnchor, PlanDiff } from "../../protocol/review.ts";
import { blocksOf, compareBlocks } from "./compare-blocks.ts";
import { comparePlans } from "./compare-plans.ts";
import { compareSteps, isUnchanged } from "./compare-steps.ts";
import { textDiff } from "./text-diff.ts";
import { compareLines, unifiedText } from "./unified-text.ts";

const side = (parts: readonly DiffPart[], own: "added" | "removed"): string =>
  parts
    .filter(({ op }) => op === "same" || op === own)
    .map(({ text }) => text)
    .join("");

/** Words that repeat, hidden characters, halves of pairs, right-to-left marks, letters that spread when folded. */
const hostile = fc.oneof(
  fc.string({ unit: "binary" }),
  fc
    .array(
      fc.constantFrom(
        "rename",
        "the",
        "file",
        " ",
        "\n",
        "\u202e",
        "\u200b",
        "\ud83d",
        "İ",
        "ﬁ",
        "日本",
        "[/PLAN",
        "<b>",
      ),
    )
    .map((words) => words.join("")),
);
const stepsOf = (texts: readonly string[]): PlanStep[] => texts.map((step) => ({ step, status: "pending" }));
const line = fc.constantFrom(
  "Rename the file",
  "Rename the old file",
  "Tell the team",
  "Run tests",
  "x",
  "\u202e",
  "日本語",
);
const criteria = fc.option(fc.array(line, { maxLength: 3 }), { nil: undefined });
const step: fc.Arbitrary<PlanStep> = fc
  .record({ step: fc.oneof(line, hostile), criteria })
  .map(({ step: text, criteria: list }) => ({
    step: text,
    status: "pending",
    ...(list === undefined ? {} : { acceptanceCriteria: list }),
  }));
const steps = fc.array(step, { maxLength: 12 });

describe("two texts", () => {
  it("[RV-02] the parts are both texts, whatever they hold", () => {
    fc.assert(
      fc.property(hostile, hostile, (before, after) => {
        const parts = textDiff(before, after);
        expect([side(parts, "removed"), side(parts, "added")]).toEqual([before, after]);
        expect(parts.every(({ text }) => text !== "")).toBe(true);
      }),
    );
  });

  it("[RV-02] equal texts have no change, different ones do", () => {
    fc.assert(
      fc.property(hostile, hostile, (before, after) => {
        expect(textDiff(before, after).every(({ op }) => op === "same")).toBe(before === after);
      }),
    );
  });

  it("[RV-02] changes are told word by word", () => {
    expect(textDiff("Rename the file", "Rename the old file")).toEqual([
      { op: "same", text: "Rename the " },
      { op: "added", text: "old " },
      { op: "same", text: "file" },
    ]);
  });

  it("[RV-02] a sentence that was rewritten went and came as a whole, and the one beside it stays", () => {
    expect(
      textDiff(
        "Write the migration, with an index built concurrently. Then stop.",
        "Add the index in a **separate** file at 03:00 UTC. Then stop.",
      ),
    ).toEqual([
      { op: "removed", text: "Write the migration, with an index built concurrently. " },
      { op: "added", text: "Add the index in a **separate** file at 03:00 UTC. " },
      { op: "same", text: "Then stop." },
    ]);
  });

  it("[RV-02] [UI-14] no part begins or ends inside of code, bold words or a time of day", () => {
    expect(
      textDiff(
        "Run `pnpm lint` at 23:00 in **staging** before production",
        "Run `pnpm test` at 23:30 in **staging** before production",
      ),
    ).toEqual([
      { op: "same", text: "Run " },
      { op: "removed", text: "`pnpm lint` at 23:00" },
      { op: "added", text: "`pnpm test` at 23:30" },
      { op: "same", text: " in **staging** before production" },
    ]);
  });

  it("[RV-02] ends on long texts whose sentences are all alike and all different", () => {
    const many = (word: string): string => Array.from({ length: 2_000 }, (_, n) => `The ${word} is ${n}.`).join(" ");
    expect(textDiff(many("cat"), many("dog")).length).toBeGreaterThan(0);
  });

  it("[RV-02] texts with nothing in common count as rewritten", () => {
    const many = (word: string): string => Array.from({ length: 20_000 }, (_, n) => `${word}${n}`).join(" ");
    const parts = textDiff(many("a"), many("b"));
    expect(parts.map(({ op }) => op)).toEqual(["removed", "added"]);
  });
});

const numbers = (changes: readonly StepChange[], name: "from" | "to"): number[] =>
  changes.flatMap((change) => change[name] ?? []).toSorted((a, b) => a - b);
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

describe("two lists of steps", () => {
  it("[RV-02] every step of both stands in the comparison exactly once, in the newer order", () => {
    fc.assert(
      fc.property(steps, steps, (before, after) => {
        const changes = compareSteps(before, after);
        expect([numbers(changes, "from"), numbers(changes, "to")]).toEqual([upTo(before.length), upTo(after.length)]);
        expect(changes.flatMap(({ to }) => to ?? [])).toEqual(upTo(after.length));
      }),
    );
  });

  it("[RV-02] its texts are the texts of the steps, before and after", () => {
    fc.assert(
      fc.property(steps, steps, (before, after) => {
        const told = compareSteps(before, after).map(({ from, to, text }) => [
          from === null ? undefined : side(text, "removed"),
          to === null ? undefined : side(text, "added"),
        ]);
        const meant = compareSteps(before, after).map(({ from, to }) => [
          from === null ? undefined : before[from - 1]?.step.trim(),
          to === null ? undefined : after[to - 1]?.step.trim(),
        ]);
        expect(told).toEqual(meant);
      }),
    );
  });

  it("[RV-02] a list compared with itself has no change", () => {
    fc.assert(
      fc.property(steps, (same) => {
        expect(isUnchanged(compareSteps(same, structuredClone(same)))).toBe(true);
      }),
    );
  });

  it.each<[string, [before: string[], after: string[]], string[]]>([
    ["added", [["A"], ["A", "B"]], ["same 1>1", "added ->2"]],
    [
      "removed",
      [
        ["A", "B", "C"],
        ["A", "C"],
      ],
      ["same 1>1", "removed 2>-", "same 3>2"],
    ],
    ["changed", [["Rename the file"], ["Rename the old file"]], ["changed 1>1"]],
    [
      "moved",
      [
        ["A", "B", "C"],
        ["C", "A", "B"],
      ],
      ["same 3>1 moved", "same 1>2", "same 2>3"],
    ],
    ["replaced", [["Rename the file"], ["Buy paint"]], ["removed 1>-", "added ->1"]],
  ])("[RV-02] a step that was %s", (_what, [before, after], told) => {
    const lines = compareSteps(stepsOf(before), stepsOf(after)).map(
      ({ change, from, to, moved }) => `${change} ${from ?? "-"}>${to ?? "-"}${moved ? " moved" : ""}`,
    );
    expect(lines).toEqual(told);
  });

  it("[RV-02] criteria are compared one by one", () => {
    const before: PlanStep[] = [
      { step: "A", status: "pending", acceptanceCriteria: ["tests pass", "imports resolve"] },
    ];
    const after: PlanStep[] = [{ step: "A", status: "pending", acceptanceCriteria: ["all tests pass", "docs built"] }];
    expect(compareSteps(before, after)[0]).toMatchObject({
      change: "changed",
      criteria: [{ change: "changed" }, { change: "removed" }, { change: "added" }],
    });
  });

  it("[RV-02] progress is no change of a plan", () => {
    const before = stepsOf(["A"]);
    expect(isUnchanged(compareSteps(before, [{ step: "A", status: "completed" }]))).toBe(true);
  });

  it("[RV-02] ends on the largest plans with nothing in common", () => {
    const many = (word: string): PlanStep[] => stepsOf(Array.from({ length: 500 }, (_, n) => `${word} ${n} ${word}`));
    expect(compareSteps(many("a"), many("b"))).toHaveLength(1_000);
  });
});

describe("two Markdown texts", () => {
  const code = "```ts\nconst a = 1;\n\nconst b = 2;\n```";
  const table = "| Step | Days |\n| --- | ---: |\n| one | 1 |\n| two | 2 |";

  it("[RV-02] [UI-14] are blocks, and a blank line inside of code parts nothing", () => {
    expect(blocksOf(`# Why\n\nBecause.\n${code}\nAfter it.\n\n\n${table}\n`)).toEqual([
      "# Why",
      "Because.",
      code,
      "After it.",
      table,
    ]);
  });

  it("[RV-02] [UI-14] code and tables are compared by line, a paragraph that moved is told as moved", () => {
    const changes = compareBlocks(
      ["One paragraph here.", "Another one there.", code, table],
      [
        "Another one there.",
        "One paragraph here.",
        code.replace("2", "3"),
        table.replace("| two | 2 |", "| two | 5 |"),
      ],
    );
    expect(changes.map(({ change, moved }) => [change, moved])).toEqual([
      ["same", true],
      ["same", false],
      ["changed", false],
      ["changed", false],
    ]);
    expect(changes[2]?.text.filter(({ op }) => op !== "same")).toEqual([
      { op: "removed", text: "const b = 2;\n" },
      { op: "added", text: "const b = 3;\n" },
    ]);
    expect(changes[3]?.text.filter(({ op }) => op === "added")).toEqual([{ op: "added", text: "| two | 5 |\n" }]);
  });
});

describe("the raw form", () => {
  it("[RV-02] is unified text that names both sides", () => {
    const before = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
    const text = unifiedText(before, before.with(4, "five"), { from: "a", to: "b" });
    expect(text).toBe(
      ["--- a", "+++ b", "@@ -2,7 +2,7 @@", " 2", " 3", " 4", "-5", "+five", " 6", " 7", " 8"].join("\n"),
    );
    expect(unifiedText(before, before, { from: "a", to: "b" })).toBe("");
  });

  it("[RV-02] loses and invents no line", () => {
    const lines = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 20 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const told = compareLines(before, after);
        const of = (sign: "-" | "+") => told.filter((one) => one.sign !== sign).map(({ text }) => text);
        expect([of("+"), of("-")]).toEqual([before, after]);
      }),
    );
  });
});

const base: PlanBody = {
  title: "Rename",
  summary: "We rename the parser. Nothing else changes.",
  plan: [
    { step: "Rename the file", status: "pending" },
    { step: "Tell the team", status: "pending" },
  ],
  risks: [{ risk: "imports break", mitigation: "tests" }],
};
const revision = (body: PlanBody, n: number, addresses: string[] = []): PlanRevision => ({
  planId: PlanId.parse(`pln_${n}`),
  sessionId: SessionId.parse("ses_1"),
  cycleId: CycleId.parse("cyc_1"),
  approvalId: ApprovalId.parse(`apr_${n}`),
  revision: n,
  digest: "d",
  submittedAtMs: n,
  body,
  ...(addresses.length === 0 ? {} : { addresses: addresses.map((id) => NoteId.parse(id)) }),
});
const note = (n: number, anchor: NoteAnchor): Note => ({
  id: NoteId.parse(`nte_${n}`),
  n,
  kind: "change",
  anchor,
  standing: "exact",
  text: "please",
  by: { kind: "operator", id: "opr_a", name: "A" },
  atMs: n,
  planId: PlanId.parse("pln_1"),
  revision: 1,
  replies: [],
  resolved: null,
});
const onStep = (n: number): NoteAnchor => ({ on: "step", step: n, text: base.plan[n - 1]?.step ?? "" });

describe("which notes a change answers", () => {
  const after: PlanBody = {
    ...base,
    summary: "We rename the parser. Only the parser changes.",
    plan: [
      { step: "Rename the file and its test", status: "pending" },
      { step: "Tell the team", status: "pending" },
    ],
  };

  it("[RV-02, BY-06] by what the agent declared, and else by where the change lies", () => {
    const notes = [
      note(1, onStep(1)),
      note(2, onStep(2)),
      note(3, { on: "section", section: "summary", quote: { exact: "Nothing else changes" } }),
      note(4, { on: "section", section: "summary", quote: { exact: "rename the parser" } }),
      note(5, { on: "plan" }),
    ];
    const diff = comparePlans(revision(base, 1), revision(after, 2, ["nte_1", "nte_5"]), notes);
    expect({
      sections: diff.sections.map(({ section, change, answers }) => ({ section, change, answers })),
      steps: diff.steps.map(({ change, answers }) => ({ change, answers })),
      elsewhere: diff.declaredElsewhere,
    }).toEqual({
      sections: [{ section: "summary", change: "changed", answers: [{ noteId: "nte_3", n: 3, declared: false }] }],
      steps: [
        { change: "changed", answers: [{ noteId: "nte_1", n: 1, declared: true }] },
        { change: "same", answers: [] },
      ],
      elsewhere: [{ noteId: "nte_5", n: 5, declared: true }],
    });
  });

  it("[RV-02] a section that came or went is told as that", () => {
    const { risks: _none, ...without } = base;
    const tell = (from: PlanBody, to: PlanBody) =>
      comparePlans(revision(from, 1), revision(to, 2)).sections.map(({ section, change }) => `${change} ${section}`);
    expect([tell(without, base), tell(base, without)]).toEqual([["added risks"], ["removed risks"]]);
  });

  it("[RV-02] is data of one shape, whatever the plans hold", () => {
    const body = fc
      .record({ title: hostile, summary: fc.option(hostile, { nil: undefined }), plan: steps })
      .map(({ summary, ...rest }): PlanBody => ({ ...rest, ...(summary === undefined ? {} : { summary }) }));
    fc.assert(
      fc.property(body, body, (before, to) => {
        const diff = comparePlans(revision(before, 1), revision(to, 2), [note(1, onStep(1)), note(2, { on: "plan" })]);
        expect(PlanDiff.parse(diff)).toEqual(diff);
      }),
    );
  });
});
