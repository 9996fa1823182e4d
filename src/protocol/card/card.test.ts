import { expect, it } from "vitest";
import { Scope } from "../actor.ts";
import { localized } from "../localized/localized-text.ts";
import { availabilityOf, patchOf } from "./availability.ts";
import {
  type ApprovalCard,
  approvalIn,
  askingIn,
  type Card,
  type CardAction,
  foremost,
  type NoticeCard,
  progressOf,
  shortDigest,
  shownDeadline,
  withSections,
} from "./card.ts";
import { covers, hasScope, type Person } from "./person.ts";

const base = {
  slice: "theirs",
  heading: { text: "Something waits" },
  title: "Paint",
  status: { text: "Waits." },
  sinceMs: 0,
  actions: [],
};
const approval = (id: string, more: Partial<ApprovalCard> = {}): ApprovalCard => ({
  ...base,
  kind: "approval",
  id,
  state: "pending",
  steps: [],
  notesOpen: 0,
  ...more,
});
const question: Card = {
  ...base,
  kind: "question",
  id: "q",
  state: "open",
  questionId: "q",
  question: "Which?",
  options: [],
  freeText: true,
};
const notice: NoticeCard = { ...base, kind: "notice", id: "n", state: "shown", level: "info" };

const yes: CardAction = {
  id: "yes",
  label: { text: "Yes" },
  tone: "yes",
  scope: "operator.approvals",
  input: { kind: "none" },
  patch: { field: "paint", value: { go: true } },
};
const ann: Person = { id: "opr_ann", name: "Ann", scopes: ["operator.approvals"] };

it("[UI-06] says why somebody may not in the words of the one table of them", () => {
  const why = (action: CardAction, card: Card, { person = ann, nowMs = 0 } = {}) => {
    const told = availabilityOf(card, action, { person, nowMs });
    return told.allowed ? undefined : told.why.text;
  };
  const late = { deadline: { atMs: 5 } };
  const words = [
    [
      why(yes, approval("a"), { person: { ...ann, scopes: [] } }),
      localized("cardNeedsScope", { scope: "operator.approvals" }),
    ],
    [why(yes, approval("a", late), { nowMs: 5 }), localized("cardTimedOut")],
    [why(yes, { ...question, ...late }, { nowMs: 5 }), localized("cardQuestionExpired")],
    [why({ ...yes, approvers: ["Bo", "opr_c"] }, approval("a")), localized("approversAre", { names: "Bo, opr_c" })],
    [
      why({ ...yes, signedBy: [{ kind: "operator", id: ann.id, name: ann.name }] }, approval("a")),
      localized("cardYouSigned"),
    ],
  ] as const;
  for (const [told, said] of words) expect(told).toEqual(said);
  expect(why(yes, approval("a", late), { nowMs: 4 })).toBeUndefined();
});

it("[PL-18] knows people by scope, id or name, however the name is written", () => {
  expect(
    ["operator.approvals", "opr_ann", " ANN ", "operator.write", "opr_bo", "Bo"].map((entry) => covers(entry, ann)),
  ).toEqual([true, true, true, false, false, false]);
  for (const scope of Scope.options) expect(covers(scope, { ...ann, scopes: ["operator.admin"] })).toBe(true);
  expect([hasScope([], "operator.read"), hasScope(["operator.write"], "operator.read")]).toEqual([false, true]);
});

it("[PL-10] puts what a person gave into the value that carries the action out", () => {
  const text = { kind: "text", field: "words", charsMin: 1, charsMax: 10, label: { text: "Why?" } } as const;
  expect(patchOf(yes, "ignored")).toEqual({ paint: { go: true } });
  expect(patchOf({ ...yes, input: text }, "blue")).toEqual({ paint: { go: true, words: "blue" } });
  expect(patchOf({ ...yes, input: text })).toEqual({ paint: { go: true } });
  expect(patchOf({ ...yes, input: text, patch: { field: "paint", value: null } }, "blue")).toEqual({ paint: "blue" });
});

it("[UI-02] shows what waits before what was decided, and a notice only beside", () => {
  const decided = approval("old", { state: "approved" });
  expect([foremost([notice, decided, question])?.id, foremost([notice, decided])?.id, foremost([notice])]).toEqual([
    "q",
    "old",
    undefined,
  ]);
  expect([approvalIn([decided, approval("new")])?.id, askingIn([decided, question])?.id, askingIn([decided])]).toEqual([
    "new",
    "q",
    undefined,
  ]);
});

it("[BY-07] stands still while somebody reads, and runs on afterwards", () => {
  const read = { atMs: 160_000, pausedUntilMs: 60_000 };
  expect(shownDeadline(read, 20_000)).toEqual({ untilMs: 120_000, paused: true });
  expect(shownDeadline(read, 40_000)).toEqual({ untilMs: 140_000, paused: true }); // 100 s left, as before
  expect(shownDeadline(read, 70_000)).toEqual({ untilMs: 160_000, paused: false });
  expect(shownDeadline({ atMs: 5 }, 0)).toEqual({ untilMs: 5, paused: false });
});

it("[UI-04] counts neither as done nor as work what was cancelled, and shortens a digest however it is prefixed", () => {
  const steps = [{ status: "completed" }, { status: "cancelled" }, { status: "pending" }] as const;
  expect(progressOf(steps)).toEqual({ done: 1, cancelled: 1, all: 3 });
  expect(["sha256:0123456789abcdef", "0123456789abcdef"].map(shortDigest)).toEqual(["0123456789ab", "0123456789ab"]);
});

it("[PG-03, PL-02] the plan is never a card of a plugin from outside, and the gateway's own come first", () => {
  const theirs = approval("theirs", { plugin: "lamp" });
  const plan = approval("plan");
  expect(approvalIn([theirs])).toBeUndefined();
  expect(approvalIn([theirs, plan])).toBe(plan);
  expect(foremost([theirs, plan])).toBe(plan);
  expect(foremost([theirs])).toBe(theirs);
});

it("[BY-02, BY-08] a card that is shown with the plan's text keeps what it carries itself", () => {
  const section = (id: string, text: string) => ({ id, heading: { text: id }, text });
  const card = approval("a", { sections: [section("scope_paths", "src/"), section("jobs", "a job")] });
  expect(withSections(card, [section("summary", "Short."), section("jobs", "a job, whole")]).sections).toEqual([
    section("summary", "Short."),
    section("jobs", "a job, whole"),
    section("scope_paths", "src/"),
  ]);
});
