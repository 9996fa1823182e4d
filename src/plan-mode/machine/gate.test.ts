import { describe, expect, it } from "vitest";
import { alice, inPhase, pendingApprovalId, system } from "../../../test/kit/plan-session.ts";
import { GateRefusal } from "../../protocol/gate.ts";
import { MessageId, TurnId } from "../../protocol/ids.ts";
import { planGatePolicy } from "../gates/plan-gate.ts";
import { isByPlanMode, planGate } from "./gate.ts";

const write = { tool: "write", kind: "file_edit", effect: "write", argsDigest: "x" } as const;
const read = { tool: "read", kind: "read_only", effect: "read", argsDigest: "x" } as const;
const asked = { callId: "c1", args: {} };
const settings = {};

describe("the gate", () => {
  it.each(["exploring", "pending", "rejected", "timed_out"] as const)("[GA-01] in %s only reading passes", (phase) => {
    const session = inPhase(phase);
    expect(planGate(session.state(), read)).toEqual({ allowed: true });
    expect(planGate(session.state(), write).allowed).toBe(false);
    expect(planGatePolicy.evaluate({ call: { ...read, ...asked }, session: session.session(), settings })).toEqual({
      verdict: "allow",
    });
    expect(
      planGatePolicy.evaluate({ call: { ...write, ...asked }, session: session.session(), settings }),
    ).toMatchObject({
      verdict: "block",
    });
  });

  it.each(["off", "executing"] as const)("[GA-01] in %s mutations pass", (phase) => {
    const session = inPhase(phase);
    expect(planGate(session.state(), write).allowed).toBe(true);
    expect(planGatePolicy.evaluate({ call: { ...write, ...asked }, session: session.session(), settings })).toEqual({
      verdict: "allow",
    });
  });

  it("[GA-07] says no in a structured way, with a sentence for the model", () => {
    const verdict = planGate(inPhase("exploring").state(), write);
    if (verdict.allowed) throw new Error("allowed");
    expect(GateRefusal.parse(verdict.refusal)).toEqual({
      tool_name: "write",
      tool_kind: "file_edit",
      hint: "Explore with reading tools, then submit a plan with exit_plan_mode.",
      entered_at: "2023-11-14T22:13:20Z",
      entered_reason: "explore",
      rule: "plan-mode/read-only",
      matched: "effect=write",
      message:
        "write was not run: the session is in plan mode, where only reading is allowed. Explore with reading tools, then submit a plan with exit_plan_mode.",
    });
  });

  it("[GA-01] a deleted state means normal; a state that cannot be read throws, which blocks", () => {
    const session = inPhase("pending").session();
    const without = { ...session, slices: {} };
    expect(planGatePolicy.evaluate({ call: { ...write, ...asked }, session: without, settings })).toEqual({
      verdict: "allow",
    });
    for (const broken of [{}, { now: { mode: "yolo" } }, { now: { mode: "plan" } }, "plan", null]) {
      const damaged = { ...session, slices: { planMode: broken } };
      expect(() => planGatePolicy.evaluate({ call: { ...write, ...asked }, session: damaged, settings })).toThrow(
        /Invalid/,
      );
    }
  });

  it("[PL-02, I18] a session that is in plan mode while the feature is switched off stays locked until a person leaves", () => {
    const session = inPhase("pending");
    session.configure({ enabled: false });
    expect(planGate(session.state(), write).allowed).toBe(false);
    session.must({ type: "leave" }, alice);
    expect(planGate(session.state(), write).allowed).toBe(true);
  });

  it("[GA-01, I01, I04] the claim of a mutating call asks the state that commits: an approval counts, a new cycle ends it", () => {
    const session = inPhase("pending");
    const approvalId = pendingApprovalId(session);
    session.must({ type: "decide", approval: { action: "approve", approvalId } }, alice);
    session.startTurn();
    const { turn, epoch } = session.session();
    const turnId = turn.status === "running" ? turn.turnId : TurnId.parse("trn_none");
    const calls = [1, 2].map((n) => ({ callId: `c${n}`, tool: "write", args: {} }));
    session.run({ type: "turn.say", turnId, epoch, text: "", calls }, system);
    const claim = (callId: string) =>
      session.run({ type: "call.claim", turnId, epoch, callId, kind: "file_edit", argsDigest: "x" }, system);
    expect(claim("c1")).toMatchObject({
      events: [{ type: "call.claimed", under: { planMode: { approvalId, approval: "approved" } } }],
    });
    session.must({ type: "enter", reason: "" }, alice);
    expect(claim("c2")).toMatchObject({
      refused: { code: "PLAN_MODE_BLOCKED", details: { refusal: { tool_name: "write" } } },
    });
  });

  it("[CH-10] a refused call leaves the frozen line in the transcript of its session", () => {
    const session = inPhase("exploring");
    session.run({ type: "message.send", messageId: MessageId.parse("msg_1"), text: "please" }, alice);
    session.startTurn();
    const { turn, epoch } = session.session();
    const turnId = turn.status === "running" ? turn.turnId : TurnId.parse("trn_none");
    session.run(
      { type: "turn.say", turnId, epoch, text: "", calls: [{ callId: "c1", tool: "write", args: {} }] },
      system,
    );
    const verdict = planGate(session.state(), write);
    if (verdict.allowed) throw new Error("allowed");
    const by = "plan-mode/gate";
    const done = session.run(
      { type: "call.refuse", turnId, epoch, callId: "c1", refusal: verdict.refusal, by },
      system,
    );
    expect(done).toMatchObject({
      events: [
        { type: "call.refused" },
        { type: "entry.appended", entry: { kind: "result", status: "refused" } },
        { type: "call.closed" },
        { type: "entry.appended", entry: { kind: "notice", text: "[plan-mode] refused tool=write kind=file_edit" } },
      ],
    });
  });

  it.each([
    ["plan", "plan-mode/gate", "shell/redirect", true],
    ["normal", "plan-mode/auto-destructive", "rm", true],
    ["plan", "planMode", "plan-mode/grant-spent", true],
    ["normal", "planMode", "plan-mode/read-only (inherited)", true],
    ["normal", "planMode", "plan-mode/held (inherited)", true],
    ["normal", "planMode", "permission/ask", false],
    ["executing", "planMode", "plan-mode/grant-spent", false],
    ["executing", "plan-mode/accept-edits", "rm", false],
    ["normal", "plan-mode/permission", "permission/ask", false],
    ["plan", undefined, "loop/repeated-call", false],
    ["plan", undefined, "hook/block", false],
    ["plan", undefined, "gate-unavailable", false],
    ["plan", "automation/held", "unattended/held", false],
  ] as const)(
    "[CH-10] in %s mode, what %s refuses by %s is named as refused by plan mode: %s",
    (...[mode, by, rule, named]) => {
      const phases = { plan: "exploring", normal: "off", executing: "executing" } as const;
      const verdict = planGate(inPhase("exploring").state(), write);
      if (verdict.allowed) throw new Error("allowed");
      const refusal = { ...verdict.refusal, rule, ...(by === undefined ? {} : { by }) };
      expect(isByPlanMode(inPhase(phases[mode]).state(), refusal)).toBe(named);
    },
  );
});
