/** Between the end of a plan and a person's next words. */
import { expect, it } from "vitest";
import { agent, alice, inPhase, type PlanSession } from "../../../../test/kit/plan-session.ts";
import type { PlanModeSettings } from "../../protocol/settings.ts";

let calls = 0;
/** What a change gets in the turn that runs: the rule that refuses it, or "claimed". */
function change(session: PlanSession): string {
  const { turn, epoch } = session.session();
  if (turn.status !== "running") throw new Error("no turn runs");
  const at = { turnId: turn.turnId, epoch };
  const callId = `call-${(calls += 1)}`;
  session.run({ type: "turn.say", ...at, text: "", calls: [{ callId, tool: "write", args: {} }] }, agent);
  const done = session.run({ type: "call.claim", ...at, callId, kind: "file_edit", argsDigest: "d" }, agent);
  session.run({ type: "call.finish", ...at, callId, status: "ok", content: null }, agent);
  if (!("refused" in done)) return "claimed";
  return (done.refused.details as { refusal: { rule: string } }).refusal.rule;
}

/** A plan that is being carried out, in a turn. */
function carriedOut(settings: Partial<PlanModeSettings>): PlanSession {
  const session = inPhase("executing", { settings });
  session.startTurn();
  expect(change(session)).toBe("claimed");
  const steps = session.state().now.steps.map((step) => ({ ...step, status: "cancelled" as const }));
  session.must({ type: "update", patch: { plan: steps, merge: true } }, agent);
  expect(session.state().now).toMatchObject({ phase: "off", mode: "normal", left: "completed" });
  return session;
}

it("[PL-11, PL-14] where sessions begin in plan mode, a plan that is done covers nothing further of its turn", () => {
  const session = carriedOut({ defaultActive: true });
  expect(change(session)).toBe("plan-mode/plan-done");
  session.must({ type: "enter", reason: "one more thing" }, agent); // the agent may plan it
  expect(change(session)).toBe("plan-mode/read-only");
});

it("[PL-11] elsewhere, and where a person left plan mode, the session is as free as normal mode is", () => {
  expect(change(carriedOut({ defaultActive: false }))).toBe("claimed");
  const left = inPhase("executing", { settings: { defaultActive: true } });
  left.startTurn();
  left.must({ type: "leave" }, alice);
  expect(change(left)).toBe("claimed");
});
