/** What the guard says when it is not plan mode that refuses: whole, because an agent acts on it (GA-07). */
import { describe, expect, it } from "vitest";
import { agent, alice, inPhase, pendingApprovalId, planSession } from "../../../test/kit/plan-session.ts";
import type { GatedCall } from "../../plugins/sdk.ts";
import type { Actor } from "../../protocol/actor.ts";
import { OperatorId } from "../../protocol/ids.ts";
import { ApprovalRules } from "../protocol/approvals.ts";
import type { PlanBody } from "../protocol/plan.ts";
import { planDigest } from "../tools/plan-digest.ts";
import { lockOf, planGate } from "./gate.ts";

const bob = { ...alice, id: OperatorId.parse("opr_bob"), name: "Bob" } as Actor;
const write: GatedCall = { tool: "write", kind: "file_edit", effect: "write", argsDigest: "d" };
const read: GatedCall = { ...write, effect: "read" };
const ENTERED = { entered_at: "2023-11-14T22:13:20Z", entered_reason: "explore" };
const ABOUT = { tool_name: "write", tool_kind: "file_edit" };

const refusal = (state: Parameters<typeof planGate>[0], context: Parameters<typeof planGate>[2]) => {
  const verdict = planGate(state, write, context);
  return verdict.allowed ? "allowed" : verdict.refusal;
};

describe("the guard of the claim, outside of plan mode", () => {
  it("[GA-07, PL-19] says of a held session who can end that, and lets it read", () => {
    const session = inPhase("exploring", { settings: { approvals: ApprovalRules.parse({ approvers: ["Alice"] }) } });
    session.must({ type: "leave" }, bob);
    const hint =
      "Plan mode was left by somebody who could not have approved the plan. Whoever may approve can lift the hold; or call enter_plan_mode and submit a plan.";
    expect(refusal(session.state(), { nowMs: session.now() })).toEqual({
      ...ABOUT,
      entered_at: null,
      entered_reason: null,
      hint,
      rule: "plan-mode/held",
      matched: "effect=write",
      message: `write was not run: the session is held, so it may only read. ${hint}`,
    });
    expect(planGate(session.state(), read)).toEqual({ allowed: true });
    expect(lockOf(session.state(), {})).toBe("held");
  });

  it("[GA-07, I05] says of a plan whose approver was revoked that somebody else has to approve it", () => {
    const session = inPhase("executing");
    expect(lockOf(session.state(), { revoked: session.revoked })).toBeUndefined();
    session.revoked.add("opr_alice");
    const hint = "Call enter_plan_mode and submit the plan again: somebody else has to approve it.";
    expect(refusal(session.state(), { nowMs: session.now(), revoked: session.revoked })).toEqual({
      ...ABOUT,
      ...ENTERED,
      hint,
      rule: "plan-mode/approver-revoked",
      matched: "effect=write",
      message: `write was not run: whoever approved the plan was revoked since, or their passkey was. ${hint}`,
    });
    expect(lockOf(session.state(), { revoked: session.revoked })).toBe("revoked");
  });

  it("[GA-07, PL-11] says of a plan that is done, where every change belongs to one, what is left to do", () => {
    const session = inPhase("executing", { settings: { defaultActive: true } });
    const plan = session.state().now.steps.map((step) => ({ ...step, status: "cancelled" as const }));
    session.must({ type: "update", patch: { plan, merge: true } }, agent);
    const hint =
      "Call enter_plan_mode and submit a plan for what is left, or say in your answer what else should change.";
    const context = { nowMs: session.now(), settings: session.settings(), session: session.session() };
    expect(refusal(session.state(), context)).toEqual({
      ...ABOUT,
      entered_at: null,
      entered_reason: null,
      hint,
      rule: "plan-mode/plan-done",
      matched: "effect=write",
      message: `write was not run: the approved plan is done, and here every change belongs to a plan. ${hint}`,
    });
    // who names neither settings nor session asks about the stored state alone
    expect(refusal(session.state(), { nowMs: session.now() })).toBe("allowed");
    expect(refusal(session.state(), { nowMs: session.now(), settings: session.settings() })).toBe("allowed");
    expect(refusal(session.state(), { nowMs: session.now(), session: session.session() })).toBe("allowed");
  });

  it("[GA-07, BY-02] says of a call that was judged by no scope, or by another, that it is judged again", () => {
    const body: PlanBody = {
      title: "One step",
      plan: [{ step: "One", status: "pending", scope: { paths: ["src/"] } }],
    };
    const session = planSession({ settings: { unlock: "scoped" } });
    session.must({ type: "enter", reason: "explore" }, agent);
    session.must({ type: "submit", body, digest: planDigest(body) }, agent);
    const approvalId = pendingApprovalId(session);
    session.must({ type: "decide", approval: { action: "approve", approvalId } }, alice);
    const hint = "Call it again: it is judged by the scope of the plan as it is now.";
    expect(refusal(session.state(), { nowMs: session.now() })).toEqual({
      ...ABOUT,
      ...ENTERED,
      hint,
      rule: "plan-mode/scope-changed",
      matched: `${approvalId}/0//`,
      message: `write was not run: it was not judged by the scope of the plan that is carried out now. ${hint}`,
    });
    const judged = { ...write, under: { scope: `${approvalId}/0//` } };
    expect(planGate(session.state(), judged, { nowMs: session.now() })).toMatchObject({ allowed: true });
    expect(planGate(inPhase("executing").state(), judged, { nowMs: session.now() })).toMatchObject({
      allowed: false,
      refusal: { rule: "plan-mode/scope-changed", matched: "no scope" },
    });
  });

  it("[GA-07, BY-05] says at a checkpoint that the other steps wait for a person", () => {
    const body: PlanBody = {
      title: "Two steps",
      plan: [
        { step: "One", status: "pending", checkpoint: true },
        { step: "Two", status: "pending" },
      ],
    };
    const session = planSession();
    session.must({ type: "enter", reason: "explore" }, agent);
    session.must({ type: "submit", body, digest: planDigest(body) }, agent);
    session.must({ type: "decide", approval: { action: "approve", approvalId: pendingApprovalId(session) } }, alice);
    session.must({ type: "update", patch: { merge: true, plan: [{ step: "One", status: "completed" }] } }, agent);
    const hint = "End your turn and say what was done; you are resumed when a person accepts the next steps.";
    expect(refusal(session.state(), { nowMs: session.now() })).toEqual({
      ...ABOUT,
      ...ENTERED,
      hint,
      rule: "plan-mode/checkpoint",
      matched: "effect=write",
      message: `write was not run: every step that was accepted is done, and the others wait for a person. ${hint}`,
    });
  });

  it("[GA-02, GA-07] says which permission mode asks, or that the mode changed meanwhile", () => {
    const session = inPhase("off");
    session.must({ type: "set-permission-mode", mode: "ask" }, alice);
    const hint = "Call it again: it is judged by the mode as it is now.";
    const about = { ...ABOUT, entered_at: null, entered_reason: null, hint };
    expect(refusal(session.state(), { nowMs: session.now() })).toEqual({
      ...about,
      rule: "permission/ask",
      matched: "ask/normal",
      message: `write was not run: it needs a person's yes. ${hint}`,
    });
    session.must({ type: "set-permission-mode", mode: "default" }, alice);
    expect(planGate(session.state(), { ...write, under: { permission: "ask/normal" } })).toEqual({
      allowed: false,
      refusal: {
        ...about,
        rule: "permission/changed",
        matched: "default/normal",
        message: `write was not run: the mode changed while it was judged. ${hint}`,
      },
    });
  });

  it("[GA-01] plan mode locks, normal mode does not", () => {
    expect(lockOf(inPhase("exploring").state(), {})).toBe("plan");
    expect(lockOf(inPhase("off").state(), {})).toBeUndefined();
    expect(lockOf(inPhase("executing").state(), {})).toBeUndefined();
  });
});
