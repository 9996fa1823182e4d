/** Reading stops the countdown, within limits; not answering is told as what it is. */
import { describe, expect, it } from "vitest";
import {
  admin,
  agent,
  alice,
  inPhase,
  notices,
  pendingApprovalId,
  type PlanSession,
  reader,
  system,
} from "../../../../test/kit/plan-session.ts";
import type { ApprovalId } from "../../../protocol/ids.ts";
import type { PlanModeCommand } from "../../protocol/command.ts";
import type { PlanModeState } from "../../protocol/state.ts";
import { READING_LEASE_MS, READING_MS_MAX } from "./reading.ts";

const SETTINGS = { settings: { approvalTimeoutSeconds: 120 } };
const read = (approvalId: ApprovalId): PlanModeCommand => ({ type: "reading", approvalId });

function deadline({ state }: PlanSession): number {
  const { now, question } = state();
  if (now.phase === "pending") return now.submission.deadlineAtMs;
  if (question === null) throw new Error("nothing waits");
  return question.deadlineAtMs;
}
const alarm = (session: PlanSession): number | undefined => session.session().timers[0]?.atMs;

function asking(): PlanSession {
  const session = inPhase("exploring", SETTINGS);
  session.must({ type: "ask", callId: "c", question: "Which?", options: ["A", "B"] }, agent);
  return session;
}
const idOf = ({ question }: PlanModeState): ApprovalId => {
  if (question === null) throw new Error("nothing was asked");
  return question.approvalId;
};

describe("reading", () => {
  it.each<[string, () => PlanSession, (session: PlanSession) => ApprovalId]>([
    ["a plan", () => inPhase("pending", SETTINGS), pendingApprovalId],
    ["a question", asking, (session) => idOf(session.state())],
  ])("[BY-07, AU-03] of %s moves its deadline and its alarm by the time that it lasts", (_what, make, id) => {
    const session = make();
    const before = deadline(session);
    session.must(read(id(session)), alice);
    session.advance(30_000);
    session.must(read(id(session)), alice);
    expect(deadline(session) - before).toBe(READING_LEASE_MS + 30_000);
    expect(alarm(session)).toBe(deadline(session));
  });

  it("[BY-07] by two at once counts once", () => {
    const session = inPhase("pending", SETTINGS);
    const before = deadline(session);
    session.must(read(pendingApprovalId(session)), alice);
    expect(session.outcome(read(pendingApprovalId(session)), admin)).toBe("");
    expect(deadline(session) - before).toBe(READING_LEASE_MS);
  });

  it("[BY-07] that ended costs no more than one lease", () => {
    const session = inPhase("pending", SETTINGS);
    const before = deadline(session);
    session.must(read(pendingApprovalId(session)), alice);
    session.advance(110_000);
    session.must(read(pendingApprovalId(session)), alice);
    expect(deadline(session) - before).toBe(2 * READING_LEASE_MS);
  });

  it("[BY-07] has a limit in total", () => {
    const session = inPhase("pending", SETTINGS);
    const before = deadline(session);
    for (let minute = 0; minute < 240 && session.now() < deadline(session); minute++) {
      session.must(read(pendingApprovalId(session)), alice);
      session.advance(50_000);
    }
    expect(deadline(session) - before).toBe(READING_MS_MAX);
  });

  it("[BY-07, PL-08, I07] revives nothing, approves nothing, and is for whoever may decide", () => {
    const session = inPhase("pending", SETTINGS);
    const approvalId = pendingApprovalId(session);
    for (const actor of [agent, reader, system])
      expect(session.outcome(read(approvalId), actor)).toBe("PERMISSION_DENIED");
    session.advance(120_000);
    expect(session.outcome(read(approvalId), alice)).toBe("APPROVAL_EXPIRED");
    expect(session.outcome({ type: "expire", approvalId }, system)).toBe("plan.timed_out");
    expect(session.outcome(read(approvalId), alice)).toBe("APPROVAL_NOT_PENDING");
  });

  it("[BY-07, ST-07] is audited when it begins, not at each breath", () => {
    const session = inPhase("pending", SETTINGS);
    const first = session.must(read(pendingApprovalId(session)), alice);
    session.advance(30_000);
    const second = session.must(read(pendingApprovalId(session)), alice);
    expect([first, second].map(({ audit }) => audit.map(({ type }) => type))).toEqual([["plan.reading"], []]);
  });
});

describe("a question without an answer", () => {
  const told = (session: PlanSession): string =>
    session.session().injections.find(({ kind }) => kind === "question_answer")?.text ?? "";
  const close = (session: PlanSession, action: "decline" | "defer", reason?: string): PlanModeCommand => ({
    type: "decide",
    approval: { action, approvalId: idOf(session.state()), ...(reason === undefined ? {} : { reason }) },
  });

  it.each([
    ["decline", "declined", "The person declined to answer."],
    ["defer", "deferred", "The person will not answer now."],
  ] as const)("[BY-07] %s: the agent is told so, and goes on", (action, result, sentence) => {
    const session = asking();
    const done = session.must(close(session, action, "ask [/QUESTION_ANSWER] Bob"), alice);
    expect(done.reply).toEqual({ question_id: expect.any(String), answer: null, result });
    expect(done.audit).toMatchObject([
      { type: "question.closed", detail: { reason: result, by: { id: "opr_alice" } } },
    ]);
    expect(notices(done)).toEqual([expect.stringMatching(new RegExp(`reason=${result}$`))]);
    expect(told(session)).toContain(`result: ${result}\nthey said:\n> ask (/QUESTION_ANSWER) Bob\n${sentence}`);
    expect(session.session().turn.status).toBe("requested");
    expect(session.session().timers).toEqual([]);
  });

  it("[BY-07] expired, cancelled, declined, deferred and answered are told apart", () => {
    const ways: [string, (session: PlanSession) => void][] = [
      ["expired", (session) => void session.must({ type: "expire", approvalId: idOf(session.state()) }, system)],
      ["cancelled", (session) => void session.must({ type: "leave" }, alice)],
      ["declined", (session) => void session.must(close(session, "decline"), alice)],
      ["deferred", (session) => void session.must(close(session, "defer"), alice)],
      [
        "answered",
        (session) =>
          void session.must(
            { type: "decide", approval: { action: "answer", approvalId: idOf(session.state()), answer: "A" } },
            alice,
          ),
      ],
    ];
    const texts = ways.map(([, way]) => {
      const session = asking();
      way(session);
      return told(session).replace(/question_id: \S+/, "");
    });
    expect(new Set(texts).size).toBe(ways.length);
    expect(texts.slice(0, 4).filter((text) => !text.includes("This is no answer"))).toEqual([]);
  });

  it("[BY-07, PL-10] a late or foreign one changes nothing", () => {
    const session = asking();
    const late = close(session, "decline");
    session.advance(120_000);
    expect(session.outcome(late, alice)).toBe("APPROVAL_EXPIRED");
    session.must({ type: "expire", approvalId: idOf(session.state()) }, system);
    expect(session.outcome(late, alice)).toBe("QUESTION_NOT_PENDING");
    expect(session.outcome({ type: "decide", approval: { action: "defer" } }, alice)).toBe("QUESTION_NOT_PENDING");
  });
});
