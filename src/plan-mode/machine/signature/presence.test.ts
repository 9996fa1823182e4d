import { describe, expect, it } from "vitest";
import { alice, inPhase, pendingApprovalId, submitted } from "../../../../test/kit/plan-session.ts";
import type { PresenceProof } from "../../../protocol/presence.ts";
import { SessionId } from "../../../protocol/ids.ts";
import { requiredPresence } from "./presence.ts";

const signedBy = (statement: Partial<PresenceProof["statement"]>, sessionId: string): PresenceProof => ({
  statement: {
    sessionId: SessionId.parse(sessionId),
    approvalId: "",
    digest: "",
    decision: "approve",
    person: alice.kind === "operator" ? alice.id : ("" as never),
    nonce: "nonce",
    atMs: 0,
    ...statement,
  },
  credentialId: "cred",
  authenticatorData: "data",
  clientDataJSON: "json",
  signature: "sig",
});

describe("presence", () => {
  it("[GW-10] is asked for by the rule and by what is decided", () => {
    const needs = (["none", "destructive", "passkey"] as const).map((presence) =>
      (["plan", "call", "loosen"] as const).map((kind) => requiredPresence({ presence }, kind)),
    );
    expect(needs).toEqual([
      ["none", "none", "none"],
      ["none", "passkey", "passkey"],
      ["passkey", "passkey", "passkey"],
    ]);
    expect(requiredPresence({}, "plan")).toBe("none");
  });

  it("[GW-10] covers exactly the decision that its statement names", () => {
    const settings = { approvals: { quorum: 1, presence: "passkey" as const } };
    const session = inPhase("pending", { settings });
    const approvalId = pendingApprovalId(session);
    const { now } = session.state();
    const digest = now.phase === "pending" ? now.submission.digest : "";
    const command = { type: "decide", approval: { action: "approve", approvalId } } as const;
    const by = (statement: Partial<PresenceProof["statement"]>) =>
      ({ ...alice, presence: signedBy({ approvalId, digest, ...statement }, session.session().id) }) as typeof alice;
    expect(session.outcome(command, alice)).toBe("PRESENCE_REQUIRED");
    for (const wrong of [
      { approvalId: "apr_other" },
      { digest: "other" },
      { decision: "edit" },
      { decision: "approve_over_rejection" },
      { person: "opr_bob" as never },
      { sessionId: SessionId.parse("ses_other") },
      { sessionId: null },
    ])
      expect(session.outcome(command, by(wrong))).toBe("PRESENCE_INVALID");
    expect(session.state().now.phase).toBe("pending");
    session.must(command, by({}));
    expect(session.state().now.phase).toBe("executing");
  });

  it("[GW-10] approvals without a passkey leave what could destroy something to a yes of its own", () => {
    const settings = { approvals: { quorum: 1, presence: "destructive" as const } };
    const session = inPhase("pending", { settings });
    session.must({ type: "decide", approval: { action: "approve", approvalId: pendingApprovalId(session) } }, alice);
    expect(session.state().now).toMatchObject({ phase: "executing", asks: "destructive" });
    const plain = inPhase("executing");
    expect(plain.state().now).not.toHaveProperty("asks");
  });

  it("[GW-10, PL-16] a rule has no passkey: auto waits for a person", () => {
    const session = inPhase("exploring", { settings: { approvals: { quorum: 1 } } }).attend();
    session.must({ type: "decide", approval: { action: "auto", enabled: true } }, alice);
    const strict = inPhase("exploring", { settings: { approvals: { quorum: 1, presence: "passkey" } } }).attend();
    expect(strict.outcome({ type: "decide", approval: { action: "auto", enabled: true } }, alice)).toBe(
      "PERMISSION_DENIED",
    );
    submitted(strict);
    expect(strict.state().now.approval).toBe("pending");
  });
});
