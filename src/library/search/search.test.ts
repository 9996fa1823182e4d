import { expect, it } from "vitest";
import { CycleId, PlanId, ApprovalId, SessionId } from "../../protocol/ids.ts";
import type { PlanBody, PlanRevision } from "../../plan-mode/protocol/plan.ts";
import type { PlanDecided } from "../../plan-mode/protocol/review.ts";
import { redactedPlan } from "../methods/redacted-plan.ts";
import { planTemplate } from "../methods/plan-template.ts";
import { parseQuery } from "./parse-query.ts";
import { entryTerms, planEntry, type PlanRecord } from "./plan-entry.ts";
import { termsOf } from "./terms.ts";

const body = (change: Partial<PlanBody> = {}): PlanBody => ({
  title: "Migrate the payments",
  plan: [{ step: "Change src/pay/index.ts", status: "pending", acceptanceCriteria: ["all tests pass"] }],
  ...change,
});
const alice = { kind: "operator", id: "opr_alice", name: "Alice Example" } as const;
const plan = (change: Partial<PlanBody> = {}): PlanRevision => ({
  planId: PlanId.parse("pln_1"),
  sessionId: SessionId.parse("ses_1"),
  cycleId: CycleId.parse("cyc_1"),
  approvalId: ApprovalId.parse("apr_1"),
  revision: 1,
  digest: "d",
  submittedAtMs: 5,
  body: body(change),
});
const decided = (decision: PlanDecided["decision"]): PlanDecided => ({
  type: "decided",
  planId: PlanId.parse("pln_1"),
  approvalId: ApprovalId.parse("apr_1"),
  digest: "d",
  decision,
  by: alice,
  atMs: 6,
});
const record = (change: Partial<PlanRecord> = {}): PlanRecord => ({
  plan: plan(),
  agentId: "main",
  isNewest: true,
  isPending: true,
  isSessionDeleted: false,
  decisions: [],
  notes: [],
  touched: [],
  file: null,
  added: { tags: [], links: [] },
  ...change,
});

/** Whether these words find the plan. */
function finds(query: string, given: PlanRecord = record()): boolean {
  const terms = new Set(entryTerms(planEntry(given), given.plan));
  const isThere = ({ term, isPrefix }: { term: string; isPrefix: boolean }): boolean =>
    terms.has(term) || (isPrefix && [...terms].some((one) => one.startsWith(term)));
  const wanted = parseQuery({ query });
  return wanted.length > 0 && wanted.every(isThere);
}

it("[BY-10] a long summary is cut behind a word, and says so", () => {
  const summaryOf = (summary: string) => planEntry(record({ plan: plan({ summary }) })).summary;
  expect(summaryOf("short")).toBe("short");
  expect(summaryOf("word ".repeat(100))).toMatch(/ word…$/);
  expect(summaryOf("x".repeat(400))).toHaveLength(300);
});

it("[PL-16, BY-01] tells a plan that a rule approved from one that a person did", () => {
  const rule = { kind: "policy", id: "auto", name: "plan auto on" } as const;
  const entryOf = (by: PlanDecided["by"]) => planEntry(record({ decisions: [{ ...decided("approved"), by }] }));
  expect([entryOf(rule).rule, entryOf(alice).rule, planEntry(record()).rule]).toEqual([
    "plan auto on",
    undefined,
    undefined,
  ]);
});

it("[BY-10] finds words however they are written, in every part of a plan and in every script", () => {
  expect([..."PAY pay paym MIGRATE".split(" "), "payments migrate", "tests"].map((query) => finds(query))).toEqual(
    Array<boolean>(6).fill(true),
  );
  expect([finds("refund"), finds("payments refund"), finds("")]).toEqual([false, false, false]);
  const zurich = record({ plan: plan({ title: "Zürich: Löschkonzept", summary: "決済の移行計画" }) });
  expect(["zurich", "losch", "ZÜRICH", "決済", "移行計画", "決"].map((query) => finds(query, zurich))).toEqual(
    Array<boolean>(6).fill(true),
  );
  expect(finds("計決", zurich)).toBe(false);
  const typed = record({ plan: plan({ title: "The constructor: rename it" }) });
  expect(finds("constructor:rename", typed)).toBe(true); // no filter, whatever objects inherit
  expect([...termsOf("हिन्दी text")]).toEqual(["हिन्दी", "text"]);
});

it("[BY-10] signs alone find nothing, rather than every plan", () => {
  expect(["*", "%", '"', '""', "🙂", "* %"].map((query) => finds(query))).toEqual(
    Array.from({ length: 6 }, () => false),
  );
  expect([parseQuery({ query: "" }), parseQuery({ query: "  " }), finds("* pay")]).toEqual([[], [], true]);
});

it("[BY-10] finds plans by tag, person, file, link and outcome", () => {
  const linked = record({
    plan: plan({
      summary: "For #billing, see https://github.com/acme/pay/issues/42 and acme/web#7",
      references: ["PAY-12"],
    }),
    decisions: [decided("approved")],
    touched: ["src/refund.ts"],
    added: { tags: ["q3"], links: ["https://gitlab.example/acme/pay/-/merge_requests/9"] },
  });
  const entry = planEntry(linked);
  expect(entry).toMatchObject({ tags: ["billing", "q3"], outcome: "approved", people: [{ id: "opr_alice" }] });
  expect(entry.files).toEqual(["src/refund.ts", "src/pay/index.ts"]);
  const found = [
    "tag:billing",
    "#q3",
    "person:alice",
    "by:exam",
    "person:opr_alice",
    "file:src/pay/index.ts",
    "file:index.ts",
    "file:./src/refund.ts",
    "#42",
    "issue:acme/pay#42",
    "acme/web#7",
    "link:PAY-12",
    "pr:!9",
    "status:approved",
    "agent:main",
    "tag:billing status:approved migrate",
  ];
  expect(found.filter((query) => !finds(query, linked))).toEqual([]);
  const missed = ["tag:sales", "person:bob", "file:ndex.ts", "#4", "status:rejected", "agent:other"];
  expect(missed.filter((query) => finds(query, linked))).toEqual([]);
});

it("[BY-10] says what became of a revision", () => {
  const outcome = (change: Partial<PlanRecord>): string => planEntry(record(change)).outcome;
  const steps = body().plan;
  expect([
    outcome({}),
    outcome({ isPending: false }),
    outcome({ isPending: false, isNewest: false }),
    outcome({ decisions: [decided("signed")] }),
    outcome({ decisions: [decided("edited")] }),
    outcome({ decisions: [decided("rejected"), decided("approved")] }),
    outcome({ decisions: [decided("timed_out")] }),
    outcome({ decisions: [decided("approved"), { ...decided("held"), steps: [2] }] }),
    outcome({ decisions: [decided("standing")] }),
    outcome({ decisions: [decided("approved")], progress: steps }),
    outcome({ progress: steps.map((step) => ({ ...step, status: "completed" as const })) }),
  ]).toEqual([
    "pending",
    "left",
    "superseded",
    "pending",
    "approved",
    "approved",
    "expired",
    "approved",
    "standing",
    "left",
    "completed",
  ]);
});

it("[BY-10] an export for others names no person, no secret, no mail and no home folder", () => {
  const secret = plan({
    summary: "Alice Example (alice@example.com) keeps it in /home/alice/pay; key s3cr3t",
    analysis: "malice exampled",
  });
  const document = { plan: { ...secret, author: alice }, notes: [], decisions: [decided("approved")] };
  const redacted = redactedPlan(document, (text) => text.replaceAll("s3cr3t", "[redacted]"));
  expect(redacted.plan.body.summary).toBe("person 1 ([mail]) keeps it in ~/pay; key [redacted]");
  expect(redacted.plan.body.analysis).toBe("malice exampled");
  expect(redacted.decisions[0]?.by).toEqual({ kind: "operator", id: "person 1", name: "person 1" });
  expect(JSON.stringify(redacted)).not.toMatch(/alice@|opr_|Alice|ses_1/);
});

it("[BY-10] a plan is reused as a request to plan anew, in which nothing is approved", () => {
  const { text } = planTemplate(plan());
  expect(text).toContain("1. Change src/pay/index.ts\n   - done when: all tests pass");
  expect(text).toContain("the earlier approval does not count");
});
