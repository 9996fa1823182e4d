import { describe, expect, it } from "vitest";
import {
  admin,
  agent,
  alice,
  body,
  DIGEST,
  inPhase,
  pendingApprovalId,
  type PlanSession,
} from "../../../../test/kit/plan-session.ts";
import type { Actor } from "../../../protocol/actor.ts";

const reject = (session: PlanSession, feedback: string, by: Actor = alice) =>
  session.outcome(
    { type: "decide", approval: { action: "reject", approvalId: pendingApprovalId(session), feedback } },
    by,
  );

describe("a plan that was sent back", () => {
  it("[PL-07, PL-09] takes further feedback, counts it, and the agent receives all of it", () => {
    const session = inPhase("pending");
    expect(reject(session, "smaller")).toBe("plan.rejected");
    expect(reject(session, "and in two parts")).toBe("plan.rejected");
    expect(reject(session, "with tests", admin)).toBe("plan.rejected");
    expect(session.state().now).toMatchObject({
      phase: "rejected",
      feedback: "with tests",
      cycle: { rejectionCount: 3 },
    });
    const text = session.startTurn();
    for (const said of ["smaller", "and in two parts", "with tests", "ask_user_question"]) expect(text).toContain(said);
  });

  it("[PL-07, PL-10] is not sent back again by the same words of the same person", () => {
    const session = inPhase("rejected");
    expect(reject(session, " smaller ")).toBe("APPROVAL_ALREADY_DECIDED");
    expect(reject(session, "smaller", admin)).toBe("plan.rejected");
  });

  it("[PL-09, PL-20] may still be approved, and then no feedback reaches the agent", () => {
    const session = inPhase("rejected");
    reject(session, "and in two parts");
    const approval = { action: "approve", approvalId: pendingApprovalId(session) } as const;
    const over = (overRejection: number) =>
      session.outcome({ type: "decide", approval: { ...approval, overRejection } }, alice);
    expect(over(1)).toBe("APPROVAL_REJECTED"); // formed before the second rejection, so it loses to it (PL-20)
    expect(over(2)).toBe("plan.approved");
    const text = session.startTurn();
    expect(text).toContain("[PLAN_DECISION]: approved");
    expect(text).not.toContain("two parts");
    expect(text).not.toContain("rejected");
  });

  it("[PL-05] loses its feedback to a new revision, all of it", () => {
    const session = inPhase("rejected");
    reject(session, "and in two parts");
    session.must({ type: "submit", body, digest: DIGEST }, agent);
    expect(session.session().injections.filter(({ kind }) => kind === "plan_decision")).toEqual([]);
  });

  it("[PL-07, PL-09, IN-03] keeps feedback that came while the agent revised: that turn cannot submit past it", () => {
    const session = inPhase("pending");
    reject(session, "smaller");
    expect(session.startTurn()).toContain("smaller");
    expect(reject(session, "and in two parts")).toBe("plan.rejected"); // acknowledged to the person
    expect(session.outcome({ type: "submit", body, digest: DIGEST }, agent)).toBe("PLAN_INVALID");
    expect(session.finishTurn().startTurn()).toContain("and in two parts");
    expect(session.outcome({ type: "submit", body, digest: DIGEST }, agent)).toBe("plan.submitted");
  });
});
