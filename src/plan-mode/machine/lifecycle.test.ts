import { describe, expect, it } from "vitest";
import {
  agent,
  alice,
  body,
  DIGEST,
  inPhase,
  notices,
  otherBody,
  pendingApprovalId,
  planSession,
  sliceEvents,
  START_MS,
  submitted,
  system,
} from "../../../test/kit/plan-session.ts";
import { PlanRevision } from "../protocol/plan.ts";

const DAY_MS = 86_400_000;

describe("a whole cycle", () => {
  it("[PL-01, PL-03, PL-05, PL-06, PL-11, TO-05] explores, submits, is approved, works and completes", () => {
    const session = planSession();
    expect(session.state().now).toMatchObject({ mode: "normal", approval: "none", left: "never" });
    session.must({ type: "enter", reason: "explore auth" }, agent);
    expect(session.state().now).toMatchObject({ mode: "plan", approval: "none" });
    submitted(session);
    expect(session.state().now).toMatchObject({ mode: "plan", approval: "pending" });
    const approvalId = pendingApprovalId(session);
    session.must({ type: "decide", approval: { action: "approve", approvalId, digest: DIGEST } }, alice);
    expect(session.state().now).toMatchObject({ mode: "executing", approval: "approved", steps: body.plan });
    const done = session.must(
      {
        type: "update",
        patch: {
          merge: true,
          plan: [
            { step: "Rename the file", status: "completed", verifiedCriteria: ["tests pass", "imports resolve"] },
            { step: "Tell the team", status: "cancelled" },
          ],
        },
      },
      agent,
    );
    expect(sliceEvents(done)).toEqual(["plan.updated", "plan.completed"]);
    expect(session.state().now).toMatchObject({ phase: "off", mode: "normal", left: "completed" });
    expect(notices(done)).toEqual([
      'Plan "Rename the parser" is complete: 1 completed, 1 cancelled, 2 of 2 steps closed.',
    ]);
    expect(session.session().injections.filter((item) => item.kind === "plan_complete")).toHaveLength(1);
  });

  it("[PL-05, PL-10, I08, CH-10] a decision, its injection, the turn and the audit entry are one step", () => {
    const session = inPhase("pending");
    const approvalId = pendingApprovalId(session);
    const { now } = session.state();
    const planId = now.phase === "pending" ? now.submission.planId : "";
    const cycleId = now.phase === "pending" ? now.cycle.id : "";
    const decided = session.must({ type: "decide", approval: { action: "approve", approvalId } }, alice);
    expect(decided.events.map((event) => event.type)).toEqual([
      "slice.changed",
      "timer.cleared",
      "injection.queued",
      "turn.requested",
      "entry.appended",
      "entry.appended",
    ]);
    expect(decided.outbox).toHaveLength(1);
    expect(notices(decided)).toEqual([
      `[plan-mode] approved plan_id=${planId}`,
      "[plan-mode] exited — plan: Rename the parser; Rename the file; Tell the team… (full plan in turn log #0)",
    ]);
    expect(decided.logged).toEqual(notices(decided).map((text) => ({ slice: "planMode", text })));
    expect(decided.audit).toEqual([
      {
        type: "plan.decided",
        detail: {
          cycleId,
          planId,
          approvalId,
          digest: DIGEST,
          decision: "approved",
          by: { kind: "operator", id: "opr_alice" },
          offered: { surface: "cli", extent: "on-request", digest: DIGEST },
        },
      },
    ]);
    const text = session.startTurn();
    expect(text).toContain("[PLAN_DECISION]: approved");
    expect(text).toContain("without planning it again");
    const order = [...text.matchAll(/^\[([A-Z_]+)\]/gm)].map(([, name]) => name);
    expect(order).toEqual(["PLAN_DECISION", "PLAN_MODE_INTRO", "PLAN_STATUS"]); // by priority, then where things stand
    expect(session.session().injections).toEqual([]);
  });

  it("[PL-05, BY-01] stores each submission as an immutable document under a new id and ends the turn", () => {
    const session = inPhase("exploring");
    const first = submitted(session);
    const artifact = first.artifacts[0];
    const revision = PlanRevision.parse(artifact?.body);
    expect(first.artifacts).toEqual([{ kind: "plan", id: revision.planId, digest: DIGEST, body: revision }]);
    expect(revision).toMatchObject({ revision: 1, digest: DIGEST, body, submittedAtMs: START_MS });
    expect(first.events.some((event) => event.type === "turn.ending")).toBe(true);
    const second = PlanRevision.parse(submitted(session, otherBody).artifacts[0]?.body);
    expect(second.revision).toBe(2);
    expect(second.approvalId).not.toBe(revision.approvalId);
    expect(second.planId).not.toBe(revision.planId);
  });

  it("[PL-06] edit unlocks as edited and both kinds of approval reset the rejections", () => {
    const session = inPhase("rejected");
    expect(session.state().now).toMatchObject({ cycle: { rejectionCount: 1 } });
    const approvalId = pendingApprovalId(session);
    session.must({ type: "decide", approval: { action: "edit", approvalId, overRejection: 1 } }, alice);
    expect(session.state().now).toMatchObject({
      mode: "executing",
      approval: "edited",
      cycle: { rejectionCount: 0 },
      decidedBy: { kind: "operator", id: "opr_alice", name: "Alice" },
    });
  });

  it("[PL-07] the third rejection advises to ask a question", () => {
    const session = inPhase("exploring");
    const texts = [1, 2, 3].map((round) => {
      submitted(session);
      const approvalId = pendingApprovalId(session);
      session.must({ type: "decide", approval: { action: "reject", approvalId, feedback: `no ${round}` } }, alice);
      return session.session().injections.findLast((item) => item.kind === "plan_decision")?.text ?? "";
    });
    expect(texts.map((text) => text.includes("ask_user_question"))).toEqual([false, false, true]);
    expect(session.state().now).toMatchObject({ mode: "plan", approval: "rejected", cycle: { rejectionCount: 3 } });
  });

  it("[PL-08, AU-03, I07] an approval expires by its timer, and the agent is told without being started", () => {
    const session = inPhase("pending", { settings: { approvalTimeoutSeconds: 60 } });
    const approvalId = pendingApprovalId(session);
    const [timer] = session.session().timers;
    expect(timer).toEqual({
      key: "planMode/approval",
      atMs: START_MS + 60_000,
      slice: "planMode",
      command: { type: "expire", approvalId },
    });
    session.advance(DAY_MS); // the gateway was down meanwhile
    const fired = session.run({ type: "timer.fire", key: "planMode/approval", atMs: START_MS + 60_000 }, system);
    if ("refused" in fired) throw new Error(fired.refused.message);
    expect(notices(fired)[0]).toMatch(/^\[plan-mode\] approval timed out plan_id=pln_/);
    expect(session.state().now).toMatchObject({ mode: "plan", approval: "timed_out" });
    expect(session.session().timers).toEqual([]);
    expect(session.session().turn).toEqual({ status: "idle" });
    expect(session.session().injections.at(-1)?.text).toContain("[PLAN_DECISION]: timed_out");
  });

  it("[PL-08, I07] refuses an approval at the deadline although its timer has not fired", () => {
    const session = inPhase("pending", { settings: { approvalTimeoutSeconds: 10 } });
    const approvalId = pendingApprovalId(session);
    session.advance(10_000);
    expect(session.outcome({ type: "decide", approval: { action: "approve", approvalId } }, alice)).toBe(
      "APPROVAL_EXPIRED",
    );
    const reject = { action: "reject", approvalId, feedback: "late" } as const;
    expect(session.outcome({ type: "decide", approval: reject }, alice)).toBe("APPROVAL_EXPIRED");
  });

  it("[I07] a clock that steps back does not revive an expired approval", () => {
    const session = inPhase("timed_out");
    session.advance(-DAY_MS);
    const approvalId = pendingApprovalId(session);
    expect(session.outcome({ type: "decide", approval: { action: "approve", approvalId } }, alice)).toBe(
      "APPROVAL_EXPIRED",
    );
  });

  it("[PL-09, I02] a person may change their mind about a rejected plan until the next revision comes", () => {
    const session = inPhase("rejected");
    const approvalId = pendingApprovalId(session);
    session.must({ type: "decide", approval: { action: "approve", approvalId, overRejection: true } }, alice);
    expect(session.session().injections.filter((item) => item.kind === "plan_decision")).toHaveLength(1);
    expect(session.startTurn()).toContain("[PLAN_DECISION]: approved");
    const other = inPhase("rejected");
    const old = pendingApprovalId(other);
    submitted(other, otherBody);
    expect(other.outcome({ type: "decide", approval: { action: "approve", approvalId: old } }, alice)).toBe(
      "APPROVAL_SUPERSEDED",
    );
  });

  it("[I12, I04] a new submission cancels the queued decision about the old one, and keeps a queued answer", () => {
    const session = inPhase("exploring");
    session.must({ type: "ask", callId: "c1", question: "Which?", options: ["A", "B"] }, agent);
    const question = session.state().question;
    if (question === null) throw new Error("no question");
    session.must(
      { type: "decide", approval: { action: "answer", approvalId: question.approvalId, answer: "1" } },
      alice,
    );
    submitted(session);
    const approvalId = pendingApprovalId(session);
    session.must({ type: "decide", approval: { action: "reject", approvalId, feedback: "no" } }, alice);
    submitted(session, otherBody); // in the turn that is still running, before the rejection was delivered
    expect(session.session().injections.map((item) => item.kind)).toEqual(["plan_intro", "question_answer"]);
  });
});

describe("entering", () => {
  it("[PL-03, TO-01, CH-10] twice keeps a pending approval and the moment that its line names, and refreshes the session's time alone", () => {
    const session = inPhase("pending");
    const before = session.state();
    session.advance(5_000);
    const again = session.must({ type: "enter", reason: "again" }, agent);
    expect(sliceEvents(again)).toEqual(["plan.refreshed"]);
    expect(again.reply).toEqual({
      entered_plan_mode: true,
      already_in_plan_mode: true,
      entered_at: "2023-11-14T22:13:20Z",
      reason: "explore",
      instructions: expect.stringContaining("exit_plan_mode"),
    });
    expect(session.state()).toEqual(before);
    expect(session.session().updatedAtMs).toBe(START_MS + 5_000);
  });

  it("[PL-04, CH-10] starts a new cycle from executing: old approval, question, timers and injections are gone", () => {
    const session = inPhase("executing");
    const old = session.state().now;
    const oldApproval = pendingApprovalId(session);
    session.must({ type: "ask", callId: "c9", question: "Sure?", options: ["yes", "no"] }, agent);
    const entered = session.must({ type: "enter", reason: "" }, alice);
    expect(sliceEvents(entered)).toEqual(["question.closed", "plan.entered"]);
    const { now, question } = session.state();
    if (now.phase !== "exploring" || old.phase !== "executing") throw new Error(now.phase);
    expect(now.cycle).toEqual({
      id: expect.stringMatching(/^cyc_/),
      enteredAtMs: START_MS,
      enteredBy: { kind: "operator", id: "opr_alice", name: "Alice" },
      reason: "operator",
      rejectionCount: 0,
      revisionCount: 0,
    });
    expect(now.cycle.id).not.toBe(old.cycle.id);
    expect(question).toBeNull();
    expect(session.session().timers).toEqual([]);
    expect(session.session().injections.map((item) => item.kind)).toEqual(["plan_intro"]);
    expect(notices(entered).at(-1)).toBe("[plan-mode] entered at 2023-11-14T22:13:20Z — reason: operator");
    const late = { action: "approve", approvalId: oldApproval } as const;
    expect(session.outcome({ type: "decide", approval: late }, alice)).toBe("APPROVAL_STALE");
  });

  it("[PL-04] the agent, a person, a default and a rule all build the same cycle", () => {
    const byAgent = inPhase("exploring").state().now;
    const person = planSession();
    person.must({ type: "enter", reason: "explore" }, alice);
    const opened = planSession({ role: "coordinator" }).state().now;
    const flipped = planSession({ settings: { autoEnterOnDestructive: true } });
    flipped.must({ type: "destructive", check: "rm -rf" }, agent);
    const shapes = [byAgent, person.state().now, opened, flipped.state().now].map((now) => {
      if (now.phase !== "exploring") throw new Error(now.phase);
      const { id: _id, enteredBy: _by, reason: _reason, ...cycle } = now.cycle;
      return { ...now, cycle };
    });
    expect(new Set(shapes.map((shape) => JSON.stringify(shape))).size).toBe(1);
  });

  it("[IN-04] the intro is queued once per cycle", () => {
    const session = inPhase("exploring");
    session.must({ type: "enter", reason: "" }, agent);
    expect(session.session().injections).toMatchObject([{ kind: "plan_intro", priority: 3 }]);
    expect(session.session().injections[0]?.text).toMatch(/^\[PLAN_MODE_INTRO\]\n.*\(explore\)/);
  });

  it.each(["subagent", "cron", "poller", "heartbeat", "hook"] as const)(
    "[PL-13] a %s session cannot enter, and is told why",
    (kind) => {
      const session = planSession({ kind, role: "coordinator", settings: { defaultActive: true } });
      expect(session.state().now.mode).toBe("normal");
      for (const actor of [agent, alice, system]) {
        expect(session.apply({ type: "enter", reason: "" }, actor)).toMatchObject({
          refused: { code: "PERMISSION_DENIED", details: { session_kind: kind, reason: "nobody could approve" } },
        });
      }
      expect(session.apply({ type: "submit", body, digest: DIGEST }, agent)).toMatchObject({
        refused: { code: "PLAN_NOT_ACTIVE", message: expect.stringContaining("Nobody could approve one here") },
      });
    },
  );

  it.each([
    { defaultActive: null, role: "coordinator", mode: "plan" },
    { defaultActive: null, role: "worker", mode: "normal" },
    { defaultActive: null, role: "proactive", mode: "normal" },
    { defaultActive: null, role: "whatever", mode: "normal" },
    { defaultActive: null, role: undefined, mode: "normal" },
    { defaultActive: true, role: "worker", mode: "plan" },
    { defaultActive: false, role: "coordinator", mode: "normal" },
  ])("[PL-14] defaultActive $defaultActive with role $role starts in $mode", ({ defaultActive, role, mode }) => {
    const session = planSession({ settings: { defaultActive }, ...(role === undefined ? {} : { role }) });
    expect(session.state().now.mode).toBe(mode);
  });

  it("[PL-02, PL-14] where the feature is off no role starts plan mode", () => {
    const session = planSession({ settings: { enabled: false, defaultActive: true }, role: "coordinator" });
    expect(session.state().now).toMatchObject({ mode: "normal", left: "never" });
  });

  it("[PL-15] a destructive attempt flips a normal session and says which check it was", () => {
    const session = planSession({ settings: { autoEnterOnDestructive: true } });
    const flipped = session.must({ type: "destructive", check: "rm -rf" }, agent);
    expect(flipped.reply).toMatchObject({ entered_plan_mode: true, reason: "auto-destructive: rm -rf" });
    expect(notices(flipped)).toEqual([
      "[plan-mode] entered at 2023-11-14T22:13:20Z — reason: auto-destructive: rm -rf",
    ]);
    expect(session.state().now).toMatchObject({ cycle: { enteredBy: { kind: "policy", id: "auto-destructive" } } });
    const without = planSession();
    expect(without.must({ type: "destructive", check: "rm" }, agent).reply).toEqual({ entered_plan_mode: false });
    expect(without.state().now.mode).toBe("normal");
  });
});

describe("leaving", () => {
  it.each(["exploring", "pending", "rejected", "timed_out", "executing"] as const)(
    "[PL-02, PL-11, CH-10] a person leaves from %s, even with the feature off",
    (phase) => {
      const session = inPhase(phase);
      session.must({ type: "decide", approval: { action: "auto", enabled: true } }, alice);
      session.configure({ enabled: false });
      const { now: before } = session.state();
      const left = session.must({ type: "leave" }, alice);
      const planId = before.phase === "executing" ? before.submission.planId : "";
      expect(notices(left).at(-1)).toBe(
        phase === "executing"
          ? `[plan-mode] left plan_id=${planId}` // plan mode was exited at the approval
          : phase === "exploring"
            ? "[plan-mode] exited — plan: none… (full plan in turn log #0)"
            : "[plan-mode] exited — plan: Rename the parser; Rename the file; Tell the team… (full plan in turn log #0)",
      );
      const { now, auto, question } = session.state();
      expect({ now, auto, question }).toEqual({
        now: {
          phase: "off",
          mode: "normal",
          approval: "none",
          left: "off",
          cycleId: expect.stringMatching(/^cyc_/),
          steps: [],
        },
        auto: false,
        question: null,
      });
      expect(session.session().timers).toEqual([]);
      expect(session.session().injections).toEqual([]);
    },
  );

  it("[PL-02] what a person switched off is not switched on again by an automatism, only by a person or the agent", () => {
    const session = planSession();
    expect(session.outcome({ type: "enter", reason: "auto-enable" }, system)).toBe("plan.entered");
    session.must({ type: "leave" }, alice);
    expect(session.outcome({ type: "enter", reason: "auto-enable" }, system)).toBe("PERMISSION_DENIED");
    expect(session.outcome({ type: "enter", reason: "" }, agent)).toBe("plan.entered");
    const never = planSession();
    expect(never.outcome({ type: "leave" }, alice)).toBe("plan.left");
    expect(never.outcome({ type: "enter", reason: "auto-enable" }, system)).toBe("PERMISSION_DENIED");
    expect(inPhase("executing").outcome({ type: "enter", reason: "auto-enable" }, system)).toBe("PERMISSION_DENIED");
  });

  it("[IN-02] an undelivered completion of the old cycle is not delivered in the next", () => {
    const session = inPhase("executing");
    const closed = body.plan.map(({ step }) => ({ step, status: "cancelled" as const }));
    session.must({ type: "update", patch: { plan: closed } }, agent);
    expect(session.session().injections.map((item) => item.kind)).toContain("plan_complete");
    session.must({ type: "enter", reason: "" }, alice);
    expect(session.session().injections.map((item) => item.kind)).toEqual(["plan_intro"]);
  });
});

describe("questions", () => {
  it("[QU-01, QU-03, TO-06] a question waits durably, ends the turn, and its answer resumes the agent in plan mode", () => {
    const session = inPhase("exploring", { settings: { approvalTimeoutSeconds: 600 } });
    const asked = session.must(
      { type: "ask", callId: "call_7", question: "Which one? ", options: ["Blue", { id: "red", label: "Red" }] },
      agent,
    );
    expect(asked.events.some((event) => event.type === "turn.ending")).toBe(true);
    const question = session.state().question;
    if (question === null) throw new Error("no question");
    expect(question).toMatchObject({ question: "Which one?", allowFreetext: false, deadlineAtMs: START_MS + 600_000 });
    expect(session.session().timers).toEqual([
      {
        key: "planMode/question",
        atMs: START_MS + 600_000,
        slice: "planMode",
        command: { type: "expire", approvalId: question.approvalId },
      },
    ]);
    const { approvalId, questionId } = question;
    const answered = session.must(
      { type: "decide", approval: { action: "answer", approvalId, questionId, answer: "2" } },
      alice,
    );
    expect(answered.outbox).toHaveLength(1);
    expect(answered.reply).toEqual({ question_id: questionId, answer: "Red", option_id: "red" });
    expect(session.state()).toMatchObject({ question: null, now: { mode: "plan" } });
    expect(session.session().timers).toEqual([]);
    expect(session.startTurn()).toMatch(/^\[QUESTION_ANSWER\]\nquestion_id: qst_\w+\noption: red\nanswer:\n> Red\n/);
  });

  it("[QU-02] stale, foreign and duplicate answers change nothing", () => {
    const session = inPhase("exploring");
    session.must({ type: "ask", callId: "c1", question: "One?", options: ["A", "B"] }, agent);
    const first = session.state().question;
    if (first === null) throw new Error("no question");
    const answer = (approvalId: typeof first.approvalId | undefined, more: object = {}) =>
      session.outcome({ type: "decide", approval: { action: "answer", approvalId, answer: "A", ...more } }, alice);
    expect(answer(undefined)).toBe("APPROVAL_ID_REQUIRED");
    expect(answer(first.approvalId, { questionId: "qst_other" })).toBe("QUESTION_STALE");
    expect(answer(first.approvalId, { answer: " \u200b " })).toBe("ANSWER_INVALID");
    expect(answer(first.approvalId, { answer: "C" })).toBe("ANSWER_INVALID");
    expect(answer(first.approvalId)).toBe("question.answered");
    expect(answer(first.approvalId)).toBe("QUESTION_NOT_PENDING");
    session.must({ type: "ask", callId: "c2", question: "Two?", options: ["A", "B"] }, agent);
    const before = session.state();
    expect(answer(first.approvalId)).toBe("QUESTION_STALE");
    expect(session.state()).toEqual(before);
  });

  it("[BY-07] an unanswered question ends as that: no answer is made up and no turn is started", () => {
    const session = inPhase("exploring", { settings: { approvalTimeoutSeconds: 10 } });
    session.must({ type: "ask", callId: "c1", question: "One?", options: ["A", "B"], allowFreetext: true }, agent);
    const approvalId = session.state().question?.approvalId;
    session.advance(10_000);
    const late = { action: "answer", approvalId, answer: "A" } as const;
    expect(session.outcome({ type: "decide", approval: late }, alice)).toBe("APPROVAL_EXPIRED");
    session.run({ type: "timer.fire", key: "planMode/question", atMs: START_MS + 10_000 }, system);
    expect(session.state().question).toBeNull();
    expect(session.session().turn.status).toBe("idle");
    expect(session.session().injections.at(-1)?.text).toContain("This is no answer");
  });

  it("[QU-01] submitting a plan supersedes the question; asking while a plan waits is refused", () => {
    const session = inPhase("exploring");
    session.must({ type: "ask", callId: "c1", question: "One?", options: ["A", "B"] }, agent);
    expect(session.outcome({ type: "ask", callId: "c2", question: "Two?", options: ["A", "B"] }, agent)).toBe(
      "QUESTION_PENDING",
    );
    expect(sliceEvents(submitted(session))).toEqual(["question.closed", "plan.submitted"]);
    expect(session.session().timers.map((timer) => timer.key)).toEqual(["planMode/approval"]);
    expect(session.outcome({ type: "ask", callId: "c3", question: "Two?", options: ["A", "B"] }, agent)).toBe(
      "APPROVAL_PENDING",
    );
  });
});

describe("carrying out", () => {
  it("[TO-03, BY-01] update_plan in plan mode keeps a draft and never changes what was submitted", () => {
    const session = inPhase("pending");
    const updated = session.must(
      { type: "update", patch: { plan: [{ step: "Something else", status: "completed" }] } },
      agent,
    );
    expect(sliceEvents(updated)).toEqual(["plan.updated"]);
    const { now } = session.state();
    if (now.phase !== "pending") throw new Error(now.phase);
    expect(now.submission.steps).toEqual(body.plan);
    expect(now.steps).toEqual([{ step: "Something else", status: "completed" }]);
    session.must({ type: "decide", approval: { action: "approve", approvalId: now.submission.approvalId } }, alice);
    expect(session.state().now).toMatchObject({ mode: "executing", steps: body.plan });
  });

  it("[PL-11, TO-05] completion happens once: later updates are plain ones", () => {
    const session = inPhase("executing");
    const closed = body.plan.map(({ step }) => ({ step, status: "cancelled" as const }));
    expect(session.outcome({ type: "update", patch: { plan: closed } }, agent)).toBe("plan.updated plan.completed");
    expect(session.outcome({ type: "update", patch: { plan: closed } }, agent)).toBe("plan.updated");
  });
});
