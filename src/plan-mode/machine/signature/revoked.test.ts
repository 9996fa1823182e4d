/** People and passkeys that were revoked after they decided. */
import { describe, expect, it } from "vitest";
import {
  agent,
  alice,
  inPhase,
  otherBody,
  pendingApprovalId,
  type PlanSession,
  submitted,
} from "../../../../test/kit/plan-session.ts";
import type { Actor } from "../../../protocol/actor.ts";
import { OperatorId } from "../../../protocol/ids.ts";
import type { PresenceProof } from "../../../protocol/presence.ts";
import { ApprovalRules } from "../../protocol/approvals.ts";
import type { PlanModeCommand } from "../../protocol/command.ts";
import { planGate } from "../gate.ts";
import { isApproverRevoked } from "./revoked.ts";

type Person = Extract<Actor, { kind: "operator" }>;
const person = (name: string): Person => ({
  kind: "operator",
  id: OperatorId.parse(`opr_${name.toLowerCase()}`),
  name,
  scopes: ["operator.read", "operator.approvals"],
  surface: "web",
});
const [bob, mallory] = [person("Bob"), person("Mallory")];
const two = { approvals: ApprovalRules.parse({ quorum: 2 }) };

const approve = (session: PlanSession): PlanModeCommand => ({
  type: "decide",
  approval: { action: "approve", approvalId: pendingApprovalId(session) },
});

const holdOf = (session: PlanSession) => {
  const { held } = session.state();
  if (held === undefined) throw new Error("not held");
  return held.id;
};

const proof = (credentialId: string, subject: Omit<PresenceProof["statement"], "nonce" | "atMs">): PresenceProof => ({
  statement: { ...subject, nonce: "nonce", atMs: 0 },
  credentialId,
  authenticatorData: "data",
  clientDataJSON: "json",
  signature: "sig",
});

/** What the guard says to a change. */
const change = (session: PlanSession) => {
  const call = { tool: "write", kind: "file_edit", effect: "write", argsDigest: "d" } as const;
  const verdict = planGate(session.state(), call, { nowMs: session.now(), revoked: session.revoked });
  return verdict.allowed ? "allowed" : verdict.refusal.rule;
};

it("[GA-10, I05] a yes to one call counts no more once its giver, or the passkey that it was given with, is revoked", () => {
  const session = inPhase("off");
  session.must({ type: "set-permission-mode", mode: "ask" }, alice);
  const held = { gate: "permission", tool: "exec", kind: "bash", argsDigest: "d" } as const;
  const where = { folder: "/w", rule: "permission/ask", matched: "every change" };
  session.must({ type: "ask-call", callId: "c", call: { ...held, ...where }, shown: "x" }, agent);
  const { approvalId } = session.state().question ?? {};
  session.must({ type: "decide", approval: { action: "answer", approvalId, answer: "1" } }, alice);
  const { grant } = session.state();
  if (grant === undefined) throw new Error("no grant");
  const call = { ...held, effect: "write", grant: { slice: "planMode", id: grant.id } } as const;
  const verdict = (revoked: string[], passkey?: string) => {
    const state = { ...session.state(), grant: { ...grant, ...(passkey === undefined ? {} : { passkey }) } };
    const said = planGate(state, call, { nowMs: session.now(), revoked: new Set(revoked) });
    return said.allowed ? "allowed" : said.refusal.rule;
  };
  expect([verdict([]), verdict(["opr_bob"]), verdict(["opr_alice"])]).toEqual([
    "allowed",
    "allowed",
    "plan-mode/grant-spent",
  ]);
  expect([verdict(["key"], "other"), verdict(["key"], "key")]).toEqual(["allowed", "plan-mode/grant-spent"]);
});

it("[I05, PL-16, BY-02] a plan rests on who approved it, on who switched its rule on, and on everybody who amended it", () => {
  const { now, ...state } = inPhase("executing").state();
  const who = (name: string) => ({ kind: "operator", id: `opr_${name}`, name });
  const rests = (changed: object, more: object, revoked: string) =>
    isApproverRevoked({ ...state, ...more, now: { ...now, ...changed } }, { revoked: new Set([revoked]) });
  expect([rests({}, {}, "opr_alice"), rests({}, {}, "opr_bob")]).toEqual([true, false]);
  const autoBy = { autoBy: { by: who("bob"), scopes: [] } };
  const byRule = { decidedBy: { kind: "policy", id: "auto", name: "auto" } };
  const byOther = { decidedBy: { kind: "policy", id: "configuration", name: "x" } };
  expect([rests(byRule, autoBy, "opr_bob"), rests(byRule, {}, "opr_bob")]).toEqual([true, false]);
  expect([rests(byOther, autoBy, "opr_bob"), rests({}, autoBy, "opr_bob")]).toEqual([false, false]);
  expect(rests({ decidedBy: { kind: "operator", id: "auto", name: "x" } }, autoBy, "opr_bob")).toBe(false);
  const amendments = [{ by: who("carol"), signatures: [{ by: who("dora") }] }];
  expect(["opr_carol", "opr_dora", "opr_eve"].map((id) => rests({ amendments }, {}, id))).toEqual([true, true, false]);
  expect(rests({ amendments: [{ by: who("carol") }] }, {}, "opr_eve")).toBe(false);
});

describe("whoever is revoked", () => {
  it("[PL-18] counts no more among those who have signed", () => {
    const session = inPhase("pending", { settings: two });
    session.must(approve(session), mallory);
    session.revoked.add(mallory.id);
    expect(session.outcome(approve(session), alice)).toBe("plan.signed");
    expect(session.state().now).toMatchObject({ phase: "pending" });
    expect(session.outcome(approve(session), bob)).toBe("plan.signed plan.approved");
  });

  it("[PL-19] lifts no hold with others", () => {
    const session = inPhase("pending", { settings: two });
    session.must({ type: "leave" }, bob);
    const lift: PlanModeCommand = { type: "decide", approval: { action: "lift", approvalId: holdOf(session) } };
    session.must(lift, mallory);
    session.revoked.add(mallory.id);
    session.must(lift, alice);
    expect(session.state().held).toBeDefined();
    session.must(lift, bob);
    expect(session.state().held).toBeUndefined();
  });

  it("[PL-16] approves nothing by the rule that they switched on", () => {
    const session = inPhase("exploring");
    session.must({ type: "decide", approval: { action: "auto", enabled: true } }, mallory);
    session.revoked.add(mallory.id);
    submitted(session.attend(), otherBody);
    expect(session.state().now.phase).toBe("pending");
  });

  it("[PL-19] takes the right to change things with them: alone, as one of several, and by rule", () => {
    const alone = inPhase("pending");
    alone.must(approve(alone), mallory);
    const several = inPhase("pending", { settings: two });
    for (const signer of [mallory, alice]) several.must(approve(several), signer);
    const byRule = inPhase("exploring");
    byRule.must({ type: "decide", approval: { action: "auto", enabled: true } }, mallory);
    submitted(byRule.attend());
    for (const session of [alone, several, byRule]) {
      expect([session.state().now.phase, change(session)]).toEqual(["executing", "allowed"]);
      session.revoked.add(bob.id);
      expect(change(session)).toBe("allowed");
      session.revoked.add(mallory.id);
      expect(change(session)).toBe("plan-mode/approver-revoked");
      session.must({ type: "enter", reason: "again" }, agent); // the way on: a plan that somebody else signs
    }
  });
});

it("[GW-10] a signature with a passkey that was revoked counts no more, nor what was approved with it alone", () => {
  const settings = (quorum: number) => ({ approvals: ApprovalRules.parse({ quorum, presence: "passkey" }) });
  const signing = (session: PlanSession, signer: Person, credentialId: string): Actor => {
    const { now } = session.state();
    if (now.phase !== "pending") throw new Error(now.phase);
    const { approvalId, digest } = now.submission;
    const subject = { sessionId: session.session().id, approvalId, digest, decision: "approve" };
    return { ...signer, presence: proof(credentialId, { ...subject, person: signer.id }) };
  };
  const several = inPhase("pending", { settings: settings(2) });
  several.must(approve(several), signing(several, bob, "key-of-bob"));
  several.revoked.add("key-of-bob");
  expect(several.outcome(approve(several), signing(several, person("Alice"), "key-of-alice"))).toBe("plan.signed");
  const alone = inPhase("pending", { settings: settings(1) });
  alone.must(approve(alone), signing(alone, bob, "key-of-bob"));
  expect(change(alone)).toBe("allowed");
  alone.revoked.add("key-of-bob");
  expect(change(alone)).toBe("plan-mode/approver-revoked");
});
