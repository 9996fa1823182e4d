/** What people are answered when they decide, whole: every surface shows it, and clients act on its fields (PL-09, PL-10). */
import { describe, expect, it } from "vitest";
import {
  admin,
  agent,
  alice,
  body,
  DIGEST,
  inPhase,
  otherBody,
  pendingApprovalId,
  planSession,
  type PlanSession,
  submitted,
  system,
} from "../../../../test/kit/plan-session.ts";
import type { Actor } from "../../../protocol/actor.ts";
import { ApprovalId, OperatorId, PlanId } from "../../../protocol/ids.ts";
import { ApprovalRules } from "../../protocol/approvals.ts";
import { FEEDBACK_CHARS_MAX, type PlanModeCommand, type PlanVerdict } from "../../protocol/command.ts";
import { planDigest } from "../../tools/plan-digest.ts";
import { submissionOf } from "../plan/cycle.ts";

const bob = { ...alice, id: OperatorId.parse("opr_bob"), name: "Bob" } as Actor;
const UNKNOWN = ApprovalId.parse("apr_unknown");

function answered(session: PlanSession, command: PlanModeCommand, actor: Actor = alice) {
  const result = session.apply(command, actor);
  return "refused" in result ? result.refused : result.reply;
}
const decided = (session: PlanSession, approval: PlanVerdict, actor: Actor = alice) =>
  answered(session, { type: "decide", approval }, actor);
const approval = (session: PlanSession) => ({ action: "approve", approvalId: pendingApprovalId(session) }) as const;
const planIdOf = (session: PlanSession) => submissionOf(session.state())?.planId;
const rules = (given: Partial<ApprovalRules>) => ({ settings: { approvals: ApprovalRules.parse(given) } });

describe("a decision that comes too late, or about something else", () => {
  it("[PL-10, I03] names the approval that it answers", () => {
    expect(decided(inPhase("pending"), { action: "approve", approvalId: undefined })).toEqual({
      code: "APPROVAL_ID_REQUIRED",
      message: "A decision names the approvalId that it answers. Read it from the waiting plan.",
    });
  });

  it("[PL-10, I03] is told what became of the plan that it names", () => {
    const none = { code: "APPROVAL_NOT_PENDING", message: "No plan waits for a decision in this session." };
    expect(decided(inPhase("off"), { action: "approve", approvalId: UNKNOWN })).toEqual(none);
    expect(decided(inPhase("exploring"), { action: "reject", approvalId: UNKNOWN, feedback: "no" })).toEqual(none);
    const session = inPhase("pending");
    const first = pendingApprovalId(session);
    expect(decided(session, { action: "reject", approvalId: UNKNOWN, feedback: "no" })).toEqual({
      code: "APPROVAL_UNKNOWN",
      message: "This approvalId is not one of this session. Read the waiting plan again.",
    });
    submitted(session, otherBody);
    expect(decided(session, { action: "reject", approvalId: first, feedback: "no" })).toEqual({
      code: "APPROVAL_SUPERSEDED",
      message: "A newer revision took this plan's place. Read that one, then decide.",
    });
    session.must({ type: "leave" }, alice);
    expect(decided(session, { action: "approve", approvalId: first })).toEqual({
      code: "APPROVAL_STALE",
      message: "This approval belongs to a cycle that is over.",
    });
    expect(decided(session, { action: "approve", approvalId: UNKNOWN })).toEqual(none);
  });

  it("[PL-08, I07] is told the deadline that has passed, also before its timer has fired", () => {
    const session = inPhase("pending", { settings: { approvalTimeoutSeconds: 600 } });
    const { deadlineAtMs = 0 } = submissionOf(session.state()) ?? {};
    const message = "The deadline of this approval has passed. The agent can submit the plan again.";
    session.advance(600_000);
    expect(deadlineAtMs).toBe(session.now());
    expect(decided(session, approval(session))).toEqual({
      code: "APPROVAL_EXPIRED",
      message,
      details: { deadline: "2023-11-14T22:23:20Z" },
    });
    session.must({ type: "expire", approvalId: pendingApprovalId(session) }, system);
    expect(decided(session, approval(session))).toEqual({ code: "APPROVAL_EXPIRED", message });
  });

  it("[PL-10, I02] is told who decided before, and what", () => {
    const session = inPhase("executing");
    expect(decided(session, approval(session), bob)).toEqual({
      code: "APPROVAL_ALREADY_DECIDED",
      message: "This plan was already approved by Alice. Nothing was changed.",
      details: { decision: "approved", decided_by: "Alice" },
    });
    const rejected = inPhase("rejected");
    const again = { action: "reject", approvalId: pendingApprovalId(rejected), feedback: " smaller " } as const;
    expect(decided(rejected, again)).toEqual({
      code: "APPROVAL_ALREADY_DECIDED",
      message: "This plan was already rejected by Alice. Nothing was changed.",
      details: { decision: "rejected", decided_by: "Alice" },
    });
    expect(decided(rejected, again, bob)).toMatchObject({ decision: "rejected" }); // another person, the same words
  });

  it("[PL-20] is told that the plan was rejected meanwhile, by whom and why", () => {
    const session = inPhase("rejected");
    const refusal = {
      code: "APPROVAL_REJECTED",
      message: expect.stringContaining("Alice"),
      details: { decided_by: "Alice", feedback: "smaller", rejections: 1 },
    };
    expect(decided(session, approval(session), bob)).toMatchObject(refusal);
    expect(decided(session, { ...approval(session), overRejection: false }, bob)).toMatchObject(refusal);
    decided(session, { action: "reject", approvalId: pendingApprovalId(session), feedback: "smaller still" }, bob);
    expect(decided(session, { ...approval(session), overRejection: 1 })).toMatchObject({
      code: "APPROVAL_REJECTED",
      details: { decided_by: "Bob", feedback: "smaller still", rejections: 2 },
    });
    expect(decided(session, { ...approval(session), overRejection: 2 }, bob)).toMatchObject({ decision: "approved" });
  });

  it("[I06] is told that another text waits than the one that was shown", () => {
    const session = inPhase("pending");
    expect(decided(session, { ...approval(session), digest: "e".repeat(64) })).toEqual({
      code: "APPROVAL_DIGEST_MISMATCH",
      message: "The plan that was shown is not the one that waits. Read it again, then decide.",
      details: { plan_id: planIdOf(session), digest: DIGEST },
    });
    expect(decided(session, { ...approval(session), offered: "part" })).toEqual({
      code: "APPROVAL_NOT_OFFERED",
      message:
        "The whole plan did not arrive where you decide. Read it with /plan view, then type the accepting command, or decide on the page.",
      details: { plan_id: planIdOf(session), digest: DIGEST },
    });
  });
});

describe("an approval", () => {
  it("[PL-06, TO-02] says what it unlocked, and since when", () => {
    const session = inPhase("pending");
    const about = { plan_id: planIdOf(session), approval_id: pendingApprovalId(session) };
    expect(decided(session, approval(session))).toEqual({
      ...about,
      decision: "approved",
      mode: "executing",
      exited_plan_mode: true,
      unlocked_at: "2023-11-14T22:13:20Z",
    });
    const edits = inPhase("pending");
    expect(decided(edits, { ...approval(edits), action: "edit" })).toMatchObject({ decision: "edited" });
  });

  it("[PL-18] of one among several says how many are missing, and is not given twice", () => {
    const session = inPhase("pending", rules({ quorum: 3 }));
    const about = { plan_id: planIdOf(session), approval_id: pendingApprovalId(session) };
    const signed = { ...about, decision: "signed", mode: "plan" };
    expect(decided(session, approval(session))).toEqual({ ...signed, signatures: 1, missing: 2 });
    expect(decided(session, approval(session))).toEqual({
      code: "APPROVAL_ALREADY_SIGNED",
      message: "You have signed this plan already; 2 more people must sign.",
      details: { missing: 2 },
    });
    expect(decided(session, { ...approval(session), steps: [1] })).toEqual({ ...signed, signatures: 1, missing: 2 });
    expect(decided(session, approval(session), bob)).toEqual({ ...signed, signatures: 2, missing: 1 });
    expect(decided(session, approval(session), bob)).toMatchObject({
      message: "You have signed this plan already; one more person must sign.",
    });
    expect(decided(session, approval(session), admin)).toMatchObject({ decision: "approved", mode: "executing" });
  });

  it("[PL-18] by somebody who is not listed names those who are", () => {
    const session = inPhase("pending", rules({ approvers: ["Bob", "Root"] }));
    expect(decided(session, approval(session))).toEqual({
      code: "APPROVER_NOT_LISTED",
      message: expect.stringContaining("Bob, Root"),
      said: expect.anything(),
      details: { approvers: ["Bob", "Root"] },
    });
    expect(
      decided(session, { action: "reject", approvalId: pendingApprovalId(session), feedback: "no" }),
    ).toMatchObject({
      code: "APPROVER_NOT_LISTED",
    });
    expect(decided(session, approval(session), bob)).toMatchObject({ decision: "approved" });
  });

  it("[PL-09] by the id of a plan is the same, and an id of no plan here is told so", () => {
    const session = inPhase("pending");
    const first = planIdOf(session);
    expect(answered(session, { type: "resolve", planId: PlanId.parse("pln_other"), decision: "approve" })).toEqual({
      code: "PLAN_NOT_FOUND",
      message: "Plan pln_other is not one of this session. Look at the waiting one with /plan view.",
    });
    submitted(session, otherBody);
    if (first === undefined) throw new Error("nothing waited");
    expect(answered(session, { type: "resolve", planId: first, decision: "approve" })).toMatchObject({
      code: "APPROVAL_SUPERSEDED",
    });
    const second = planIdOf(session);
    if (second === undefined) throw new Error("nothing waits");
    const resolved = (more: { decision: "approve" | "reject"; reason?: string; overRejection?: boolean }) =>
      answered(session, { type: "resolve", planId: second, ...more });
    expect(resolved({ decision: "reject" })).toMatchObject({ code: "FEEDBACK_REQUIRED" });
    expect(resolved({ decision: "reject", reason: "no" })).toMatchObject({ decision: "rejected" });
    expect(resolved({ decision: "approve" })).toMatchObject({ code: "APPROVAL_REJECTED" });
    expect(resolved({ decision: "approve", overRejection: true })).toMatchObject({ decision: "approved" });
  });

  it("[PL-09] by an id of no plan here is told so where plans went before, and where none ever was", () => {
    const unknown = { type: "resolve", planId: PlanId.parse("pln_other"), decision: "approve" } as const;
    const session = inPhase("pending");
    submitted(session, otherBody);
    for (const one of [session, inPhase("off"), inPhase("exploring")])
      expect(answered(one, unknown)).toMatchObject({ code: "PLAN_NOT_FOUND" });
  });

  it("[BY-05] accepts steps in the order of the plan, whatever the order they were named in", () => {
    const session = inPhase("pending", rules({ quorum: 2 }));
    const many = {
      ...body,
      plan: Array.from({ length: 12 }, (_, n) => ({ step: `S${n}`, status: "pending" as const })),
    };
    submitted(session, many);
    decided(session, { ...approval(session), steps: [12, 3, 1] });
    const { now } = session.state();
    expect(now.phase === "pending" && now.signatures?.map(({ steps }) => steps)).toEqual([[1, 3, 12]]);
  });
});

describe("a rejection", () => {
  it("[PL-07] says what it did, and keeps the words without what surrounds them", () => {
    const session = inPhase("pending");
    const approvalId = pendingApprovalId(session);
    expect(decided(session, { action: "reject", approvalId, feedback: "  smaller \n" })).toEqual({
      plan_id: planIdOf(session),
      approval_id: approvalId,
      decision: "rejected",
      mode: "plan",
    });
    expect(session.state().now).toMatchObject({ phase: "rejected", feedback: "smaller" });
  });

  it("[PL-07] needs words or notes, and not more of them than fit", () => {
    const session = inPhase("pending");
    const approvalId = pendingApprovalId(session);
    const reject = (feedback: string) => decided(session, { action: "reject", approvalId, feedback });
    expect(reject(" \u200b")).toEqual({
      code: "FEEDBACK_REQUIRED",
      message: "A rejection needs feedback or notes, so that the agent knows what to change.",
    });
    expect(session.state().now.phase).toBe("pending");
  });

  it("[PL-07, GW-05] may be so long and no longer, also where it names the plan", () => {
    const session = inPhase("pending");
    const [approvalId, planId] = [pendingApprovalId(session), planIdOf(session)];
    if (planId === undefined) throw new Error("nothing waits");
    const reason = "x".repeat(FEEDBACK_CHARS_MAX + 1);
    expect(answered(session, { type: "resolve", planId, decision: "reject", reason })).toMatchObject({
      code: "INVALID_REQUEST",
      message: `Feedback may hold ${FEEDBACK_CHARS_MAX} characters. Shorten it.`,
    });
    const most = { action: "reject", approvalId, feedback: "x".repeat(FEEDBACK_CHARS_MAX) } as const;
    expect(decided(session, most)).toMatchObject({ decision: "rejected" });
  });
});

describe("auto", () => {
  it("[PL-16] says how it stands, and switching it to what it is changes nothing", () => {
    const session = inPhase("off");
    const auto = (enabled: boolean): PlanModeCommand => ({ type: "decide", approval: { action: "auto", enabled } });
    expect(session.must(auto(true), alice).reply).toEqual({ auto: true });
    expect(session.state()).toMatchObject({
      auto: true,
      autoBy: { by: { id: "opr_alice" }, scopes: expect.any(Array) },
    });
    const again = session.must(auto(true), bob);
    expect([again.reply, again.events]).toEqual([{ auto: true }, []]);
    const off = session.must(auto(false), alice);
    expect(off.reply).toEqual({ auto: false });
    // who may switch it on counts later; whoever switches it off needs no scopes to be kept for that
    expect(off.events[0]).toEqual({
      type: "slice.changed",
      slice: "planMode",
      event: { type: "plan.auto_set", enabled: false, by: expect.anything(), atMs: session.now() },
    });
    expect(session.state().auto).toBe(false);
    expect(session.state()).not.toHaveProperty("autoBy");
  });

  it("[PL-18, GW-10] does not replace several signatures, nor a passkey, and says so", () => {
    const on = { action: "auto", enabled: true } as const;
    expect(decided(inPhase("off", rules({ quorum: 2 })), on)).toMatchObject({
      code: "PERMISSION_DENIED",
      message: "Plans here need 2 signatures (approvals.quorum); auto cannot replace them.",
    });
    const passkey = decided(inPhase("off", rules({ presence: "passkey" })), on);
    expect(passkey).toMatchObject({ code: "PERMISSION_DENIED", message: expect.stringMatching(/\w/) });
    expect(decided(inPhase("off", rules({ presence: "destructive" })), on)).toEqual({ auto: true });
    expect(decided(inPhase("off", rules({ quorum: 2 })), { action: "auto", enabled: false })).toEqual({ auto: false });
  });
});

describe("an edition", () => {
  const steps = [{ step: "Another", status: "pending" as const }];
  const edited = (session: PlanSession, more: object = {}): PlanModeCommand => ({
    type: "approve-edition",
    approval: {
      action: "approve_edited",
      approvalId: pendingApprovalId(session),
      digest: planDigest(body),
      steps,
      ...more,
    },
    base: body,
  });
  const waiting = (given: Partial<ApprovalRules> = {}) => {
    const session = planSession(rules(given));
    session.must({ type: "enter", reason: "x" }, agent);
    session.must({ type: "submit", body, digest: planDigest(body) }, agent);
    return session;
  };
  const about = (session: PlanSession) => {
    const { planId, approvalId, revision, digest } = submissionOf(session.state()) ?? {};
    return { plan_id: planId, approval_id: approvalId, revision, digest };
  };

  it("[PL-17] says which revision it became, and what it unlocked", () => {
    const session = waiting();
    const { reply, events } = session.must(edited(session), alice);
    expect(reply).toEqual({
      ...about(session),
      decision: "approved",
      mode: "executing",
      exited_plan_mode: true,
      unlocked_at: "2023-11-14T22:13:20Z",
    });
    expect(events[0]).toMatchObject({ event: { type: "plan.submitted", unlocked: true } });
    expect(events[0]).not.toHaveProperty("event.needs");
    const more = waiting();
    expect(more.must(edited(more, { allowEdits: true }), alice).reply).toMatchObject({ decision: "edited" });
  });

  it("[PL-17, PL-18] of one among several is signed, and where its author may not approve it is submitted", () => {
    const several = waiting({ quorum: 2 });
    const { reply, events } = several.must(edited(several), alice);
    expect(reply).toEqual({ ...about(several), decision: "signed", mode: "plan" });
    expect(events[0]).toMatchObject({ event: { type: "plan.submitted", needs: { quorum: 2, missing: [] } } });
    expect(events[0]).not.toHaveProperty("event.unlocked");
    const others = waiting({ notAuthor: true });
    expect(others.must(edited(others), alice).reply).toEqual({ ...about(others), decision: "submitted", mode: "plan" });
    expect(decided(others, approval(others))).toMatchObject({
      code: "AUTHOR_NOT_APPROVER",
      message: "You edited this plan, and here somebody else approves what a person wrote.",
    });
  });

  it("[PL-17, SC-04] of a text that cannot be read back is refused", () => {
    const session = waiting();
    const refusal = {
      code: "PLAN_NOT_FOUND",
      message: "The revision that you edited cannot be read back as it was shown. Open the plan again, then edit it.",
    };
    expect(answered(session, { ...edited(session), base: null } as PlanModeCommand)).toEqual(refusal);
    expect(answered(session, { ...edited(session), base: otherBody } as PlanModeCommand)).toEqual(refusal);
  });

  it("[PL-17, GW-10] is another decision for the passkey than an approval, and with edits another still", () => {
    const session = waiting({ presence: "passkey" });
    const digest = planDigest({ ...body, plan: steps });
    const asked = (more: object = {}) => answered(session, edited(session, more));
    const subject = { sessionId: "ses_one", approvalId: pendingApprovalId(session), digest };
    const required = (decision: string) => ({
      code: "PRESENCE_REQUIRED",
      details: { presence: { ...subject, decision } },
    });
    expect(asked()).toMatchObject(required("approve_edited"));
    expect(asked({ allowEdits: true })).toMatchObject(required("approve_edited_allowing_edits"));
    decided(session, { action: "reject", approvalId: pendingApprovalId(session), feedback: "no" });
    expect(asked({ overRejection: true })).toMatchObject(required("approve_edited_over_rejection_1"));
  });
});

describe("what a passkey signs", () => {
  it("[GW-10] names the decision: which, over how many rejections, of which steps, for which runs", () => {
    const session = inPhase("pending", rules({ presence: "passkey" }));
    const presence = { sessionId: "ses_one", approvalId: pendingApprovalId(session), digest: DIGEST };
    const needs = (more: object) => {
      const asked = { type: "decide", approval: { ...approval(session), ...more } } as PlanModeCommand;
      return answered(session, asked);
    };
    const required = (decision: string) => ({
      code: "PRESENCE_REQUIRED",
      message: expect.stringMatching(/\w/),
      details: { presence: { ...presence, decision } },
    });
    expect(needs({})).toMatchObject(required("approve"));
    expect(needs({ action: "edit" })).toMatchObject(required("edit"));
    expect(needs({ steps: [2, 1] })).toMatchObject(required("approve_steps_1-2"));
    decided(session, { action: "reject", approvalId: pendingApprovalId(session), feedback: "no" });
    expect(needs({ overRejection: true })).toMatchObject(required("approve_over_rejection_1"));
    const many = { ...body, plan: [1, 2, 3].map((n) => ({ step: `S${n}`, status: "pending" as const })) };
    submitted(session, many);
    presence.approvalId = pendingApprovalId(session);
    expect(needs({ action: "edit", steps: [1, 3] })).toMatchObject(required("edit_steps_1,3"));
  });
});
