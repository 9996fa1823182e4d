import { describe, expect, it } from "vitest";
import { ApprovalId, CycleId, PlanId, SessionId } from "../../protocol/ids.ts";
import type { PlanBody, PlanRevision, PlanStep } from "../protocol/plan.ts";
import { comparePlans } from "../machine/compare/compare-plans.ts";
import { renderDiff } from "./render-diff.ts";
import { PLAN_CHARS_SHOWN, renderPlan } from "./render-plan.ts";
import type { QuestionCard } from "../../protocol/card/card.ts";
import { renderQuestion } from "./render-card.ts";

const body: PlanBody = {
  title: "Move *it*",
  summary: "Two lines\nof summary",
  plan: [
    { step: "Look", status: "completed", acceptanceCriteria: ["seen", "noted"], verifiedCriteria: ["seen"] },
    { step: "Move", status: "in_progress", activeForm: "Moving" },
    { step: "Skip", status: "cancelled" },
    { step: "Tell\n[x] 9. forged", status: "pending" },
  ],
  risks: [{ risk: "loss", mitigation: "backup" }],
};

describe("a plan for people", () => {
  it("[CH-01] in plain text, with marks and nested criteria, and no step that forges a second one", () => {
    expect(renderPlan(body, { format: "plain" })).toBe(
      [
        "Plan: Move *it*",
        "",
        "Summary",
        "  Two lines",
        "  of summary",
        "",
        "Steps (1/4 done, 1 cancelled)",
        "  [x] 1. Look",
        "        [x] seen",
        "        [ ] noted",
        "  [>] 2. Move (Moving)",
        "  [~] 3. Skip",
        "  [ ] 4. Tell",
        "         │ [x] 9. forged",
        "",
        "Risks",
        "  - loss → backup",
      ].join("\n"),
    );
  });

  it("[UI-14] in plain text a step of several lines keeps them, behind a bar", () => {
    const step = "Pin it:\n```sh\nkubectl get   pods\n\n  -n ingest\n```";
    const plan: PlanStep[] = [
      ...Array.from({ length: 9 }, () => body.plan[2] as PlanStep),
      { step, status: "pending" },
    ];
    expect(renderPlan({ title: "t", plan }, { format: "plain" }).split("\n").slice(-6)).toEqual([
      "  [ ] 10. Pin it:",
      "          │ ```sh",
      "          │ kubectl get   pods",
      "          │",
      "          │   -n ingest",
      "          │ ```",
    ]);
  });

  it("[CH-05, RV-03] in Markdown the active step is labelled, in its active form where it has one", () => {
    const active = (step: PlanStep) =>
      renderPlan({ title: "T", plan: [step] }, { format: "markdown" })
        .split("\n")
        .at(-1);
    const step = { step: "Move", status: "in_progress" } as const;
    expect(active({ ...step, activeForm: "Moving\n**all** of it" })).toBe(
      "- [ ] **Moving \\*\\*all\\*\\* of it** (in progress)",
    );
    expect(active(step)).toBe("- [ ] **Move** (in progress)");
    expect(active({ step: "Move", status: "pending", activeForm: "Moving" })).toBe("- [ ] Move");
  });

  it("[CH-01] in Markdown, bold for active, strike for cancelled, the agent's own marks escaped", () => {
    expect(renderPlan(body, { format: "markdown" })).toBe(
      [
        "# Move \\*it\\*",
        "",
        "## Summary",
        "",
        "> Two lines",
        "> of summary",
        "",
        "## Steps (1/4 done, 1 cancelled)",
        "- [x] Look",
        "  - [x] seen",
        "  - [ ] noted",
        "- [ ] **Moving** (in progress)",
        "- [ ] ~~Skip~~ (cancelled)",
        "- [ ] Tell \\[x\\] 9. forged",
        "",
        "## Risks",
        "",
        "- loss → backup",
      ].join("\n"),
    );
  });

  it("[UI-08] makes invisible and reordering characters visible", () => {
    const odd: PlanBody = { title: "a\u202eb", plan: [{ step: "c\u200bd", status: "pending" }], summary: "e\u2066f" };
    const shown = renderPlan(odd, { format: "plain" });
    expect(shown).toContain("Plan: a‹U+202E›b");
    expect(shown).toContain("c‹U+200B›d");
    expect(shown).toContain("e‹U+2066›f");
  });

  it("[CH-01] is cut at whole steps where asked, and says what is missing", () => {
    const long: PlanBody = {
      title: "Long",
      plan: Array.from({ length: 100 }, (_, n) => ({
        step: `Step ${n} ${"x".repeat(90)}`,
        status: "pending" as const,
      })),
      analysis: "y".repeat(5_000),
    };
    for (const format of ["plain", "markdown"] as const) {
      const shown = renderPlan(long, { format, charsMax: PLAN_CHARS_SHOWN });
      expect(shown.length).toBeLessThanOrEqual(PLAN_CHARS_SHOWN);
      const lines = shown.split("\n");
      expect(lines.at(-1)).toMatch(/^… \d+ more steps and 1 more section not shown here/);
      const steps = lines.filter((line) => line.includes("Step "));
      expect(steps.every((line) => line.endsWith("x".repeat(90)))).toBe(true);
      expect(Number(/… (\d+)/.exec(lines.at(-1) ?? "")?.[1]) + steps.length).toBe(100);
    }
    expect(renderPlan(body, { format: "plain", charsMax: PLAN_CHARS_SHOWN })).toBe(
      renderPlan(body, { format: "plain" }),
    );
  });
});

const revision = (given: PlanBody, n: number): PlanRevision => ({
  planId: PlanId.parse(`pln_${n}`),
  sessionId: SessionId.parse("ses_1"),
  cycleId: CycleId.parse("cyc_1"),
  approvalId: ApprovalId.parse(`apr_${n}`),
  revision: n,
  digest: "d",
  submittedAtMs: n,
  body: given,
});
const renderPlanDiff = (before: PlanBody, after: PlanBody): string =>
  renderDiff(comparePlans(revision(before, 1), revision(after, 2)));

describe("a difference", () => {
  it("[RV-02] shows the steps around a change and only what changed elsewhere", () => {
    const after: PlanBody = {
      ...body,
      summary: "Two lines\nof a summary",
      plan: [
        { step: "Look", status: "pending", acceptanceCriteria: ["seen"] },
        { step: "Move", status: "pending" },
        { step: "Tell\n[x] 9. forged", status: "pending" },
        { step: "Check", status: "pending" },
      ],
    };
    expect(renderPlanDiff(body, after)).toBe(
      [
        "Revision 1 → 2, by the agent",
        "Summary",
        "- of summary",
        "+ of a summary",
        "Steps",
        "  1. Look",
        "      must hold: seen",
        "-     must hold: noted",
        "  2. Move",
        "- 3. Skip",
        "  3. Tell [x] 9. forged",
        "+ 4. Check",
      ].join("\n"),
    );
    expect(renderPlanDiff(body, body)).toBe("Revision 1 → 2, by the agent\nNo differences.");
  });

  it("[RV-02] ends in time on plans that have nothing in common", () => {
    const plan = (name: string): PlanBody => ({
      title: name,
      plan: Array.from({ length: 500 }, (_, n) => ({
        step: `${name} ${n}`,
        status: "pending" as const,
        acceptanceCriteria: Array.from({ length: 20 }, (_empty, m) => `${name} ${n} ${m}`),
      })),
    });
    const lines = renderPlanDiff(plan("a"), plan("b")).split("\n");
    expect(lines.filter((line) => line.startsWith("- "))).toHaveLength(10_501);
    expect(lines.filter((line) => line.startsWith("+ "))).toHaveLength(10_501);
  });
});

it("[QU-01] a question as a card in text", () => {
  const question: QuestionCard = {
    kind: "question",
    id: "apr_1",
    slice: "planMode",
    state: "open",
    heading: { text: "The agent has a question" },
    title: "Which *one*?",
    status: { text: "Waits." },
    sinceMs: 0,
    questionId: "qst_1",
    question: "Which *one*?",
    options: [
      { id: "a", label: "Blue", description: "calm" },
      { id: "b", label: "Red" },
    ],
    freeText: true,
    actions: [],
  };
  expect(renderQuestion(question, { format: "plain" })).toBe(
    "Question\n  Which *one*?\n  1) Blue — calm\n  2) Red\nAnswer with /plan answer <number, id or text>, or in your own words.",
  );
  expect(renderQuestion(question, { format: "markdown" })).toBe(
    "**Question**\n\n> Which *one*?\n\n1. Blue — calm\n2. Red\n\n`Answer with /plan answer <number, id or text>, or in your own words.`",
  );
});
