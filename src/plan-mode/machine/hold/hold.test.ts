/** No way around a signature: what loosens the gate needs what an approval needs, and who leaves past it is held. */
import { describe, expect, it } from "vitest";
import {
  agent,
  alice,
  body,
  DIGEST,
  notices,
  pendingApprovalId,
  planSession,
  type PlanSession,
  reader,
  sliceEvents,
  system,
} from "../../../../test/kit/plan-session.ts";
import type { Actor } from "../../../protocol/actor.ts";
import { ApprovalId, OperatorId } from "../../../protocol/ids.ts";
import { ApprovalRules } from "../../protocol/approvals.ts";
import type { PlanModeCommand } from "../../protocol/command.ts";
import type { PermissionMode, PlanModeSettings } from "../../protocol/settings.ts";
import { planGate } from "../gate.ts";

const person = (name: string): Actor => ({
  kind: "operator",
  id: OperatorId.parse(`opr_${name.toLowerCase()}`),
  name,
  scopes: ["operator.read", "operator.approvals"],
  surface: "web",
});
const bob = person("Bob");
const carol = person("Carol");

const LEAVE: PlanModeCommand = { type: "leave" };
const PHASES = ["exploring", "pending", "rejected", "timed_out", "executing"] as const;
type Phase = (typeof PHASES)[number];

const LISTED = { approvers: ["Alice"] };
const QUORUM = { quorum: 2 };

const limited = (rules: Partial<ApprovalRules>, settings: Partial<PlanModeSettings> = {}): PlanSession =>
  planSession({ settings: { ...settings, approvals: ApprovalRules.parse(rules) } });

function brought(session: PlanSession, phase: Phase): PlanSession {
  session.must({ type: "enter", reason: "x" }, agent);
  if (phase === "exploring") return session;
  session.must({ type: "submit", body, digest: DIGEST }, agent);
  const approvalId = pendingApprovalId(session);
  const { quorum } = session.settings().approvals;
  if (phase === "rejected")
    session.must({ type: "decide", approval: { action: "reject", approvalId, feedback: "no" } }, alice);
  if (phase === "timed_out") session.must({ type: "expire", approvalId }, system);
  if (phase === "executing")
    for (const actor of [alice, bob].slice(0, quorum))
      session.must({ type: "decide", approval: { action: "approve", approvalId } }, actor);
  return session;
}

function held(rules: Partial<ApprovalRules> = LISTED, settings: Partial<PlanModeSettings> = {}): PlanSession {
  const session = brought(limited(rules, settings), "pending");
  session.must(LEAVE, bob);
  return session;
}

const lift = (session: PlanSession): PlanModeCommand => {
  const approvalId = session.state().held?.id;
  return { type: "decide", approval: { action: "lift", ...(approvalId === undefined ? {} : { approvalId }) } };
};
const auto: PlanModeCommand = { type: "decide", approval: { action: "auto", enabled: true } };
const permit = (mode: PermissionMode | null): PlanModeCommand => ({ type: "set-permission-mode", mode });

/** What a call gets from the guard of the slice. */
function gate(session: PlanSession, effect: "read" | "write"): string {
  const call = { tool: "write", kind: "file_edit", effect, argsDigest: "d" } as const;
  const verdict = planGate(session.state(), call, { nowMs: session.now() });
  return verdict.allowed ? "allowed" : verdict.refusal.rule;
}

describe("leaving past those who may approve", () => {
  it.each(PHASES)("[PL-19, PL-02] from %s anybody may leave, and the session is normal and held", (phase) => {
    const session = brought(limited(LISTED), phase);
    const left = session.must(LEAVE, bob);
    expect(sliceEvents(left)).toEqual(["plan.left", "hold.set"]);
    expect(left.reply).toEqual({ mode: "normal", left: true, held: true });
    expect(session.state()).toMatchObject({ now: { phase: "off", mode: "normal" }, held: { by: { name: "Bob" } } });
    expect([gate(session, "read"), gate(session, "write")]).toEqual(["allowed", "plan-mode/held"]);
    expect(left.audit.map(({ type }) => type)).toEqual(["plan.left", "hold.set"]);
    expect(notices(left).at(-1)).toBe("[plan-mode] held by=Bob — only reading until /plan lift");
  });

  it.each(PHASES)("[PL-19] from %s whoever may approve alone leaves freely", (phase) => {
    const session = brought(limited(LISTED), phase);
    expect(session.outcome(LEAVE, alice)).toBe("plan.left");
    expect(gate(session, "write")).toBe("allowed");
  });

  it.each(PHASES)("[PL-19, PL-18] from %s one of several who must sign is held as well", (phase) => {
    const session = brought(limited(QUORUM), phase);
    expect(session.outcome(LEAVE, alice)).toBe("plan.left hold.set");
    expect(gate(session, "write")).toBe("plan-mode/held");
  });

  it("[PL-19] nobody is held where any one approval is enough, or none is required", () => {
    for (const session of [limited({}), limited(QUORUM, { requireApproval: false })])
      expect(brought(session, "exploring").outcome(LEAVE, bob)).toBe("plan.left");
  });

  it("[PL-19] a finished cycle is not kept from planning the next request by somebody who could not approve", () => {
    const session = brought(limited(LISTED, { defaultActive: true }), "executing");
    const plan = body.plan.map((step) => ({
      ...step,
      status: "completed" as const,
      verifiedCriteria: step.acceptanceCriteria ?? [],
    }));
    session.must({ type: "update", patch: { plan, merge: true } }, agent);
    expect(session.state().now).toMatchObject({ phase: "off", left: "completed" });
    expect(session.outcome(LEAVE, bob)).toBe("plan.left hold.set");
  });

  it("[PL-19] leaving what was never entered changes nothing and holds nobody", () => {
    const session = limited(LISTED);
    expect(session.outcome(LEAVE, bob)).toBe("");
    expect(gate(session, "write")).toBe("allowed");
  });

  it("[PL-19, PL-11] leaving twice does not loosen what the first time held", () => {
    const session = held();
    expect(session.outcome(LEAVE, bob)).toBe("");
    expect(session.outcome(LEAVE, alice)).toBe(""); // a hold is lifted, not left
    expect(gate(session, "write")).toBe("plan-mode/held");
  });
});

describe("lifting", () => {
  it("[PL-19] is for whoever could have approved", () => {
    const session = held();
    for (const actor of [reader, agent, system])
      expect(session.outcome(lift(session), actor)).toBe("PERMISSION_DENIED");
    expect(session.outcome(lift(session), bob)).toBe("APPROVER_NOT_LISTED");
    const lifted = session.must(lift(session), alice);
    expect(sliceEvents(lifted)).toEqual(["hold.lifted"]);
    expect(lifted.audit).toEqual([
      { type: "hold.lifted", detail: { holdId: expect.any(String), by: { kind: "operator", id: "opr_alice" } } },
    ]);
    expect(gate(session, "write")).toBe("allowed");
    expect(session.state()).not.toHaveProperty("held");
  });

  it("[PL-19, PL-18] takes as many signatures as an approval, of different people", () => {
    const session = held(QUORUM);
    const first = session.must(lift(session), alice);
    expect(sliceEvents(first)).toEqual(["loosening.signed"]);
    expect(first.reply).toMatchObject({ held: true, signatures: 1, missing: 1 });
    expect(gate(session, "write")).toBe("plan-mode/held");
    expect(session.outcome(lift(session), alice)).toBe("APPROVAL_ALREADY_SIGNED");
    expect(session.outcome(lift(session), carol)).toBe("loosening.signed hold.lifted");
    expect(gate(session, "write")).toBe("allowed");
  });

  it("[PL-19] a signature is no longer counted once its author may not sign, or the time is up", () => {
    const session = held(QUORUM);
    session.must(lift(session), carol);
    session.configure({ approvals: ApprovalRules.parse({ quorum: 2, approvers: ["Alice", "Bob"] }) });
    expect(session.outcome(lift(session), alice)).toBe("loosening.signed");
    session.advance(session.settings().approvalTimeoutSeconds * 1_000);
    expect(session.outcome(lift(session), bob)).toBe("loosening.signed");
    expect(session.outcome(lift(session), alice)).toBe("loosening.signed hold.lifted");
  });

  it("[PL-19, PL-10] names the hold that it lifts: an older one is stale", () => {
    const session = held();
    const old = lift(session);
    session.must({ type: "enter", reason: "" }, alice);
    session.must(LEAVE, bob);
    expect(session.outcome(old, alice)).toBe("APPROVAL_STALE");
    expect(session.outcome({ type: "decide", approval: { action: "lift" } }, alice)).toBe("APPROVAL_ID_REQUIRED");
    expect(gate(session, "write")).toBe("plan-mode/held");
  });

  it("[PL-19] there is nothing to lift where nothing is held", () => {
    const approvalId = ApprovalId.parse("apr_none");
    expect(limited(LISTED).outcome({ type: "decide", approval: { action: "lift", approvalId } }, alice)).toBe(
      "APPROVAL_NOT_PENDING",
    );
  });
});

describe("a held session", () => {
  it("[PL-19] stays held over a reset, a change of the settings and a new message", () => {
    const session = held();
    session.run({ type: "session.reset" }, reader);
    expect(gate(session, "write")).toBe("plan-mode/held");
    session.configure({ enabled: false, approvals: ApprovalRules.parse({}) });
    session.attend();
    expect(gate(session, "write")).toBe("plan-mode/held");
  });

  it("[PL-19] may plan again: plan mode takes the place of the hold, and leaving it holds again", () => {
    const session = held();
    expect(session.outcome({ type: "enter", reason: "" }, agent)).toBe("plan.entered");
    expect(session.state()).not.toHaveProperty("held");
    expect(gate(session, "write")).toBe("plan-mode/read-only");
    expect(session.outcome(LEAVE, bob)).toBe("plan.left hold.set");
  });

  it("[PL-19] takes no yes to one call: a grant given before does not count, and none is asked for", () => {
    const session = held();
    const call = {
      tool: "write",
      kind: "file_edit",
      effect: "write",
      argsDigest: "d",
      grant: { slice: "planMode", id: "grt_1" },
    } as const;
    expect(planGate(session.state(), call, { nowMs: session.now() })).toMatchObject({
      allowed: false,
      refusal: { rule: "plan-mode/held" },
    });
  });

  it("[PL-19] is said to the agent with each turn, and its status shows it", () => {
    const session = held().attend();
    const input = session.session();
    expect(JSON.stringify(session.must({ type: "status" }, agent).reply)).toContain('"held":true');
    expect(input.turn.status).toBe("running");
  });
});

describe("other ways to loosen the gate", () => {
  it.each<[PermissionMode, PermissionMode, boolean]>([
    ["default", "bypass", true],
    ["ask", "accept", true],
    ["ask", "default", true],
    ["accept", "bypass", true],
    ["default", "ask", false],
    ["bypass", "default", false],
    ["default", "accept", false],
  ])("[PL-19] from %s to %s is a decision: %s", (from, to, isDecision) => {
    const session = limited(LISTED, { permissionMode: from });
    expect(session.outcome(permit(to), bob)).toBe(isDecision ? "APPROVER_NOT_LISTED" : "permission.set");
    expect(limited(LISTED, { permissionMode: from }).outcome(permit(to), alice)).toBe("permission.set");
  });

  it("[PL-19] back to what is configured is a decision too, where that is laxer", () => {
    const session = limited(LISTED);
    session.must(permit("ask"), bob);
    expect(session.outcome(permit(null), bob)).toBe("APPROVER_NOT_LISTED");
  });

  it("[PL-19, PL-18] a laxer permission mode takes several signatures of the same mode", () => {
    const session = limited(QUORUM);
    expect(session.outcome(permit("bypass"), alice)).toBe("loosening.signed");
    expect(session.state().permission).toBeUndefined();
    session.must(permit("ask"), carol); // stricter at once; a signature for something laxer does not outlive it
    expect(session.outcome(permit("bypass"), bob)).toBe("loosening.signed");
    expect(session.outcome(permit("default"), alice)).toBe("loosening.signed");
    expect(session.outcome(permit("bypass"), carol)).toBe("loosening.signed");
    expect(session.outcome(permit("bypass"), bob)).toBe("loosening.signed permission.set");
    expect(session.state().permission).toBe("bypass");
  });

  it("[PL-19, PL-16] auto holds no longer once whoever switched it on may not approve", () => {
    const session = limited({});
    session.must(auto, bob);
    session.configure({ approvals: ApprovalRules.parse(LISTED) });
    session.must({ type: "enter", reason: "x" }, agent);
    session.attend();
    session.must({ type: "submit", body, digest: DIGEST }, agent);
    expect(session.state().now.phase).toBe("pending");
  });

  it("[PL-19, PL-16] auto of somebody who may approve goes on", () => {
    const session = limited(LISTED);
    session.must(auto, alice);
    session.must({ type: "enter", reason: "x" }, agent);
    session.attend();
    session.must({ type: "submit", body, digest: DIGEST }, agent);
    expect(session.state().now.phase).toBe("executing");
  });
});
