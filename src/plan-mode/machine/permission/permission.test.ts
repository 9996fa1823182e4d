/** The permission mode as it is stored: who sets it, what it is at the start, and its last word in the claim. */
import { describe, expect, it } from "vitest";
import {
  admin,
  agent,
  alice,
  inPhase,
  otherAgent,
  pendingApprovalId,
  planSession,
  type PlanSession,
  reader,
  sliceEvents,
  system,
} from "../../../../test/kit/plan-session.ts";
import type { ToolKind } from "../../../protocol/gate.ts";
import { PlanModeCommand } from "../../protocol/command.ts";
import { ApprovalRules } from "../../protocol/approvals.ts";
import type { PermissionMode } from "../../protocol/settings.ts";
import type { GatedCall } from "../../../plugins/sdk.ts";
import { planGate } from "../gate.ts";
import { planModeSlice } from "../slice.ts";
import { judgedUnder } from "./permission.ts";

const permit = (mode: PermissionMode): PlanModeCommand => ({ type: "set-permission-mode", mode });
const call = (kind: ToolKind, under?: string): GatedCall => ({
  tool: "probe",
  kind,
  effect: "write",
  argsDigest: "d",
  ...(under === undefined ? {} : { under: { permission: under } }),
});

function verdict(session: PlanSession, asked: GatedCall): string {
  const guarded = planGate(session.state(), asked);
  return guarded.allowed ? "allowed" : guarded.refusal.rule;
}

describe("setting the permission mode", () => {
  it.each(["off", "exploring", "pending", "rejected", "timed_out", "executing"] as const)(
    "[GA-02, UI-03] is a person's, in every phase: %s",
    (phase) => {
      const session = inPhase(phase);
      const done = session.must(permit("ask"), alice);
      expect(session.state().permission).toBe("ask");
      expect(done.audit).toEqual([
        { type: "permission.set", detail: { mode: "ask", by: { kind: "operator", id: "opr_alice" } } },
      ]);
      expect(session.state().now.phase).toBe(phase);
    },
  );

  it("[GA-02, GW-04, I06] is never an agent's, a reader's or the system's", () => {
    const session = inPhase("off");
    for (const actor of [agent, otherAgent, reader, system]) {
      expect(session.outcome(permit("bypass"), actor)).toBe("PERMISSION_DENIED");
    }
    expect(session.state().permission).toBeUndefined();
    expect(session.outcome(permit("bypass"), admin)).toBe("permission.set");
  });

  it("[GA-02] to what it is already says nothing", () => {
    const session = inPhase("off");
    expect(session.outcome(permit("default"), alice)).toBe("");
    session.must(permit("bypass"), alice);
    expect(session.outcome(permit("bypass"), alice)).toBe("");
  });

  it("[GA-02] null clears it to what is configured for this session, at this moment", () => {
    const session = planSession({ settings: { permissionMode: "ask" } });
    session.must(permit("bypass"), alice);
    expect(session.must({ type: "set-permission-mode", mode: null }, alice).reply).toEqual({ permission_mode: "ask" });
    expect(session.state().permission).toBe("ask");
    expect(session.outcome({ type: "set-permission-mode", mode: null }, alice)).toBe("");
    session.configure({ permissionMode: "accept" });
    expect(session.outcome({ type: "set-permission-mode", mode: null }, alice)).toBe("permission.set");
    expect(session.state().permission).toBe("accept");
    expect(session.outcome({ type: "set-permission-mode", mode: null }, agent)).toBe("PERMISSION_DENIED");
  });

  it("[GA-02] of a sub-agent is cleared to none of its own: the sessions above it decide", () => {
    const session = planSession({ kind: "subagent", settings: { permissionMode: "bypass" } });
    session.must(permit("ask"), alice);
    session.must({ type: "set-permission-mode", mode: null }, alice);
    expect(session.state().permission).toBe("default");
  });

  it("[GA-02] works where plan mode is switched off", () => {
    const session = planSession({ settings: { enabled: false } });
    expect(session.outcome(permit("ask"), alice)).toBe("permission.set");
  });

  it("[PL-08, GA-02] to the strictest is still taken when the disk is nearly full", () => {
    const isVital = (mode: PermissionMode) => planModeSlice.describe?.vital?.({ type: "set-permission-mode", mode });
    expect((["ask", "accept", "default", "bypass"] as const).map(isVital)).toEqual([true, false, false, false]);
  });
});

describe("a new session", () => {
  it("[GA-02] begins with what the configuration says, and the audit chain names the rule", () => {
    const session = planSession({ settings: { permissionMode: "accept" } });
    if ("refused" in session.created) throw new Error("refused");
    expect(session.state().permission).toBe("accept");
    expect(sliceEvents(session.created)).toEqual(["permission.set"]);
    expect(session.created.audit).toContainEqual({
      type: "permission.set",
      detail: { mode: "accept", by: { kind: "policy", id: "configuration" } },
    });
  });

  it("[GA-02] of a cron job too; a sub-agent has none of its own, because those above it decide", () => {
    const settings = { permissionMode: "bypass" } as const;
    expect(planSession({ kind: "cron", settings }).state().permission).toBe("bypass");
    expect(planSession({ kind: "subagent", settings }).state().permission).toBeUndefined();
  });

  it("[GA-02] keeps over a reset what a person set, because a reset needs less", () => {
    const session = planSession({ settings: { permissionMode: "bypass" } });
    session.must(permit("ask"), alice);
    session.run({ type: "session.reset" }, reader);
    expect(session.state().permission).toBe("ask");
    session.must(permit("default"), alice);
    session.run({ type: "session.reset" }, reader);
    expect(session.state().permission ?? "default").toBe("default");
  });
});

describe("the last word in the claim", () => {
  it.each<[PermissionMode, string, string]>([
    ["ask", "permission/ask", "permission/ask"],
    ["accept", "allowed", "permission/accept"],
    ["default", "allowed", "allowed"],
    ["bypass", "allowed", "allowed"],
  ])("[GA-02] %s: a file edit is %s, a command %s", (mode, edit, command) => {
    const session = inPhase("off");
    session.must(permit(mode), alice);
    expect([verdict(session, call("file_edit")), verdict(session, call("bash"))]).toEqual([edit, command]);
  });

  it.each(["default", "ask", "accept", "bypass"] as const)("[GA-02, I01] plan mode wins over %s", (mode) => {
    const session = inPhase("exploring");
    session.must(permit(mode), alice);
    expect(verdict(session, call("file_edit"))).toBe("plan-mode/read-only");
  });

  it("[GA-01, GA-02] refuses what was judged under another mode than the one that commits", () => {
    const session = inPhase("executing");
    expect(verdict(session, call("bash", "default/executing"))).toBe("allowed");
    session.must({ type: "leave" }, alice);
    expect(verdict(session, call("bash", "default/executing"))).toBe("permission/changed");
    session.must(permit("bypass"), alice);
    expect(verdict(session, call("bash", "bypass/normal"))).toBe("allowed");
    session.must(permit("default"), alice);
    expect(verdict(session, call("bash", "bypass/normal"))).toBe("permission/changed");
  });

  it("[GA-02, GA-10] a yes is void when the permission mode becomes another one", () => {
    const session = inPhase("off");
    session.must(permit("ask"), alice);
    const held = { gate: "permission", tool: "exec", kind: "bash", argsDigest: "d" } as const;
    const where = { folder: "/w", rule: "permission/ask", matched: "every change" };
    session.must({ type: "ask-call", callId: "c", call: { ...held, ...where }, shown: "x" }, agent);
    const { approvalId } = session.state().question ?? {};
    session.must({ type: "decide", approval: { action: "answer", approvalId, answer: "1" } }, alice);
    expect(session.state().grant).toMatchObject({ call: { gate: "permission" } });
    session.must(permit("accept"), alice);
    expect(session.state().grant).toBeUndefined();
  });

  it("[GA-02] is asked about where plan mode is switched off, and cannot be where nobody answers", () => {
    const ask = PlanModeCommand.parse({
      type: "ask-call",
      callId: "c",
      shown: "x",
      call: { gate: "permission", tool: "exec", kind: "bash", argsDigest: "d", folder: "/", rule: "r", matched: "m" },
    });
    expect(planSession({ settings: { enabled: false } }).outcome(ask, agent)).toBe("question.asked");
    for (const kind of ["cron", "subagent", "heartbeat", "hook", "poller"] as const) {
      expect(planSession({ kind }).outcome(ask, agent)).toBe("PERMISSION_DENIED");
    }
  });
});

it("[GW-10, GA-02] where an approval leaves what destroys to be asked about, that is part of what a call was judged under", () => {
  expect(judgedUnder({ now: { mode: "executing", asks: "destructive" } })).toBe("default/executing/destructive");
  expect(judgedUnder({ permission: "accept", now: { mode: "executing" } })).toBe("accept/executing");
});

it("[PL-18, PL-19] a laxer mode that several must sign says how it stands, and stays as it was until they have", () => {
  const session = planSession({ settings: { permissionMode: "ask", approvals: ApprovalRules.parse({ quorum: 2 }) } });
  expect(session.must(permit("bypass"), alice).reply).toEqual({ permission_mode: "ask", signatures: 1, missing: 1 });
  expect(session.state().permission).toBe("ask");
  expect(session.must(permit("bypass"), admin).reply).toEqual({ permission_mode: "bypass" });
});

describe("an approved plan", () => {
  it("[GA-02, PL-06] is carried out under its approval whatever the permission mode was before it", () => {
    const session = inPhase("pending");
    session.must({ type: "decide", approval: { action: "approve", approvalId: pendingApprovalId(session) } }, alice);
    expect(planGate(session.state(), call("bash", "default/executing"))).toMatchObject({
      allowed: true,
      under: { approval: "approved" },
    });
  });
});
