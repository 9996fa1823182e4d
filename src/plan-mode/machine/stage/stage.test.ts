/** Approving a plan in parts: some steps, the others later, a person at each checkpoint (BY-05). */
import { describe, expect, it } from "vitest";
import {
  admin,
  agent,
  alice,
  otherAgent,
  pendingApprovalId,
  planSession,
  type PlanSession,
  reader,
  sliceEvents,
  system,
} from "../../../../test/kit/plan-session.ts";
import type { GatedCall } from "../../../plugins/sdk.ts";
import type { Actor } from "../../../protocol/actor.ts";
import type { PlanVerdict } from "../../protocol/command.ts";
import type { PlanModeSettings } from "../../protocol/settings.ts";
import type { PlanBody, PlanStep, StepStatus } from "../../protocol/plan.ts";
import { planDigest } from "../../tools/plan-digest.ts";
import { planCards } from "../../cards/plan-cards.ts";
import { lockOf, planGate } from "../gate.ts";
import { scopeOf } from "../scope/plan-scope.ts";
import { numberRanges, parseRanges } from "./number-ranges.ts";

const plan = (more: Record<number, Partial<PlanStep>> = {}): PlanBody => ({
  title: "Four steps",
  plan: [1, 2, 3, 4].map((number) => ({
    step: `Step ${number}`,
    status: "pending",
    scope: { paths: [`p${number}/`] },
    ...more[number],
  })),
});
const WRITE: GatedCall = { tool: "write", kind: "file_edit", effect: "write", argsDigest: "d" };

function submitted(body = plan(), settings: Partial<PlanModeSettings> = {}): PlanSession {
  const session = planSession({ settings });
  session.must({ type: "enter", reason: "x" }, agent);
  session.must({ type: "submit", body, digest: planDigest(body) }, agent);
  return session;
}

type Verdict = PlanVerdict extends infer One ? (One extends unknown ? Omit<One, "approvalId"> : never) : never;

const decide = (session: PlanSession, verdict: Verdict, actor: Actor = alice): string =>
  session.outcome(
    { type: "decide", approval: { ...verdict, approvalId: pendingApprovalId(session) } as PlanVerdict },
    actor,
  );
const report = (session: PlanSession, number: number, status: StepStatus): string =>
  session.outcome({ type: "update", patch: { merge: true, plan: [{ step: `Step ${number}`, status }] } }, agent);
const passes = (session: PlanSession): boolean => planGate(session.state(), WRITE, { nowMs: session.now() }).allowed;
const held = (session: PlanSession): number[] => {
  const { now } = session.state();
  return now.phase === "executing" ? (now.held ?? []) : [];
};

it.each([
  ["1-3", [1, 2, 3]],
  ["1, 3-4,9", [1, 3, 4, 9]],
  ["4", [4]],
  ["3-1", undefined],
  ["0", undefined],
  ["1-", undefined],
  ["1-900", undefined],
  ["all", undefined],
])("[BY-05] %j names steps", (text, numbers) => {
  expect(parseRanges(text)).toEqual(numbers);
  expect(numbers === undefined || parseRanges(numberRanges(numbers))?.join() === numbers.join()).toBe(true);
});

describe("a plan that is accepted in part", () => {
  it("[BY-05] opens those steps; the others cannot be begun, and are open when a person accepts them", () => {
    const session = submitted();
    expect(decide(session, { action: "approve", steps: [1, 9] })).toBe("PLAN_INVALID");
    expect(decide(session, { action: "approve", steps: [2, 1] })).toBe("plan.approved");
    expect(held(session)).toEqual([3, 4]);
    expect([report(session, 3, "in_progress"), report(session, 1, "in_progress")]).toEqual([
      "STEP_HELD",
      "plan.updated",
    ]);
    expect(report(session, 3, "completed")).toBe("STEP_HELD");
    expect(decide(session, { action: "release", steps: [3] })).toBe("plan.staged");
    expect([held(session), report(session, 3, "pending")]).toEqual([[4], "plan.updated"]);
    expect(decide(session, { action: "release", steps: [3] })).toBe("PLAN_INVALID");
  });

  it("[BY-02, BY-05] opens the scope of those steps alone", () => {
    const session = submitted(plan(), { unlock: "scoped" });
    decide(session, { action: "approve", steps: [1, 2] });
    expect(scopeOf(session.state().now)?.paths).toEqual(["p1/", "p2/"]);
    decide(session, { action: "release", steps: [4] });
    decide(session, { action: "skip", steps: [1] });
    expect(scopeOf(session.state().now)?.paths).toEqual(["p2/", "p4/"]);
  });

  it("[BY-05] changes nothing more once they are done: programs end, nobody is urged, and a card asks", () => {
    const session = submitted(plan(), { nudges: { exploringMinutes: [1], executingMinutes: [1] } });
    decide(session, { action: "approve", steps: [1] });
    expect(passes(session)).toBe(true);
    expect(report(session, 1, "completed")).toBe("plan.updated");
    expect([passes(session), lockOf(session.state(), {})]).toEqual([false, "checkpoint"]);
    expect(session.session().timers.filter(({ key }) => key.endsWith("/nudge"))).toEqual([]);
    const context = { session: session.session(), settings: session.settings() };
    expect(planCards(session.state(), context).find(({ kind }) => kind === "notice")).toMatchObject({
      status: { text: "What was accepted is done. Steps 2-4 wait for you." },
      actions: [{ id: "accept-next", command: "/plan accept 2-4" }, { id: "skip-rest" }],
    });
    expect(decide(session, { action: "release" })).toBe("plan.staged");
    expect([passes(session), session.session().turn.status]).toEqual([true, "requested"]);
  });

  it("[BY-05, PL-18] of several signers opens what all of them accept", () => {
    const session = submitted(plan(), { approvals: { quorum: 2 } });
    expect(decide(session, { action: "approve", steps: [1, 2] })).toBe("plan.signed");
    expect(decide(session, { action: "approve", steps: [2, 3] }, admin)).toBe("plan.signed plan.approved");
    expect(held(session)).toEqual([1, 3, 4]);
    expect(decide(session, { action: "release", steps: [1] })).toBe("loosening.signed");
    expect(held(session)).toEqual([1, 3, 4]);
    expect(decide(session, { action: "release", steps: [1] }, admin)).toBe("loosening.signed plan.staged");
    expect([held(session), session.state().loosening]).toEqual([[3, 4], undefined]);
  });
});

describe("who signs", () => {
  it("[BY-05] others do where the plan declares a risk; what it declares least does not help an agent", () => {
    const risks = [
      { paths: ["p3/secrets"], approvers: ["Root"] },
      { commands: ["git push"], quorum: 2 },
    ];
    const session = submitted(plan(), { unlock: "scoped", approvals: { quorum: 1, risks } });
    expect(decide(session, { action: "approve" })).toBe("APPROVER_NOT_LISTED");
    expect(decide(session, { action: "approve" }, admin)).toBe("plan.approved");
    const harmless = submitted(plan({ 3: { scope: { paths: ["q"] } } }), {
      unlock: "scoped",
      approvals: { quorum: 1, risks },
    });
    expect(decide(harmless, { action: "approve" })).toBe("plan.approved");
    const call = {
      gate: "scope",
      tool: "exec",
      kind: "bash",
      argsDigest: "p",
      folder: "/w",
      rule: "r",
      matched: "m",
    } as const;
    const amend = { commands: ["git push origin"] };
    harmless.must({ type: "ask-call", callId: "c", call, shown: "git push origin", amend }, agent);
    const approvalId = harmless.state().question?.approvalId;
    const yes = { action: "answer", approvalId, answer: "amend" } as const;
    expect(harmless.outcome({ type: "decide", approval: yes }, alice)).toBe("loosening.signed");
    expect(harmless.outcome({ type: "decide", approval: yes }, admin)).toBe(
      "loosening.signed question.answered plan.amended",
    );
  });

  it("[BY-05, PL-17] where the author does not approve, an edition waits for somebody else", () => {
    const session = submitted(plan(), { approvals: { quorum: 1, notAuthor: true } });
    const steps = [{ step: "Another", status: "pending" as const }];
    const approval = {
      action: "approve_edited",
      approvalId: pendingApprovalId(session),
      digest: planDigest(plan()),
      steps,
    } as const;
    expect(session.outcome({ type: "approve-edition", approval, base: plan() }, alice)).toBe("plan.submitted");
    expect(decide(session, { action: "approve" })).toBe("AUTHOR_NOT_APPROVER");
    expect(decide(session, { action: "approve" }, admin)).toBe("plan.approved");
  });

  it("[BY-05, PL-17] nor does the author accept the rest of an edition that somebody else approved in part", () => {
    const session = submitted(plan(), { approvals: { quorum: 1, notAuthor: true } });
    const steps = plan().plan.map(({ step }) => ({ step: `${step}, edited`, status: "pending" as const }));
    const approval = {
      action: "approve_edited",
      approvalId: pendingApprovalId(session),
      digest: planDigest(plan()),
      steps,
    } as const;
    session.must({ type: "approve-edition", approval, base: plan() }, alice);
    expect(decide(session, { action: "approve", steps: [1] }, admin)).toBe("plan.approved");
    expect(decide(session, { action: "release" })).toBe("AUTHOR_NOT_APPROVER");
    expect(decide(session, { action: "hold", steps: [1] })).toBe("plan.staged");
    expect(decide(session, { action: "release" }, admin)).toBe("plan.staged");
  });

  it.each([
    [{ hosts: ["api.example.com"] }, { hosts: ["API.example.com"] }, true],
    [{ hosts: ["api.example.com"] }, { hosts: ["api.example.com:443"] }, true],
    [{ hosts: ["api.example.com"] }, { hosts: ["*.example.com"] }, true],
    [{ hosts: ["*.example.com"] }, { hosts: ["*.eu.example.com:8080"] }, true],
    [{ hosts: ["api.example.com:443"] }, { hosts: ["api.example.com:80"] }, false],
    [{ hosts: ["example.com"] }, { hosts: ["badexample.com"] }, false],
    [{ commands: ["git push"] }, { commands: ["cd x && git  push origin"] }, true],
    [{ commands: ["git push"] }, { commands: ["/usr/bin/git push"] }, true],
    [{ commands: ["git push"] }, { commands: ["git <words>"] }, true],
    [{ commands: ["git push"] }, { commands: ["git pull", "legit push", "git push-notes"] }, false],
    [{ paths: ["infra/*.tf"] }, { paths: ["infra/m*"] }, true],
    [{ paths: ["infra/*.tf"] }, { paths: ["infra/*.md", "other/*.tf"] }, false],
  ])("[BY-05] the risk %j fits what a step declares as %j: %j", (risk, scope, fits) => {
    const risks = [{ ...risk, approvers: ["Root"] }];
    const session = submitted(plan({ 3: { scope } }), { approvals: { quorum: 1, risks } });
    expect(decide(session, { action: "approve" })).toBe(fits ? "APPROVER_NOT_LISTED" : "plan.approved");
  });
});

describe("a checkpoint", () => {
  const body = plan({ 2: { checkpoint: true }, 3: { checkpoint: true } });

  it("[BY-05] holds what follows it, also where a rule approves; one yes goes on to the next", () => {
    for (const settings of [{}, { requireApproval: false }]) {
      const session = submitted(body, settings);
      if (session.state().now.phase === "pending") decide(session, { action: "approve" });
      expect(held(session)).toEqual([3, 4]);
      for (const number of [1, 2]) report(session, number, "completed");
      expect(passes(session)).toBe(false);
      expect(decide(session, { action: "release" })).toBe("plan.staged");
      expect(held(session)).toEqual([4]);
    }
  });

  it("[BY-05] agents, readers and timers never go past it", () => {
    const session = submitted(body);
    decide(session, { action: "approve" });
    for (const actor of [agent, otherAgent, system, reader])
      for (const action of ["release", "skip", "hold"] as const)
        expect(decide(session, { action, steps: [3] }, actor)).toBe("PERMISSION_DENIED");
    const easier = { step: "Step 2", status: "in_progress" } as const;
    session.must({ type: "update", patch: { merge: true, plan: [easier] } }, agent);
    expect(session.state().now.steps[1]?.checkpoint).toBe(true);
  });
});

describe("a step that a person skips", () => {
  it("[BY-05] is cancelled for good, and the last one completes the plan", () => {
    const session = submitted();
    expect(decide(session, { action: "skip", steps: [4] })).toBe("PLAN_NOT_ACTIVE");
    decide(session, { action: "approve" });
    expect(decide(session, { action: "skip", steps: [3, 4] })).toBe("plan.staged");
    expect(session.state().now.steps.map(({ status }) => status)).toEqual([
      "pending",
      "pending",
      "cancelled",
      "cancelled",
    ]);
    expect(report(session, 4, "in_progress")).toBe("STEP_HELD");
    report(session, 1, "completed");
    const approvalId = pendingApprovalId(session);
    const last = session.must({ type: "decide", approval: { action: "skip", approvalId, steps: [2] } }, alice);
    expect(sliceEvents(last)).toEqual(["plan.staged", "plan.completed"]);
    expect(session.state().now).toMatchObject({ phase: "off", left: "completed" });
  });

  it("[BY-05] one that is held in the middle of its work is pending again", () => {
    const session = submitted();
    decide(session, { action: "approve" });
    report(session, 1, "in_progress");
    expect(decide(session, { action: "hold", steps: [1, 2] })).toBe("plan.staged");
    expect([held(session), session.state().now.steps[0]?.status]).toEqual([[1, 2], "pending"]);
    expect(report(session, 1, "completed")).toBe("STEP_HELD");
  });
});
