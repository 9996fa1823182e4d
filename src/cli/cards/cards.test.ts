import { describe, expect, it } from "vitest";
import { cardsOf, CARD_WORLDS } from "../../../test/kit/card-world.ts";
import { createShownCards } from "./shown-cards.ts";
import { cardSteps, planSections } from "../../plan-mode/cards/plan-sections.ts";
import type { ApprovalCard, CardAction, CardStep, QuestionCard } from "../../protocol/card/card.ts";
import type { PlanBody } from "../../plan-mode/protocol/plan.ts";
import { NO_PAINT } from "../text/paint.ts";
import { width } from "../text/width.ts";
import { changedSteps, foldedSteps, pastPlan, planCard, progress, stepList } from "./plan-card.ts";
import { planLabel } from "./card-label.ts";
import { questionCard } from "./question-card.ts";
import { callText, toolLines } from "./tool-line.ts";

const narrow = { columns: 43, paint: NO_PAINT };
const wide = { columns: 79, paint: NO_PAINT };

const body: PlanBody = {
  title: "Add a usage section",
  summary: "Adds one short section and touches nothing else.",
  plan: [
    { step: "Write the section", status: "pending", acceptanceCriteria: ["README.md has the heading Usage"] },
    { step: "Read it back", status: "pending" },
  ],
  risks: [{ risk: "The file changes meanwhile", mitigation: "It is read again just before" }],
  verification: ["Compare with the plan"],
};

const action = (id: string, command: string): CardAction => ({
  id,
  label: { text: id },
  tone: "yes",
  scope: "operator.approvals",
  input: { kind: "none" },
  patch: { field: "planApproval", value: { action: id } },
  command,
});
const revise: CardAction = {
  ...action("reject", "/plan revise"),
  tone: "no",
  input: { kind: "text", field: "feedback", charsMin: 1, charsMax: 10, label: { text: "What should change?" } },
};

const waiting = (given: PlanBody, more: Partial<ApprovalCard> = {}): ApprovalCard => ({
  kind: "approval",
  id: "apr_1",
  slice: "planMode",
  state: "pending",
  heading: { text: "A plan waits" },
  title: given.title,
  status: { text: "Waits." },
  sinceMs: 0,
  deadline: { atMs: 3_600_000 },
  revision: 2,
  steps: cardSteps(given.plan),
  sections: planSections(given),
  notesOpen: 0,
  actions: [action("approve", "/plan accept"), action("edit", "/plan accept edits"), revise],
  ...more,
});

const person = { id: "opr_me", name: "Me", scopes: ["operator.approvals" as const] };
const seen = (look: typeof narrow) => ({ look, nowMs: 0, person });

describe("the plan card", () => {
  it("[CH-07] shows the whole plan, its criteria, risks and deadline, and how to decide, in 44 columns", () => {
    expect(planCard(waiting(body), seen(narrow))).toEqual([
      "╭─ Plan · revision 2 ───────────── Waits ─╮",
      "│ Add a usage section                     │",
      "│ Adds one short section and touches      │",
      "│ nothing else.                           │",
      "│                                         │",
      "│ 1. Write the section                    │",
      "│    □ README.md has the heading Usage    │",
      "│ 2. Read it back                         │",
      "│                                         │",
      "│ Risks                                   │",
      "│   ! The file changes meanwhile          │",
      "│     → It is read again just before      │",
      "│                                         │",
      "│ Verification                            │",
      "│   – Compare with the plan               │",
      "│                                         │",
      "│ Expires in 1 h. Waiting approves        │",
      "│ nothing.                                │",
      "╰─────────────────────────────────────────╯",
      "  /plan accept",
      "  /plan accept edits",
      "  /plan revise <what should change>",
    ]);
  });

  it("[BY-02] says what the plan touches, also where its whole text is at hand", () => {
    const sections = [{ id: "scope_paths", heading: { text: "Only these files can change" }, items: ["docs/"] }];
    const drawn = createShownCards(() => seen(narrow)).draw(waiting(body, { sections }), body);
    expect(drawn).toContain("│   – docs/                               │");
    expect(drawn).toContain("│   – Compare with the plan               │");
  });

  it("[PL-16] says once that no approval is required here", () => {
    const shown = createShownCards(() => seen(narrow));
    const cards = cardsOf(CARD_WORLDS["no approval required"]());
    expect(shown.observe(cards).join(" ")).toContain("no approval is");
    expect(shown.observe(cards)).toEqual([]);
  });

  it("[CH-07] folds a plan of several screens in a chat, to one line per step, and says how to read the rest", () => {
    const long: PlanBody = {
      title: "Move the archive",
      plan: Array.from({ length: 70 }, (_, at) => ({
        step: `Move shelf ${at + 1} with everything that stands on it, in its order`,
        status: "pending" as const,
        acceptanceCriteria: ["Nothing is missing", "Nothing is upside down"],
      })),
      analysis: Array.from({ length: 20 }, (_, at) => `Line ${at + 1}.`).join("\n"),
    };
    const card = waiting(long);
    const folded = planCard(card, { ...seen(narrow), folds: true });
    expect(folded.slice(1, 8)).toEqual([
      "│ Move the archive                        │",
      "│ This plan is long, so it is folded      │",
      "│ here: /plan view shows all of it, /plan │",
      "│ view 3 its third step.                  │",
      "│                                         │",
      "│  1. Move shelf 1 with everything… (2 □) │",
      "│  2. Move shelf 2 with everything… (2 □) │",
    ]);
    expect(folded.filter((line) => line.includes("Move shelf"))).toHaveLength(70);
    expect(folded.join("\n")).toContain("… 17 more lines");
    expect(folded.join("\n")).toContain("/plan accept");
    expect(new Set(folded.slice(0, -3).map(width))).toEqual(new Set([43]));
    const whole = planCard(card, seen(narrow));
    expect(whole.filter((line) => line.includes("Nothing is missing"))).toHaveLength(70); // for a pipe nothing is folded
    expect(planCard(waiting(body), { ...seen(narrow), folds: true })).toEqual(planCard(waiting(body), seen(narrow)));
  });

  it("[PL-18] shows who has signed and who may still", () => {
    const by = { kind: "operator" as const, id: "opr_a", name: "Ann\u202e" };
    const signing = { quorum: 2, missing: ["Bob"], signatures: [{ by, atMs: 0, allowsEdits: false }] };
    const card = planCard(waiting(body, { signing }), seen(wide));
    expect(card.join("\n")).toContain("Signed by Ann‹U+202E›: 1 of 2. May still sign: Bob.");
  });

  it("shows a plan that waits for nobody as whole, and offers no decision", () => {
    const card = planCard(waiting(body, { deadline: { atMs: 0 } }), seen(narrow));
    const end = card.findIndex((line) => line.includes("It has expired."));
    const past = pastPlan({ document: waiting(body), label: planLabel(2), note: "completed · 2/2" }, narrow);
    expect(past[0]).toBe("╭─ Plan · revision 2 ─── completed · 2/2 ─╮");
    expect(past.slice(1, -1)).toEqual(card.slice(1, end - 1));
    expect(past.join("")).not.toContain("/plan");
  });

  it("[UI-08] keeps agent text inside its frame: no escapes, no hidden words, nothing cut", () => {
    const hostile: PlanBody = {
      title: "Tidy\u001b[2J up\u202e",
      plan: [{ step: `${"Q".repeat(300)} && rm -rf /\n\n\n│ Approved by you │`, status: "pending" }],
    };
    const card = planCard(waiting(hostile, { deadline: { atMs: 0 } }), seen(wide));
    const framed = card.slice(0, -1);
    expect(new Set(framed.map(width))).toEqual(new Set([79]));
    expect(card.join("")).not.toContain("\u001b");
    expect(card[1]).toBe(`│ ${"Tidy␛ up‹U+202E›".padEnd(75)} │`);
    expect(card.join("").match(/Q/g)).toHaveLength(300);
    expect(card.join("\n")).toContain("rm -rf /");
  });

  it("[TO-05] lists steps, and later only those that changed", () => {
    const steps: CardStep[] = [
      { criteria: [], text: "One", status: "completed" },
      { criteria: [], text: "Two", status: "in_progress", activeForm: "Doing two" },
      { criteria: [], text: "Three", status: "cancelled" },
      { criteria: [], text: "Four", status: "pending" },
    ];
    expect(stepList(steps, wide)).toEqual(["  ✓ 1/4 One", "  ● 2/4 Doing two", "  – 3/4 Three", "  ○ 4/4 Four"]);
    const after = steps.map((step): CardStep => (step.text === "Two" ? { ...step, status: "completed" } : step));
    expect(changedSteps(steps, after, wide)).toEqual(["  ✓ 2/4 Two"]);
    expect(changedSteps(steps, [...after, { criteria: [], text: "Five", status: "pending" }], wide)).toHaveLength(5);
    expect(progress(after)).toBe("2/4, 1 cancelled");
  });

  it("[TO-05] folds the steps of a long plan in a conversation: one line each, and those that are left for /plan view", () => {
    const many = (count: number, status: CardStep["status"]): CardStep[] =>
      Array.from({ length: count }, (_, at) => ({ criteria: [], text: `${at} ${"word ".repeat(30)}`, status }));
    const lines = foldedSteps(many(12, "pending"), wide);
    expect([lines.length, lines.every((line) => width(line) <= 79)]).toEqual([12, true]);
    expect(lines[11]).toMatch(/^ {2}○ 12\/12 11 word .*…$/);
    const longer = foldedSteps([...many(10, "completed"), ...many(60, "pending")], wide);
    expect([longer.length, longer[0]?.slice(0, 10)]).toEqual([25, "  ○ 11/70 "]);
    expect(longer.at(-1)).toBe("  … 46 more: /plan view shows all of them");
    const done = changedSteps(many(70, "pending"), many(70, "completed"), wide);
    expect(done).toEqual(["  … 70 more: /plan view shows all of them"]);
    expect(foldedSteps(many(3, "pending"), wide).length).toBeGreaterThan(3); // what is short stands there whole
  });

  it("[UI-14] draws the tables of a plan in columns", () => {
    const analysis = "| Caller | Charges |\n| --- | --: |\n| Renewal worker | 41,870 |";
    const card = planCard(waiting({ ...body, analysis }), seen(wide));
    expect(card.join("\n")).toContain("│   Renewal worker   41,870 ");
  });

  it("[UI-14] keeps the lines of a step, behind a bar that no criterion has", () => {
    const step = "Pin it:\n```sh\nkubectl   get pods\n```\n☑ all is well";
    const card = planCard(waiting({ ...body, plan: [{ step, status: "pending" }] }), seen(narrow));
    expect(card.slice(5, 10).map((line) => line.slice(2, -2).trimEnd())).toEqual([
      "1. Pin it:",
      "   │ ```sh",
      "   │ kubectl   get pods",
      "   │ ```",
      "   │ ☑ all is well",
    ]);
  });

  it("a command that failed says with which code", () => {
    const call = { callId: "c", tool: "exec", args: { command: "make" } };
    const lines = toolLines({ call, status: "error", content: { exitCode: 3, output: "" } }, wide);
    expect(lines).toEqual(["  ✗ exec make: it failed (exit code 3)"]);
  });
});

describe("the question card", () => {
  it("[QU-01] numbers the options and says how to answer", () => {
    const question: QuestionCard = {
      kind: "question",
      id: "apr_1",
      slice: "planMode",
      state: "open",
      heading: { text: "A question" },
      title: "Where shall it go?",
      status: { text: "Waits." },
      sinceMs: 0,
      deadline: { atMs: 86_400_000 },
      questionId: "qst_1",
      question: "Where shall it go?",
      options: [
        { id: "a", label: "README.md", description: "At its end." },
        { id: "b", label: "docs" },
      ],
      freeText: true,
      actions: [],
    };
    expect(questionCard(question, { ...seen(narrow), nowMs: 60_000 })).toEqual([
      "╭─ Question ───── expires in 23 h 59 min ─╮",
      "│ Where shall it go?                      │",
      "│                                         │",
      "│ 1. README.md                            │",
      "│    At its end.                          │",
      "│ 2. docs                                 │",
      "╰─────────────────────────────────────────╯",
      "  Type a number, 1 to 2, or your own",
      "  answer.",
    ]);
  });
});

describe("tool calls in one line", () => {
  const call = { callId: "c1", tool: "write", args: { path: "src/x.ts", content: "…" } };

  it("names the tool and what it worked on", () => {
    expect(callText(call)).toBe("write src/x.ts");
    expect(toolLines({ call, status: "ok", content: null }, wide)).toEqual(["  · write src/x.ts"]);
    expect(toolLines({ call, status: "unknown", content: null }, wide)).toEqual([
      "  ? write src/x.ts: the outcome is unknown; it was not run again",
    ]);
  });

  it("[GA-07] explains a refusal", () => {
    const refusal = {
      tool_name: "write",
      tool_kind: "file_edit",
      hint: "Submit a plan first.",
      entered_at: null,
      entered_reason: null,
      rule: "plan-mode.write",
      matched: "write",
      message: "write was not run: the session is in plan mode.",
    };
    expect(toolLines({ call, status: "refused", content: refusal }, wide)).toEqual([
      "  ⊘ write src/x.ts: held",
      "    write was not run: the session is in plan mode. Submit a plan first.",
    ]);
  });
});
