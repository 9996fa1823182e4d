/** What a person is asked about a call outside of the plan's scope, and what a passkey signs for one held call. */
import { describe, expect, it } from "vitest";
import {
  agent,
  alice,
  inPhase,
  pendingApprovalId,
  planSession,
  type PlanSession,
} from "../../../../test/kit/plan-session.ts";
import { digestOf } from "../../../plugins/sdk.ts";
import type { Actor } from "../../../protocol/actor.ts";
import { Json } from "../../../protocol/json.ts";
import type { PresenceSubject } from "../../../protocol/presence.ts";
import { ApprovalRules } from "../../protocol/approvals.ts";
import type { PlanModeCommand } from "../../protocol/command.ts";
import type { PlanBody } from "../../protocol/plan.ts";
import type { HeldCall } from "../../protocol/state.ts";
import { planDigest } from "../../tools/plan-digest.ts";
import { planGate } from "../gate.ts";
import { callQuestion } from "./ask-call.ts";

const held: HeldCall = {
  gate: "scope",
  tool: "write",
  kind: "file_edit",
  argsDigest: "d",
  folder: "/w",
  rule: "plan-mode/outside-scope",
  matched: "paths: docs/a.md",
};
const body: PlanBody = { title: "One", plan: [{ step: "One", status: "pending", scope: { paths: ["src/"] } }] };

function carriedOut(settings: { unlock?: "open" | "scoped" } = { unlock: "scoped" }): PlanSession {
  const session = planSession({ settings });
  session.must({ type: "enter", reason: "x" }, agent);
  session.must({ type: "submit", body, digest: planDigest(body) }, agent);
  session.must({ type: "decide", approval: { action: "approve", approvalId: pendingApprovalId(session) } }, alice);
  return session;
}
const ask = (call: HeldCall = held, amend: object | undefined = { paths: ["docs/a.md"] }): PlanModeCommand => ({
  type: "ask-call",
  callId: "c",
  call,
  shown: "path: docs/a.md",
  ...(amend === undefined ? {} : { amend }),
});
const options = (session: PlanSession) => session.state().question?.options.map(({ id }) => id);

describe("a call outside of the scope", () => {
  it("[BY-02] is asked about as an amendment of the plan", () => {
    const session = carriedOut();
    const done = session.must(ask(), agent);
    expect(done.reply).toEqual({ asked: true });
    expect(callQuestion({ call: held, shown: "x" })).toBe(
      "The agent wants to make one call of write in /w:\n    x\nThe approved plan does not declare it. (plan-mode/outside-scope: paths: docs/a.md)\nShall the plan be amended by what it needs?",
    );
    expect(session.state().question).toMatchObject({ amendment: { add: { paths: ["docs/a.md"] } } });
    expect(options(session)).toEqual(["amend", "allow-once", "deny"]);
  });

  it("[BY-02, PL-19] is no way around several signatures, nor is the agent's own wish to amend", () => {
    const several = carriedOut();
    several.configure({ approvals: ApprovalRules.parse({ quorum: 2 }) });
    several.must(ask(), agent);
    expect(options(several)).toEqual(["amend", "deny"]);
    const wished = carriedOut();
    wished.must(ask({ ...held, tool: "amend_plan" }), agent);
    expect(options(wished)).toEqual(["amend", "deny"]);
  });

  it("[BY-02] is not asked about where no scope is in force", () => {
    expect(carriedOut({ unlock: "open" }).outcome(ask(), agent)).toBe("PLAN_NOT_ACTIVE");
    expect(inPhase("off").outcome(ask(), agent)).toBe("PLAN_NOT_ACTIVE");
  });

  it("[GA-10] of the other gates amends nothing", () => {
    const session = carriedOut();
    session.must(ask({ ...held, gate: "permission" }), agent);
    expect(session.state().question).not.toHaveProperty("amendment");
    expect(options(session)).toEqual(["allow-once", "deny"]);
  });

  it("[BY-02, GA-10] may be allowed once, and then runs under that yes", () => {
    const session = carriedOut();
    session.must(ask(), agent);
    const { approvalId } = session.state().question ?? {};
    session.must({ type: "decide", approval: { action: "answer", approvalId, answer: "allow-once" } }, alice);
    const grant = { slice: "planMode", id: session.state().grant?.id ?? "" };
    const call = { tool: "write", kind: "file_edit", effect: "write", argsDigest: "d", grant } as const;
    expect(planGate(session.state(), call, { nowMs: session.now() })).toMatchObject({
      allowed: true,
      under: { grantId: grant.id, grantedBy: "opr_alice", approval: "approved" },
    });
  });

  it("[QU-01] two questions about two calls are two questions", () => {
    const ids = ["a", "b"].map((shown) => {
      const session = carriedOut();
      session.must({ ...ask(), shown } as PlanModeCommand, agent);
      return session.state().question?.questionId;
    });
    expect(ids[0]).not.toBe(ids[1]);
  });
});

it("[GW-10] a yes to a held call is signed for exactly that call, and its proof is kept with it", () => {
  const session = inPhase("exploring", { settings: { approvals: ApprovalRules.parse({ presence: "destructive" }) } });
  const call: HeldCall = { ...held, gate: "plan", tool: "exec", kind: "bash" };
  session.must(ask(call, undefined), agent);
  const { approvalId } = session.state().question ?? {};
  const yes: PlanModeCommand = { type: "decide", approval: { action: "answer", approvalId, answer: "allow-once" } };
  const result = session.apply(yes, alice);
  if (!("refused" in result)) throw new Error("no passkey was asked for");
  const { presence } = result.refused.details as { presence: PresenceSubject };
  expect(presence).toEqual({
    sessionId: "ses_one",
    approvalId,
    digest: digestOf(Json.parse(session.state().question?.call)),
    decision: "allow-once",
  });
  const proof = {
    statement: { ...presence, person: "opr_alice", nonce: "n", atMs: 0 },
    credentialId: "key",
    authenticatorData: "data",
    clientDataJSON: "json",
    signature: "sig",
  };
  const done = session.must(yes, { ...alice, presence: proof } as Actor);
  expect(done.events.flatMap((event) => (event.type === "slice.changed" ? [event.event] : []))).toContainEqual(
    expect.objectContaining({ type: "grant.given", presence: proof }),
  );
  const plain = inPhase("exploring");
  plain.must(ask(call, undefined), agent);
  const given = plain.must(
    {
      type: "decide",
      approval: { action: "answer", approvalId: plain.state().question?.approvalId, answer: "allow-once" },
    },
    alice,
  );
  expect(JSON.stringify(given.events)).not.toContain("presence");
});
