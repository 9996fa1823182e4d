/** Every command in every phase: what it is answered with. A cell is the refusal's code or the events it causes. */
import { describe, expect, it } from "vitest";
import {
  admin,
  agent,
  alice,
  body,
  DIGEST,
  inPhase,
  otherAgent,
  pendingApprovalId,
  type PlanSession,
  reader,
  system,
} from "../../../test/kit/plan-session.ts";
import type { Actor } from "../../protocol/actor.ts";
import { ApprovalId, PlanId } from "../../protocol/ids.ts";
import type { PlanModeCommand } from "../protocol/command.ts";
import { PlanNudges } from "../protocol/settings.ts";
import { PlanModeState } from "../protocol/state.ts";

const PHASES = ["off", "exploring", "pending", "rejected", "timed_out", "executing"] as const;
const FOREIGN = ApprovalId.parse("apr_foreign");

const currentId = (session: PlanSession): ApprovalId => {
  const { phase } = session.state().now;
  return phase === "off" || phase === "exploring" ? FOREIGN : pendingApprovalId(session);
};
const currentPlan = (session: PlanSession): PlanId => {
  const { now } = session.state();
  return now.phase === "off" || now.phase === "exploring" ? PlanId.parse("pln_none") : now.submission.planId;
};

type Row = { command: string; actor: Actor; make(session: PlanSession): PlanModeCommand; answers: string[] };
const each = (answer: string): string[] => PHASES.map(() => answer);

const NONE = "APPROVAL_NOT_PENDING";
const ROWS: Row[] = [
  {
    command: "enter",
    actor: agent,
    make: () => ({ type: "enter", reason: "" }),
    answers: ["plan.entered", "plan.refreshed", "plan.refreshed", "plan.refreshed", "plan.refreshed", "plan.entered"],
  },
  {
    command: "leave",
    actor: alice,
    make: () => ({ type: "leave" }),
    answers: each("plan.left"),
  },
  {
    command: "submit",
    actor: agent,
    make: () => ({ type: "submit", body, digest: DIGEST }),
    answers: ["PLAN_NOT_ACTIVE", ...Array<string>(4).fill("plan.submitted"), "PLAN_NOT_ACTIVE"],
  },
  {
    command: "gated",
    actor: system,
    make: () => ({ type: "gated", gated: false }),
    answers: each("run.gated"),
  },
  {
    command: "tried",
    actor: system,
    make: () => ({ type: "tried", tried: { path: "src/a.ts", program: "make", others: 0 } }),
    answers: each("run.tried"),
  },
  {
    command: "write",
    actor: alice,
    make: () => ({ type: "write", text: "- one" }),
    answers: each("PLAN_INVALID"), // only for agents outside
  },
  {
    command: "approve",
    actor: alice,
    make: (session) => ({ type: "decide", approval: { action: "approve", approvalId: currentId(session) } }),
    answers: [NONE, NONE, "plan.approved", "APPROVAL_REJECTED", "APPROVAL_EXPIRED", "APPROVAL_ALREADY_DECIDED"],
  },
  {
    command: "edit",
    actor: admin,
    make: (session) => ({
      type: "decide",
      approval: { action: "edit", approvalId: currentId(session), digest: DIGEST },
    }),
    answers: [NONE, NONE, "plan.approved", "APPROVAL_REJECTED", "APPROVAL_EXPIRED", "APPROVAL_ALREADY_DECIDED"],
  },
  {
    command: "approve over the rejection that was seen",
    actor: alice,
    make: (session) => ({
      type: "decide",
      approval: { action: "approve", approvalId: currentId(session), overRejection: 1 },
    }),
    answers: [NONE, NONE, "plan.approved", "plan.approved", "APPROVAL_EXPIRED", "APPROVAL_ALREADY_DECIDED"],
  },
  {
    command: "edit over every rejection",
    actor: admin,
    make: (session) => ({
      type: "decide",
      approval: { action: "edit", approvalId: currentId(session), overRejection: true },
    }),
    answers: [NONE, NONE, "plan.approved", "plan.approved", "APPROVAL_EXPIRED", "APPROVAL_ALREADY_DECIDED"],
  },
  {
    command: "resolve approve over the rejection",
    actor: alice,
    make: (session) => ({
      type: "resolve",
      planId: currentPlan(session),
      decision: "approve",
      overRejection: true,
    }),
    answers: [
      "PLAN_NOT_FOUND",
      "PLAN_NOT_FOUND",
      "plan.approved",
      "plan.approved",
      "APPROVAL_EXPIRED",
      "APPROVAL_ALREADY_DECIDED",
    ],
  },
  {
    command: "lift",
    actor: alice,
    make: (session) => ({ type: "decide", approval: { action: "lift", approvalId: currentId(session) } }),
    answers: each(NONE),
  },
  {
    command: "reject",
    actor: alice,
    make: (session) => ({
      type: "decide",
      approval: { action: "reject", approvalId: currentId(session), feedback: "no" },
    }),
    answers: [NONE, NONE, "plan.rejected", "plan.rejected", "APPROVAL_EXPIRED", "APPROVAL_ALREADY_DECIDED"],
  },
  {
    command: "reject with the feedback that it was sent back with",
    actor: alice,
    make: (session) => ({
      type: "decide",
      approval: { action: "reject", approvalId: currentId(session), feedback: " smaller " },
    }),
    answers: [NONE, NONE, "plan.rejected", "APPROVAL_ALREADY_DECIDED", "APPROVAL_EXPIRED", "APPROVAL_ALREADY_DECIDED"],
  },
  {
    command: "resolve approve",
    actor: alice,
    make: (session) => ({ type: "resolve", planId: currentPlan(session), decision: "approve" }),
    answers: [
      "PLAN_NOT_FOUND",
      "PLAN_NOT_FOUND",
      "plan.approved",
      "APPROVAL_REJECTED",
      "APPROVAL_EXPIRED",
      "APPROVAL_ALREADY_DECIDED",
    ],
  },
  {
    command: "resolve reject without a reason",
    actor: alice,
    make: (session) => ({ type: "resolve", planId: currentPlan(session), decision: "reject" }),
    answers: [
      "PLAN_NOT_FOUND",
      "PLAN_NOT_FOUND",
      "FEEDBACK_REQUIRED",
      "FEEDBACK_REQUIRED",
      "APPROVAL_EXPIRED",
      "APPROVAL_ALREADY_DECIDED",
    ],
  },
  {
    command: "approve without an id",
    actor: alice,
    make: () => ({ type: "decide", approval: { action: "approve" } }),
    answers: each("APPROVAL_ID_REQUIRED"),
  },
  {
    command: "approve with a foreign id",
    actor: alice,
    make: () => ({ type: "decide", approval: { action: "approve", approvalId: FOREIGN } }),
    answers: [NONE, NONE, ...Array<string>(4).fill("APPROVAL_UNKNOWN")],
  },
  {
    command: "approve with another digest",
    actor: alice,
    make: (session) => ({
      type: "decide",
      approval: { action: "approve", approvalId: currentId(session), digest: "x" },
    }),
    answers: [
      NONE,
      NONE,
      "APPROVAL_DIGEST_MISMATCH",
      "APPROVAL_REJECTED",
      "APPROVAL_EXPIRED",
      "APPROVAL_ALREADY_DECIDED",
    ],
  },
  {
    command: "reject with blank feedback",
    actor: alice,
    make: (session) => ({
      type: "decide",
      approval: { action: "reject", approvalId: currentId(session), feedback: " \u200b\n" },
    }),
    answers: [NONE, NONE, "FEEDBACK_REQUIRED", "FEEDBACK_REQUIRED", "APPROVAL_EXPIRED", "APPROVAL_ALREADY_DECIDED"],
  },
  {
    command: "reject with 8193 characters",
    actor: alice,
    make: (session) => ({
      type: "decide",
      approval: { action: "reject", approvalId: currentId(session), feedback: "x".repeat(8_193) },
    }),
    answers: each("INVALID_REQUEST"),
  },
  {
    command: "auto on",
    actor: alice,
    make: () => ({ type: "decide", approval: { action: "auto", enabled: true } }),
    answers: each("plan.auto_set"),
  },
  {
    command: "answer",
    actor: alice,
    make: () => ({ type: "decide", approval: { action: "answer", approvalId: FOREIGN, answer: "1" } }),
    answers: each("QUESTION_NOT_PENDING"),
  },
  {
    command: "ask",
    actor: agent,
    make: () => ({ type: "ask", callId: "c1", question: "Which?", options: ["A", "B"] }),
    answers: ["question.asked", "question.asked", "APPROVAL_PENDING", ...Array<string>(3).fill("question.asked")],
  },
  {
    command: "update",
    actor: agent,
    make: () => ({ type: "update", patch: { plan: [{ step: "Tell the team", status: "in_progress" }], merge: true } }),
    answers: each("plan.updated"),
  },
  {
    command: "destructive",
    actor: agent,
    make: () => ({ type: "destructive", check: "rm" }),
    answers: ["plan.entered", ...Array<string>(5).fill("")],
  },
  {
    command: "expire",
    actor: system,
    make: (session) => ({ type: "expire", approvalId: currentId(session) }),
    answers: [NONE, NONE, "plan.timed_out", NONE, NONE, NONE],
  },
  { command: "status", actor: reader, make: () => ({ type: "status" }), answers: each("") },
];

describe.each(ROWS)("$command", ({ make, actor, answers }) => {
  it.each(PHASES.map((phase, index) => ({ phase, answer: answers[index] ?? "?" })))(
    "[PL-01, PL-09, PL-10, I03] in $phase: $answer, and a refusal changes nothing",
    ({ phase, answer }) => {
      const session = inPhase(phase, { settings: { autoEnterOnDestructive: true } });
      const before = session.session();
      expect(session.outcome(make(session), actor)).toBe(answer);
      expect(session.session() === before).toBe(/^[A-Z]/.test(answer));
      expect(PlanModeState.safeParse(session.state()).success).toBe(true);
    },
  );
});

describe("who may", () => {
  const decisions: Row["make"][] = [
    () => ({ type: "leave" }),
    (session) => ({ type: "decide", approval: { action: "approve", approvalId: currentId(session) } }),
    (session) => ({ type: "decide", approval: { action: "edit", approvalId: currentId(session) } }),
    (session) => ({ type: "decide", approval: { action: "reject", approvalId: currentId(session), feedback: "no" } }),
    (session) => ({ type: "decide", approval: { action: "answer", approvalId: currentId(session), answer: "1" } }),
    () => ({ type: "decide", approval: { action: "auto", enabled: true } }),
    (session) => ({ type: "resolve", planId: currentPlan(session), decision: "approve" }),
  ];

  it.each(PHASES)("[TO-08, GW-04, I05] in %s nobody but an operator with operator.approvals decides", (phase) => {
    for (const make of decisions) {
      for (const actor of [agent, otherAgent, system, reader]) {
        const session = inPhase(phase);
        expect(session.outcome(make(session), actor)).toBe("PERMISSION_DENIED");
      }
    }
  });

  it("[I05] people and other sessions' agents do not speak for this agent, and only the system lets time pass", () => {
    const session = inPhase("pending");
    const ask: PlanModeCommand = { type: "ask", callId: "c", question: "Q?", options: ["A", "B"] };
    const update: PlanModeCommand = { type: "update", patch: { plan: [{ step: "x", status: "pending" }] } };
    for (const command of [{ type: "submit", body, digest: DIGEST } as const, ask, update]) {
      for (const actor of [alice, admin, otherAgent, system]) {
        expect(session.outcome(command, actor)).toBe("PERMISSION_DENIED");
      }
    }
    for (const actor of [agent, alice, admin]) {
      expect(session.outcome({ type: "expire", approvalId: currentId(session) }, actor)).toBe("PERMISSION_DENIED");
    }
    expect(session.outcome({ type: "enter", reason: "" }, reader)).toBe("PERMISSION_DENIED");
    expect(session.outcome({ type: "enter", reason: "" }, otherAgent)).toBe("PERMISSION_DENIED");
  });
});

describe("switched off", () => {
  const off = (phase: Parameters<typeof inPhase>[0]) => {
    const session = inPhase(phase);
    session.configure({ enabled: false, nudges: PlanNudges.parse({}) });
    return session;
  };
  const question: PlanModeCommand = { type: "ask", callId: "c", question: "Q?", options: ["A", "B"] };

  it("[PL-02] no cycle begins, and no agent plans in a session without one", () => {
    const session = off("off");
    expect(session.outcome({ type: "enter", reason: "" }, alice)).toBe("PLAN_MODE_DISABLED");
    expect(session.outcome({ type: "enter", reason: "" }, agent)).toBe("PLAN_MODE_DISABLED");
    expect(session.outcome({ type: "submit", body, digest: DIGEST }, agent)).toBe("PLAN_MODE_DISABLED");
    expect(session.outcome({ type: "update", patch: { plan: body.plan } }, agent)).toBe("PLAN_MODE_DISABLED");
    expect(session.outcome(question, agent)).toBe("PLAN_MODE_DISABLED");
    expect(off("executing").outcome({ type: "enter", reason: "" }, alice)).toBe("PLAN_MODE_DISABLED");
    expect(off("pending").outcome({ type: "decide", approval: { action: "auto", enabled: true } }, alice)).toBe(
      "PLAN_MODE_DISABLED",
    );
  });

  it("[PL-02, PL-11] a cycle that waits is decided, carried out and completed, and then no other begins", () => {
    const session = off("pending");
    const approval = { action: "approve", approvalId: currentId(session) } as const;
    expect(session.outcome({ type: "decide", approval }, alice)).toBe("plan.approved");
    expect(session.session().timers.map(({ key }) => key)).toEqual(["planMode/nudge"]); // it is not left to execute for ever
    const plan = body.plan.map(({ step }) => ({ step, status: "cancelled" as const }));
    expect(session.outcome({ type: "update", patch: { plan, merge: true } }, agent)).toBe(
      "plan.updated plan.completed",
    );
    expect(session.outcome({ type: "enter", reason: "" }, agent)).toBe("PLAN_MODE_DISABLED");
  });

  it("[PL-02] a cycle that has no plan yet goes on: the agent asks, submits, is sent back and submits again", () => {
    const session = off("exploring");
    expect(session.outcome(question, agent)).toBe("question.asked");
    expect(session.outcome({ type: "submit", body, digest: DIGEST }, agent)).toBe("question.closed plan.submitted");
    const reject = { action: "reject", approvalId: currentId(session), feedback: "no" } as const;
    expect(session.outcome({ type: "decide", approval: reject }, alice)).toBe("plan.rejected");
    expect(session.outcome({ type: "submit", body, digest: DIGEST }, agent)).toBe("plan.submitted");
    expect(session.outcome({ type: "leave" }, alice)).toBe("plan.left");
  });

  it("[PL-02] names no tool that the agent is not offered", () => {
    const refused = off("executing").apply({ type: "submit", body, digest: DIGEST }, agent);
    expect(refused).toMatchObject({ refused: { code: "PLAN_NOT_ACTIVE" } });
    expect(JSON.stringify(refused)).not.toContain("enter_plan_mode");
  });
});
