import { describe, expect, it } from "vitest";
import { alice, inPhase, notices, otherBody, sliceEvents, submitted } from "../../../../test/kit/plan-session.ts";

describe("approval by rule", () => {
  it("[PL-16, BY-01, CH-10] requireApproval: false unlocks at once and is labelled everywhere", () => {
    const session = inPhase("exploring", { settings: { requireApproval: false } }).attend();
    const result = submitted(session);
    expect(sliceEvents(result)).toEqual(["plan.submitted", "plan.approved"]);
    expect(result.reply).toMatchObject({ approval_required: false, deadline_at: null });
    expect(session.state().now).toMatchObject({
      mode: "executing",
      decidedBy: { kind: "policy", id: "require-approval-off", name: "no approval required here" },
    });
    expect(notices(result)).toEqual([
      expect.stringMatching(/^\[plan-mode\] approved plan_id=pln_\S+$/),
      expect.stringMatching(/^\[plan-mode\] policy plan_id=pln_\S+ name=no approval required here$/),
      expect.stringMatching(/^\[plan-mode\] exited — plan: Rename the parser; .*\(full plan in turn log #1\)$/),
    ]);
    expect(result.audit.map((fact) => fact.type)).toEqual(["plan.submitted", "plan.decided"]);
    expect(result.audit[1]?.detail["by"]).toEqual({ kind: "policy", id: "require-approval-off" });
    expect(session.session().timers).toEqual([]);
    expect(session.finishTurn().startTurn()).toContain("a rule (no approval required here), not a person");
  });

  it("[PL-16] /plan auto on approves the next submission by rule, never the one that waits already", () => {
    const session = inPhase("pending");
    const set = session.must({ type: "decide", approval: { action: "auto", enabled: true } }, alice);
    expect(set.audit).toEqual([
      { type: "plan.auto_set", detail: { enabled: true, by: { kind: "operator", id: "opr_alice" } } },
    ]);
    expect(notices(set)).toEqual(["[plan-mode] auto on — submitted plans are approved by rule, without a person"]);
    expect(session.state().now.approval).toBe("pending");
    submitted(session.attend(), otherBody);
    expect(session.state().now).toMatchObject({ mode: "executing", decidedBy: { kind: "policy", id: "auto" } });
    expect(session.session().timers).toEqual([]);
  });
});
