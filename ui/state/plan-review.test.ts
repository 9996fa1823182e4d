/** A plan under review against a real gateway: what others write and decide is seen here. */
import { afterEach, expect, it } from "vitest";
import { connectHoldpoint } from "../../src/client/index.ts";
import { ApprovalId, type SessionId } from "../../src/protocol/ids.ts";
import { type ServedGateway, serveGateway, submitPlan } from "../../test/kit/served-gateway.ts";
import type { WireClient } from "../../test/kit/wire-client.ts";
import { type AppState, createAppState } from "./app-state.ts";
import { until } from "./cell.ts";
import { createPlanReview, type PlanReviewState, type ReadyReview } from "./plan-review.ts";

let gateway: ServedGateway;
const closing: (() => void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) close();
  await gateway.close();
});

async function world(): Promise<{ state: AppState; alice: WireClient; sessionId: SessionId; review: PlanReviewState }> {
  gateway = await serveGateway();
  const alice = await gateway.client();
  const token = await gateway.token();
  const state = createAppState(
    (onStatus) => connectHoldpoint({ url: gateway.url, token, clientName: "test", surface: "web", onStatus }),
    () => undefined,
  );
  const { session } = await alice.must("sessions.create", {});
  await state.open.open(session.id);
  const review = createPlanReview({ call: state.call, open: state.open }, session.id);
  closing.push(review.close, state.close);
  return { state, alice, sessionId: session.id, review };
}

const ready = async (review: PlanReviewState, is: (now: ReadyReview) => boolean): Promise<ReadyReview> => {
  const now = await until(review, (value) => value.status === "ready" && is(value));
  if (now.status !== "ready") throw new Error("not ready");
  return now;
};

it("[UI-05] a session without a plan has none, until one is submitted", async () => {
  const { review, sessionId } = await world();
  await until(review, ({ status }) => status === "none");
  await submitPlan(gateway, sessionId);
  expect((await ready(review, () => true)).shown.revision).toBe(1);
});

it("[UI-05, RV-02] follows the newest revision, and stays at an older one that somebody looks at", async () => {
  const { review, alice, sessionId } = await world();
  const first = ApprovalId.parse(await submitPlan(gateway, sessionId));
  await ready(review, ({ revisions }) => revisions.length === 1);
  const sendBack = (approvalId: ApprovalId) =>
    alice.must("sessions.patch", { sessionId, planApproval: { action: "reject", approvalId, feedback: "again" } });
  await sendBack(first);
  const second = ApprovalId.parse(await submitPlan(gateway, sessionId));
  const two = await ready(review, ({ revisions }) => revisions.length === 2);
  expect(two.shown.revision).toBe(2);
  review.show(two.revisions[0]?.planId ?? two.shown.planId);
  await sendBack(second);
  await submitPlan(gateway, sessionId);
  const three = await ready(review, ({ revisions }) => revisions.length === 3);
  expect(three.shown.revision).toBe(1);
  expect(three.decisions.map(({ decision }) => decision)).toEqual(["rejected", "rejected"]);
});

it("[UI-05, RV-02] reads a new revision alone: those before it never change", async () => {
  const { state, alice, sessionId } = await world();
  const first = ApprovalId.parse(await submitPlan(gateway, sessionId));
  const asked: string[] = [];
  const call: AppState["call"] = (method, params) => {
    asked.push(method);
    return state.call(method, params);
  };
  const review = createPlanReview({ call, open: state.open }, sessionId);
  closing.push(review.close);
  const one = await ready(review, ({ revisions }) => revisions.length === 1);
  asked.length = 0;
  const planApproval = { action: "reject" as const, approvalId: first, feedback: "again" };
  await alice.must("sessions.patch", { sessionId, planApproval });
  await submitPlan(gateway, sessionId);
  const two = await ready(review, ({ revisions }) => revisions.length === 2);
  expect([two.revisions[0], two.shown.revision]).toEqual([one.shown, 2]);
  expect(asked).toContain("plans.get");
  expect(asked).not.toContain("plans.revisions");
});

it("[UI-05] is settled when it shows what the session says", async () => {
  const { state, review, alice, sessionId } = await world();
  const first = ApprovalId.parse(await submitPlan(gateway, sessionId));
  await ready(review, ({ revisions }) => revisions.length === 1);
  const planApproval = { action: "reject" as const, approvalId: first, feedback: "again" };
  await alice.must("sessions.patch", { sessionId, planApproval });
  await submitPlan(gateway, sessionId);
  await until(state.open, (open) => {
    const now = open.status === "ready" ? open.plan?.now : undefined;
    return now !== undefined && "submission" in now && now.submission.revision === 2;
  });
  await review.settled();
  expect(review.get()).toMatchObject({ status: "ready", shown: { revision: 2 } });
});

it("[RV-01, BY-06] sees notes of others, their answers and when they are resolved", async () => {
  const { review, alice, sessionId } = await world();
  const approvalId = ApprovalId.parse(await submitPlan(gateway, sessionId));
  const planNote = { action: "add" as const, approvalId, anchor: { on: "plan" as const }, text: "Why?" };
  await alice.must("sessions.patch", { sessionId, planNote });
  const [note] = (await ready(review, ({ notes }) => notes.length === 1)).notes;
  if (note === undefined) throw new Error("no note");
  await alice.must("sessions.patch", { sessionId, planNote: { action: "reply", noteId: note.id, text: "Because." } });
  await ready(review, ({ notes }) => notes[0]?.replies.length === 1);
  await alice.must("sessions.patch", { sessionId, planNote: { action: "resolve", noteId: note.id } });
  const { notes } = await ready(review, ({ notes: now }) => now[0]?.resolved !== null);
  expect(notes).toMatchObject([
    { text: "Why?", replies: [{ text: "Because." }], resolved: { by: { kind: "operator" } } },
  ]);
});

it("[UI-05] shows the last plan also when nothing is planned any more", async () => {
  const { review, state, alice, sessionId } = await world();
  await submitPlan(gateway, sessionId);
  await ready(review, () => true);
  await alice.must("sessions.patch", { sessionId, planMode: "normal" });
  await until(state.open, (open) => open.status === "ready" && open.plan?.now.phase === "off");
  const late = createPlanReview({ call: state.call, open: state.open }, sessionId);
  closing.push(late.close);
  expect((await ready(late, () => true)).shown.revision).toBe(1);
});
