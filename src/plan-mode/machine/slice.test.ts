import { describe, expect, it } from "vitest";
import { agent, alice, DIGEST, inPhase, planSession, reader, START_MS } from "../../../test/kit/plan-session.ts";
import { planModeSlice } from "./slice.ts";

describe("the slice", () => {
  it("[PL-08] takes rejections, expiries, leaving and auto off when the disk is nearly full, and nothing else", () => {
    const approvalId = "apr_1";
    const vital = (command: Parameters<NonNullable<NonNullable<typeof planModeSlice.describe>["vital"]>>[0]) =>
      planModeSlice.describe?.vital?.(command);
    expect(vital({ type: "leave" })).toBe(true);
    expect(vital({ type: "expire", approvalId })).toBe(true);
    expect(vital({ type: "decide", approval: { action: "reject", approvalId, feedback: "no" } })).toBe(true);
    expect(vital({ type: "decide", approval: { action: "auto", enabled: false } })).toBe(true);
    expect(vital({ type: "resolve", planId: "pln_1", decision: "reject", reason: "no" })).toBe(true);
    expect(vital({ type: "resolve", planId: "pln_1", decision: "approve" })).toBe(false);
    expect(vital({ type: "decide", approval: { action: "approve", approvalId } })).toBe(false);
    expect(vital({ type: "decide", approval: { action: "auto", enabled: true } })).toBe(false);
    expect(vital({ type: "enter", reason: "" })).toBe(false);
    expect(vital({ type: "nonsense" })).toBe(false);
  });

  it("[QU-01] tells what waits for a person", () => {
    const session = inPhase("pending");
    const { now } = session.state();
    expect(planModeSlice.describe?.waiting?.(session.state())).toEqual({
      kind: "approval",
      id: now.phase === "pending" ? now.submission.approvalId : "",
      title: "Rename the parser",
      sinceMs: START_MS,
      deadlineMs: START_MS + 86_400_000,
    });
    const asking = inPhase("exploring");
    asking.must({ type: "ask", callId: "c", question: "Which\none?", options: ["A", "B"] }, agent);
    expect(planModeSlice.describe?.waiting?.(asking.state())).toMatchObject({ kind: "question", title: "Which one?" });
    expect(planModeSlice.describe?.waiting?.(inPhase("executing").state())).toBeUndefined();
  });

  it("[I10, I12] a decision that was not delivered before its plan was done still comes, and before the completion", () => {
    const session = inPhase("executing");
    const plan = session.state().now.steps.map(({ step }) => ({ step, status: "cancelled" as const }));
    session.must({ type: "update", patch: { plan, merge: true } }, agent);
    const text = session.startTurn();
    expect(text).toMatch(/\[PLAN_DECISION\]: approved[\s\S]*\[PLAN_COMPLETE\]/);
  });

  it.each(["exploring", "pending", "rejected", "timed_out"] as const)(
    "[I05, PL-02] a reset of a session in plan mode (%s) forgets the plan and not the lock, whoever resets",
    (phase) => {
      const session = inPhase(phase);
      session.run({ type: "session.reset" }, reader);
      expect(session.state()).toMatchObject({ auto: false, question: null, now: { phase: "exploring", mode: "plan" } });
      expect(session.session().timers).toEqual([]);
    },
  );

  it("[TO-07, SB-01] status of a sub-agent says that the sessions above hold it, too", () => {
    const status = (kind: "chat" | "subagent") => planSession({ kind }).must({ type: "status" }, agent).reply;
    expect(status("subagent")).toMatchObject({ held_from_above: expect.stringContaining("every session above you") });
    expect(status("chat")).not.toHaveProperty("held_from_above");
  });

  it("[TO-07] status reads the stored state and changes nothing", () => {
    const session = inPhase("rejected");
    const before = session.state();
    const status = session.must({ type: "status" }, agent);
    expect(status.events).toEqual([]);
    expect(session.state()).toEqual(before);
    const { now } = before;
    expect(status.reply).toEqual({
      enabled: true,
      mode: "plan",
      approval: "rejected",
      auto: false,
      held: false,
      permission_mode: "default",
      entered_at: "2023-11-14T22:13:20Z",
      entered_reason: "explore",
      rejection_count: 1,
      plan: {
        plan_id: now.phase === "rejected" ? now.submission.planId : "",
        revision: 1,
        title: "Rename the parser",
        digest: DIGEST,
        submitted_at: "2023-11-14T22:13:20Z",
        deadline_at: "2023-11-15T22:13:20Z",
        feedback: "smaller",
        decided_by: { kind: "operator", name: "Alice" },
      },
      steps: now.steps,
      done: 0,
      total: 2,
      unlocked_at: null,
      question: null,
    });
    expect(JSON.stringify(status.reply)).not.toContain("apr_");
  });

  it("[PL-10] remembers what became of superseded submissions, up to a limit", () => {
    const session = inPhase("pending");
    for (let n = 0; n < 40; n++)
      session.must(
        { type: "submit", body: { title: `v${n}`, plan: [{ step: "a", status: "pending" }] }, digest: "d" },
        agent,
      );
    const { past = [], now } = session.state();
    expect(past).toHaveLength(32);
    expect(now).toMatchObject({ cycle: { revisionCount: 41 }, submission: { revision: 41 } });
    const [oldest] = past;
    if (oldest === undefined) throw new Error("nothing remembered");
    expect(session.outcome({ type: "resolve", planId: oldest.planId, decision: "approve" }, alice)).toBe(
      "APPROVAL_SUPERSEDED",
    );
  });
});
