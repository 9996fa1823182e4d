/** What each decision leaves behind besides the state: a record of the review, a row of the audit, a line, a text (I08, BY-01). */
import { describe, expect, it } from "vitest";
import {
  alice,
  DIGEST,
  inPhase,
  notices,
  pendingApprovalId,
  type PlanSession,
  system,
} from "../../../../test/kit/plan-session.ts";
import type { Step } from "../../../core/step.ts";
import type { Actor } from "../../../protocol/actor.ts";
import { OperatorId } from "../../../protocol/ids.ts";
import { ApprovalRules } from "../../protocol/approvals.ts";
import type { PlanVerdict } from "../../protocol/command.ts";
import { submissionOf } from "../plan/cycle.ts";

const bob = { ...alice, id: OperatorId.parse("opr_bob"), name: "Bob" } as Actor;
const by = { kind: "operator", id: "opr_alice", name: "Alice" };

const records = ({ artifacts }: Step): unknown[] =>
  artifacts.flatMap(({ kind, body }) => (kind === "plan-review" ? [(body as { fact: unknown }).fact] : []));
const about = (session: PlanSession) => {
  const { planId, approvalId, digest } = submissionOf(session.state()) ?? {};
  return { planId, approvalId, digest };
};
const cycleOf = (session: PlanSession) => {
  const { now } = session.state();
  return now.phase === "off" ? undefined : now.cycle.id;
};
const decide = (session: PlanSession, approval: PlanVerdict, actor: Actor = alice): Step =>
  session.must({ type: "decide", approval }, actor);
const approval = (session: PlanSession) => ({ action: "approve", approvalId: pendingApprovalId(session) }) as const;

describe("what a decision leaves behind", () => {
  it("[I08, BY-01] an approval: its record, and the cause of the turn that goes on", () => {
    const session = inPhase("pending");
    const done = decide(session, approval(session));
    expect(records(done)).toEqual([
      { type: "decided", ...about(session), decision: "approved", by, surface: "cli", atMs: session.now() },
    ]);
    expect(session.session().turn).toMatchObject({ status: "requested", continues: true });
    expect(done.events.find(({ type }) => type === "turn.requested")).toMatchObject({ cause: "plan.approved" });
  });

  it("[I08, BY-01, BY-02, BY-05] an approval in parts, of a scoped plan: the audit says which steps are held, and that it is scoped", () => {
    const session = inPhase("pending", { settings: { unlock: "scoped" } });
    const done = decide(session, { ...approval(session), steps: [1] });
    expect(done.audit[0]?.detail).toMatchObject({ decision: "approved", held: [2], scoped: true });
    const whole = inPhase("pending");
    const { detail = {} } = decide(whole, approval(whole)).audit[0] ?? {};
    expect([detail["held"], detail["scoped"]]).toEqual([undefined, undefined]);
  });

  it("[PL-18, BY-01] a signature: its record, its line with how many there are, and its row", () => {
    const session = inPhase("pending", { settings: { approvals: ApprovalRules.parse({ quorum: 2 }) } });
    const done = decide(session, approval(session));
    expect(records(done)).toEqual([
      { type: "decided", ...about(session), decision: "signed", by, surface: "cli", atMs: session.now() },
    ]);
    expect(done.audit).toEqual([
      {
        type: "plan.signed",
        detail: {
          ...about(session),
          unlock: "approved",
          by: { kind: "operator", id: "opr_alice" },
          offered: { surface: "cli", extent: "on-request", digest: DIGEST },
        },
      },
    ]);
    decide(session, { action: "reject", approvalId: pendingApprovalId(session), feedback: "no" }, bob);
    const again = decide(session, { ...approval(session), overRejection: true });
    expect(notices(again)[0]).toContain("(1 of 2)"); // a rejection voids what was signed, and signing goes on after it
  });

  it("[PL-07, BY-01] a rejection: its words in the record, the audit and the line", () => {
    const session = inPhase("pending");
    const approvalId = pendingApprovalId(session);
    const done = decide(session, { action: "reject", approvalId, feedback: "smaller" });
    expect(records(done)).toEqual([
      {
        type: "decided",
        ...about(session),
        decision: "rejected",
        by,
        surface: "cli",
        feedback: "smaller",
        atMs: session.now(),
      },
    ]);
    expect(done.audit[0]).toEqual({
      type: "plan.decided",
      detail: {
        cycleId: cycleOf(session),
        ...about(session),
        decision: "rejected",
        feedback: "smaller",
        by: { kind: "operator", id: "opr_alice" },
      },
    });
    expect(notices(done)).toEqual([expect.stringContaining("smaller")]);
    expect(done.events.find(({ type }) => type === "turn.requested")).toMatchObject({ cause: "plan.rejected" });
  });

  it("[PL-07, RV-01] a rejection by notes alone: the line says how many, the record has them, the audit counts them", () => {
    const session = inPhase("pending");
    const approvalId = pendingApprovalId(session);
    const note = { action: "add", kind: "change", anchor: { on: "plan" }, text: "Name the file", approvalId } as const;
    session.must({ type: "note", note }, alice);
    const done = decide(session, { action: "reject", approvalId, feedback: "" });
    expect(records(done)).toMatchObject([
      { decision: "rejected", feedback: "", notes: expect.stringContaining("Name the file") },
    ]);
    expect(done.audit[0]?.detail).toMatchObject({ decision: "rejected", feedback: "", notes: 1 });
    expect(notices(done)[0]).toMatch(/1 note/);
  });

  it("[PL-07] a second rejection is a text of its own for the agent", () => {
    const session = inPhase("pending");
    const approvalId = pendingApprovalId(session);
    const ids = () => session.session().injections.flatMap(({ id, kind }) => (kind === "plan_decision" ? [id] : []));
    decide(session, { action: "reject", approvalId, feedback: "smaller" });
    expect(ids()).toEqual([`plan-decision:${approvalId}`]);
    decide(session, { action: "reject", approvalId, feedback: "smaller still" }, bob);
    expect(ids()).toEqual([`plan-decision:${approvalId}`, `plan-decision:${approvalId}:2`]);
  });

  it("[PL-08, BY-01] an expiry: by the deadline, in the record and in the audit", () => {
    const session = inPhase("pending");
    const approvalId = pendingApprovalId(session);
    const done = session.must({ type: "expire", approvalId }, system);
    const { digest: _text, ...named } = about(session);
    expect(records(done)).toEqual([
      {
        type: "decided",
        ...about(session),
        decision: "timed_out",
        by: { kind: "system", id: "deadline", name: "the deadline" },
        atMs: session.now(),
      },
    ]);
    expect(done.audit).toEqual([{ type: "plan.timed_out", detail: { cycleId: cycleOf(session), ...named } }]);
  });

  it("[PL-16] auto: a line and a row that name who switched it", () => {
    const session = inPhase("off");
    const done = decide(session, { action: "auto", enabled: true });
    expect(done.audit).toEqual([
      { type: "plan.auto_set", detail: { enabled: true, by: { kind: "operator", id: "opr_alice" } } },
    ]);
    expect(notices(done)).toHaveLength(1);
  });
});
