/** Before an approval the text that it approves is read back: it must be the one that was submitted, to the last step. */
import { describe, expect, it } from "vitest";
import { agent, alice, inPhase, otherBody, pendingApprovalId, planSession } from "../../../../test/kit/plan-session.ts";
import type { RestsOn } from "../../../plugins/sdk.ts";
import { Json, JsonObject } from "../../../protocol/json.ts";
import type { PlanBody } from "../../protocol/plan.ts";
import { planDigest } from "../../tools/plan-digest.ts";
import { submissionOf } from "../plan/cycle.ts";
import { restsOn } from "./rests-on.ts";

const body: PlanBody = {
  title: "Rename the parser",
  plan: [
    { step: "Rename the file", status: "pending" },
    { step: "Tell the team", status: "pending" },
  ],
};

/** A plan that waits, and the row that was stored for it. */
function submitted() {
  const session = planSession();
  session.must({ type: "enter", reason: "x" }, agent);
  const { artifacts } = session.must({ type: "submit", body, digest: planDigest(body) }, agent);
  const [row] = artifacts;
  if (row === undefined) throw new Error("nothing was stored");
  return { session, row: JsonObject.parse(row.body), digest: planDigest(body) };
}

const approving = (approvalId: string, action = "approve") => ({ type: "decide", approval: { action, approvalId } });
const named = (found: readonly RestsOn[]) => found.map(({ kind, id }) => `${kind} ${id}`);

describe("an approval", () => {
  it("[SC-04, I06] rests on the revision that waits, in whichever way it is given", () => {
    const { session } = submitted();
    const approvalId = pendingApprovalId(session);
    const { planId } = submissionOf(session.state()) ?? {};
    const edition = { action: "approve_edited", approvalId, digest: planDigest(body), steps: body.plan };
    for (const command of [
      approving(approvalId),
      approving(approvalId, "edit"),
      { type: "resolve", planId, decision: "approve" },
      { type: "approve-edition", approval: edition, base: body },
    ])
      expect(named(restsOn(session.state(), JsonObject.parse(JSON.parse(JSON.stringify(command)))))).toEqual([
        `plan ${planId}`,
      ]);
  });

  it("[SC-04] nothing else rests on it, so that people get rid of a plan whose text was altered", () => {
    const { session } = submitted();
    const approvalId = pendingApprovalId(session);
    const { planId } = submissionOf(session.state()) ?? {};
    for (const command of [
      { type: "decide", approval: { action: "reject", approvalId, feedback: "no" } },
      { type: "decide", approval: { action: "auto", enabled: true } },
      { type: "resolve", planId, decision: "reject", reason: "no" },
      { type: "leave" },
      { type: "who knows" },
    ])
      expect(restsOn(session.state(), JsonObject.parse(JSON.parse(JSON.stringify(command))))).toEqual([]);
    expect(restsOn(inPhase("exploring").state(), approving(approvalId))).toEqual([]);
  });
});

describe("the text that was read back", () => {
  const isIntact = ({ session, digest }: ReturnType<typeof submitted>, stored: unknown, claimed = digest): boolean => {
    const [found] = restsOn(session.state(), approving(pendingApprovalId(session)));
    if (found === undefined) throw new Error("it rests on nothing");
    return found.isIntact(Json.parse(stored), claimed);
  };

  it("[SC-04, I06] is intact as it was stored, and under no other digest", () => {
    const made = submitted();
    expect(isIntact(made, made.row)).toBe(true);
    expect(isIntact(made, made.row, "e".repeat(64))).toBe(false);
  });

  it.each<[string, (row: JsonObject) => unknown]>([
    ["its steps", (row) => ({ ...row, body: { ...body, plan: [{ step: "Delete it all", status: "pending" }] } })],
    ["its title", (row) => ({ ...row, body: { ...body, title: "Other" } })],
    ["the approval that it belongs to", (row) => ({ ...row, approvalId: "apr_other" })],
    ["the digest beside it", (row) => ({ ...row, digest: "e".repeat(64) })],
    ["what it says besides its steps", (row) => ({ ...row, body: { ...body, summary: "Nothing is deleted." } })],
    ["its form", () => ({ title: "nothing of a revision" })],
    ["the form of what stands beside its text", (row) => ({ ...row, revision: "one" })],
    ["its place, where nothing is now", () => null],
    ["all of it", (row) => ({ ...row, body: otherBody, digest: planDigest(otherBody) })],
  ])("[SC-04, I06] is not intact when somebody altered %s", (_what, alter) => {
    const made = submitted();
    expect(isIntact(made, alter(made.row))).toBe(false);
  });

  it("[SC-04] must match what the session shows as waiting, title and steps", () => {
    const made = submitted();
    const { session } = made;
    const state = session.state();
    if (state.now.phase !== "pending") throw new Error("nothing waits");
    const { submission } = state.now;
    const found = (change: Partial<typeof submission>) =>
      restsOn(
        { ...state, now: { ...state.now, submission: { ...submission, ...change } } } as typeof state,
        approving(submission.approvalId),
      )[0]?.isIntact(Json.parse(made.row), made.digest);
    expect([found({}), found({ title: "Other" }), found({ steps: otherBody.plan })]).toEqual([true, false, false]);
  });

  it("[SC-04, PL-09] is compared with its steps after a rejection as well, and no longer once they move on", () => {
    const made = submitted();
    const { session } = made;
    const approvalId = pendingApprovalId(session);
    session.must({ type: "decide", approval: { action: "reject", approvalId, feedback: "no" } }, alice);
    const read = (steps: PlanBody["plan"]) => {
      const state = session.state();
      if (!("submission" in state.now)) throw new Error("nothing was submitted");
      const now = { ...state.now, submission: { ...state.now.submission, steps } };
      return restsOn({ ...state, now }, approving(approvalId))[0]?.isIntact(Json.parse(made.row), made.digest);
    };
    expect([read(body.plan), read(otherBody.plan)]).toEqual([true, false]);
    session.must({ type: "decide", approval: { action: "approve", approvalId, overRejection: true } }, alice);
    expect(read(otherBody.plan)).toBe(true);
  });
});
