/** Documents that leave the house: complete, harmless, and plain about what cannot be seen. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ApprovalId, CycleId, NoteId, PlanId, SessionId } from "../../../protocol/ids.ts";
import type { PlanBody } from "../../protocol/plan.ts";
import type { Note } from "../../protocol/review.ts";
import type { ExportedPlan } from "./exported-plan.ts";
import { EXPORT_CSP, planHtml } from "./plan-html.ts";
import { planMarkdown } from "./plan-markdown.ts";

const by = (name: string) => ({ kind: "operator" as const, id: "opr_a", name });

function exported(text: string): ExportedPlan {
  const body: PlanBody = {
    title: text,
    summary: text,
    analysis: text,
    plan: [{ step: text, status: "in_progress", acceptanceCriteria: [text], verifiedCriteria: [text] }],
    assumptions: [text],
    risks: [{ risk: text, mitigation: text }],
    verification: [text],
    references: [text],
  };
  const planId = PlanId.parse("pln_1");
  const approvalId = ApprovalId.parse("apr_1");
  const note: Note = {
    id: NoteId.parse("nte_1"),
    n: 1,
    kind: "change",
    anchor: { on: "section", section: "summary", quote: { exact: text } },
    standing: "exact",
    text,
    by: by(text),
    atMs: 0,
    planId,
    revision: 1,
    replies: [{ by: by(text), atMs: 0, text }],
    resolved: { by: by(text), atMs: 0 },
  };
  return {
    plan: {
      planId,
      sessionId: SessionId.parse("ses_1"),
      cycleId: CycleId.parse("cyc_1"),
      approvalId,
      revision: 1,
      digest: "d",
      submittedAtMs: 0,
      author: by(text),
      body,
    },
    notes: [note],
    decisions: [
      { type: "decided", planId, approvalId, digest: "d", decision: "rejected", by: by(text), feedback: text, atMs: 0 },
    ],
  };
}

const corpus = (name: string): string[] =>
  readFileSync(new URL(`../../../../test/corpora/${name}`, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line): { text: string } => JSON.parse(line))
    .map(({ text }) => text);

const MARKUP = [
  "<script>alert(1)</script>",
  `"><img src=x onerror=alert(1)>`,
  "</title><script>1</script>",
  "</style><svg onload=1>",
  "javascript:alert(1)",
  `' onmouseover='x`,
  "&lt;b&gt; &amp; &#x3c;script",
  "<!--",
  "]]>",
  ...corpus("envelope.jsonl"),
];
/** Tags and attributes of our own page, whatever the plan says, without those that its Markdown may add. */
const skeletonOf = (html: string): string[] => (html.match(/<[^>]*>/g) ?? []).filter((tag) => !OF_MARKDOWN.test(tag));
const OF_MARKDOWN =
  /^<(?:\/?(?:code|strong|em|del|pre|h[3-6]|p|blockquote)|p class="text"|\/?span|ul class="marked"|li class="d\d"|\/(?:ul|li|div)|div class="wide"|\/a|a href="(?:https?:|mailto:)[^"<>]*" rel="noopener noreferrer nofollow")>$/;

describe("the page", () => {
  it.each(MARKUP.map((text) => [text]))(
    "[RV-03, UI-08] %j adds no tag and no attribute to it but those of Markdown",
    (text) => {
      expect(skeletonOf(planHtml(exported(text)))).toEqual(skeletonOf(planHtml(exported("plain"))));
    },
  );

  it("[RV-03, UI-08] shows what hides or reorders", () => {
    const html = planHtml(exported("a\u202eb\u200bc\u0000\u2066"));
    expect(html).toContain("a‹U+202E›b‹U+200B›c‹U+0000›‹U+2066›");
    expect(["\u202e", "\u200b", "\u0000", "\u2066"].filter((hidden) => html.includes(hidden))).toEqual([]);
  });

  it("[RV-03] runs nothing, loads nothing, asks not to be indexed, and can be printed", () => {
    const html = planHtml(exported("plain"));
    expect(html).toContain(`<meta http-equiv="Content-Security-Policy" content="${EXPORT_CSP}">`);
    expect(EXPORT_CSP).toContain("default-src 'none'");
    expect(html).toContain('name="robots" content="noindex');
    expect(html).toContain("@media print");
    expect(html).not.toMatch(/<script|<link|<img|<iframe|src=|href=|url\(/i);
  });

  it("[RV-03] holds every section, note and decision", () => {
    const titles = [...planHtml(exported("plain")).matchAll(/<h2>([^<]*)<\/h2>/g)].map(([, title]) => title);
    expect(titles).toEqual([
      "Summary",
      "Analysis",
      "Steps (0/1 done)",
      "Assumptions",
      "Risks",
      "Verification",
      "References",
      "Decisions",
      "Notes",
    ]);
  });
});

describe("the Markdown", () => {
  it("[RV-03, CH-06] has its sections in the order in which they are read, and leaves out empty ones", () => {
    const titles = (plan: ExportedPlan): string[] => planMarkdown(plan).match(/(?<=^## ).*/gm) ?? [];
    const whole = exported("plain");
    const { title, plan } = whole.plan.body;
    expect(titles(whole).slice(0, 7)).toEqual([
      "Summary",
      "Analysis",
      "Steps (0/1 done)",
      "Assumptions",
      "Risks",
      "Verification",
      "References",
    ]);
    const bare = { ...whole, notes: [], decisions: [], plan: { ...whole.plan, body: { title, plan } } };
    expect(titles(bare)).toEqual(["Steps (0/1 done)"]);
  });

  it("[BY-10, RV-03] of a plan whose session is gone says that nothing can be decided, and not how", () => {
    const { plan } = exported("plain");
    const signed = { type: "decided" as const, planId: plan.planId, approvalId: plan.approvalId, digest: "d", atMs: 0 };
    const gone = { plan, notes: [], sessionDeleted: true as const };
    for (const decisions of [[], [{ ...signed, decision: "signed" as const, by: by("A") }]]) {
      const markdown = planMarkdown({ ...gone, decisions });
      expect(markdown).toContain("Its session was deleted: nothing can be decided on this plan any more.");
      expect(markdown).not.toContain("/plan accept");
      expect(planHtml({ ...gone, decisions })).toContain(
        "Not decided; its session was deleted, so nothing can be decided any more.",
      );
    }
    const decided = exported("plain");
    expect(planMarkdown({ ...decided, sessionDeleted: true })).toBe(planMarkdown(decided));
  });

  it("[CH-06] says how to decide as long as nobody has", () => {
    const how = "Decide with /plan accept, /plan accept edits or /plan revise \\<feedback\\>.";
    const decided = exported("plain");
    expect(planMarkdown({ ...decided, decisions: [] }).split("\n")).toContain(how);
    expect(planMarkdown(decided)).not.toContain("/plan accept");
    expect(planMarkdown({ ...decided, decisions: [], progress: [] })).not.toContain("/plan accept");
  });

  it.each(["<script>alert(1)</script>", "# forged", "- [x] done", "](javascript:1)"])(
    "[RV-03] %j cannot pass for what the house writes",
    (text) => {
      const lines = planMarkdown(exported(text)).split("\n");
      expect(lines.filter((line) => line === text)).toEqual([]);
      expect(lines.filter((line) => line.startsWith("## "))).toHaveLength(9);
      expect(planMarkdown(exported(text))).not.toMatch(/(?<!\\)<script/);
    },
  );
});
