import { expect, it } from "vitest";
import {
  agent,
  alice,
  body,
  inPhase,
  pendingApprovalId,
  START_MS,
  submitted,
  system,
} from "../../../test/kit/plan-session.ts";

it("[PL-07, PL-08] a time-out leaves the count of rejections as it is", () => {
  const session = inPhase("pending", { settings: { approvalTimeoutSeconds: 60 } });
  const reject = { action: "reject", approvalId: pendingApprovalId(session), feedback: "Smaller." } as const;
  session.must({ type: "decide", approval: reject }, alice);
  submitted(session);
  session.advance(60_000);
  session.run({ type: "timer.fire", key: "planMode/approval", atMs: START_MS + 60_000 }, system);
  expect(session.state().now).toMatchObject({ approval: "timed_out", cycle: { rejectionCount: 1 } });
});

it("[TO-06] a question of nothing but blanks is refused, and nothing waits", () => {
  const session = inPhase("exploring");
  const outcome = session.outcome({ type: "ask", callId: "c1", question: " \u2060\n", options: ["A", "B"] }, agent);
  expect(outcome).toBe("PLAN_INVALID");
  expect(session.state().question).toBeNull();
});

it("[GA-02, UI-03] entering plan mode and leaving it keep the permission mode", () => {
  const session = inPhase("off");
  session.must({ type: "set-permission-mode", mode: "accept" }, alice);
  session.must({ type: "enter", reason: "" }, alice);
  expect(session.state()).toMatchObject({ now: { mode: "plan" }, permission: "accept" });
  session.must({ type: "leave" }, alice);
  expect(session.state()).toMatchObject({ now: { mode: "normal" }, permission: "accept" });
});

it("[TO-03, TO-05] the event of a merged update carries the whole list, with what the patch left out", () => {
  const session = inPhase("executing");
  const patch = { merge: true, plan: [{ step: "Tell the team", status: "in_progress" as const }] };
  const { events } = session.must({ type: "update", patch }, agent);
  const [first, second] = body.plan;
  expect(events).toContainEqual(
    expect.objectContaining({
      event: expect.objectContaining({
        type: "plan.updated",
        steps: [first, { ...second, status: "in_progress" }],
      }),
    }),
  );
});
