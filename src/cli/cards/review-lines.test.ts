import { describe, expect, it } from "vitest";
import { admin, agent, alice, inPhase, pendingApprovalId, type PlanSession } from "../../../test/kit/plan-session.ts";
import type { Step } from "../../core/step.ts";
import { ApprovalRules } from "../../plan-mode/protocol/approvals.ts";
import { PlanModeEvent } from "../../plan-mode/protocol/event.ts";
import { NO_PAINT } from "../text/paint.ts";
import { planLines } from "./plan-lines.ts";

const beholder = {
  look: { columns: 200, paint: NO_PAINT },
  nowMs: 0,
  person: { id: "opr_alice", name: "Alice", scopes: [] },
};

function told(session: PlanSession, change: () => Step): string[] {
  const before = session.state();
  return change()
    .events.flatMap((event) => (event.type === "slice.changed" ? [PlanModeEvent.parse(event.event)] : []))
    .flatMap((event) => planLines(event, before, beholder))
    .filter((line) => line !== "");
}

describe("review in the terminal", () => {
  it("[RV-01, PL-18] tells notes, threads and signatures as they come", () => {
    const session = inPhase("pending", { settings: { approvals: ApprovalRules.parse({ quorum: 2 }) } });
    const approvalId = pendingApprovalId(session);
    const add = {
      action: "add",
      approvalId,
      kind: "question",
      anchor: { on: "step", step: 1 },
      text: "Why\u202e?",
    } as const;
    expect(told(session, () => session.must({ type: "note", note: add }, admin))).toEqual([
      '– Root noted n1 on step 1 "Rename the file": Why‹U+202E›?',
    ]);
    const noteId = session.state().review?.notes[0]?.id;
    if (noteId === undefined) throw new Error("nothing was noted");
    const note = (given: object) =>
      told(session, () => session.must({ type: "note", note: { noteId, ...given } as never }, alice));
    expect(note({ action: "reply", text: "Because" })).toEqual(["– You replied to n1: Because"]);
    expect(note({ action: "resolve" })).toEqual(["– You resolved n1."]);
    expect(note({ action: "reopen" })).toEqual(["– You reopened n1."]);
    const approve = { type: "decide", approval: { action: "approve", approvalId } } as const;
    expect(told(session, () => session.must(approve, alice))).toEqual(["– You signed; 2 signatures are needed."]);
    expect(told(session, () => session.must({ type: "reading", approvalId }, alice))).toEqual([]);
  });

  it("[RV-02] says which notes a revision claims to answer", () => {
    const session = inPhase("pending");
    const add = {
      action: "add",
      approvalId: pendingApprovalId(session),
      kind: "change",
      anchor: { on: "plan" },
      text: "x",
    } as const;
    session.must({ type: "note", note: add }, alice);
    const body = { title: "Again", plan: [{ step: "A", status: "pending" as const }] };
    const lines = told(session, () => session.must({ type: "submit", body, digest: "d", addresses: ["n1"] }, agent));
    expect(lines.at(-1)).toBe("– 1 note is open on this revision. The agent says it answers n1.");
  });
});
