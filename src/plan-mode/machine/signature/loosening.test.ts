/** What loosens the gate, signed: by several, and with passkeys, each for exactly what it names (PL-19, GW-10). */
import { describe, expect, it } from "vitest";
import {
  agent,
  alice,
  inPhase,
  pendingApprovalId,
  planSession,
  type PlanSession,
} from "../../../../test/kit/plan-session.ts";
import type { Actor } from "../../../protocol/actor.ts";
import { OperatorId } from "../../../protocol/ids.ts";
import type { PresenceProof, PresenceSubject } from "../../../protocol/presence.ts";
import { ApprovalRules } from "../../protocol/approvals.ts";
import type { PlanModeCommand } from "../../protocol/command.ts";
import type { PlanBody } from "../../protocol/plan.ts";
import type { PermissionMode } from "../../protocol/settings.ts";
import { planDigest } from "../../tools/plan-digest.ts";
import { refuseAlone } from "./loosening.ts";

type Person = Extract<Actor, { kind: "operator" }>;
const person = (name: string): Person => ({
  ...(alice as Person),
  id: OperatorId.parse(`opr_${name.toLowerCase()}`),
  name,
});
const bob = person("Bob");

const withRules = (given: Partial<ApprovalRules>) => ({ approvals: ApprovalRules.parse(given) });
const permit = (mode: PermissionMode): PlanModeCommand => ({ type: "set-permission-mode", mode });

/** What the refusal asks the passkey to sign. */
function subjectOf(session: PlanSession, command: PlanModeCommand, actor: Actor): PresenceSubject {
  const result = session.apply(command, actor);
  if (!("refused" in result) || result.refused.code !== "PRESENCE_REQUIRED") throw new Error("no passkey is asked for");
  return (result.refused.details as { presence: PresenceSubject }).presence;
}
const proofOf = (subject: PresenceSubject, who: Person, credentialId: string): PresenceProof => ({
  statement: { ...subject, person: who.id, nonce: "nonce", atMs: 0 },
  credentialId,
  authenticatorData: "data",
  clientDataJSON: "json",
  signature: "sig",
});
const present = (session: PlanSession, command: PlanModeCommand, who: Person): Person => ({
  ...who,
  presence: proofOf(subjectOf(session, command, who), who, `key_${who.name}`),
});

describe("a laxer permission mode", () => {
  it("[PL-19, GW-10] asks the passkey for exactly this mode, and keeps the proof with the signature", () => {
    const session = planSession({ settings: { permissionMode: "ask", ...withRules({ presence: "passkey" }) } });
    const subject = subjectOf(session, permit("bypass"), alice);
    expect(subject).toEqual({
      sessionId: "ses_one",
      approvalId: "",
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      decision: "permission bypass",
    });
    expect(subjectOf(session, permit("default"), alice).decision).toBe("permission default");
    expect(subjectOf(session, permit("default"), alice).digest).not.toBe(subject.digest);
    const proof = proofOf(subject, alice as Person, "key");
    expect(session.apply(permit("default"), { ...alice, presence: proof } as Actor)).toMatchObject({
      refused: { code: "PRESENCE_INVALID", message: expect.stringMatching(/\w/) },
    });
    const done = session.must(permit("bypass"), { ...alice, presence: proof } as Actor);
    expect(done.events.flatMap((event) => (event.type === "slice.changed" ? [event.event] : []))).toMatchObject([
      {
        type: "loosening.signed",
        what: { kind: "permission", mode: "bypass" },
        signature: { by: { id: "opr_alice" }, scopes: ["operator.read", "operator.approvals"], passkey: "key" },
        needs: { quorum: 1, missing: [] },
        presence: proof,
      },
      { type: "permission.set", mode: "bypass" },
    ]);
    expect(done.audit[0]).toMatchObject({ type: "loosening.signed", detail: { presence: { credentialId: "key" } } });
  });

  it("[PL-19] needs nothing but the scope where any one approval is enough", () => {
    const session = planSession({ settings: { permissionMode: "ask" } });
    expect(session.outcome(permit("bypass"), alice)).toBe("permission.set");
    expect(session.state()).not.toHaveProperty("loosening");
    const listed = planSession({ settings: { permissionMode: "ask", ...withRules({ approvers: ["Alice"] }) } });
    expect(listed.outcome(permit("bypass"), bob)).toBe("APPROVER_NOT_LISTED");
    expect(listed.outcome(permit("bypass"), alice)).toBe("permission.set");
  });

  it("[PL-18, PL-19] of several who must sign says who is missing, and nobody signs twice", () => {
    const approvals = withRules({ quorum: 2, approvers: ["Alice", "Bob", "Root"] });
    const session = planSession({ settings: { permissionMode: "ask", ...approvals } });
    const first = session.must(permit("bypass"), alice);
    expect(first.reply).toEqual({ permission_mode: "ask", signatures: 1, missing: 1 });
    expect(session.state().loosening).toMatchObject({ needs: { quorum: 2, missing: ["Bob", "Root"] } });
    expect(session.apply(permit("bypass"), alice)).toEqual({
      refused: { code: "APPROVAL_ALREADY_SIGNED", message: "You have signed this already; others must sign too." },
    });
    expect(session.outcome(permit("bypass"), bob)).toBe("loosening.signed permission.set");
  });

  it("[PL-19, PL-08] a signature waits for the others as long as a plan does, and for what it names", () => {
    const settings = { permissionMode: "ask", approvalTimeoutSeconds: 600, ...withRules({ quorum: 2 }) } as const;
    const session = planSession({ settings });
    session.must(permit("bypass"), alice);
    expect(session.outcome(permit("default"), bob)).toBe("loosening.signed"); // about something else: the first is void
    session.advance(599_999);
    expect(session.outcome(permit("default"), alice)).toBe("loosening.signed permission.set");
    const late = planSession({ settings });
    late.must(permit("bypass"), alice);
    late.advance(600_000);
    expect(late.outcome(permit("bypass"), bob)).toBe("loosening.signed");
    expect(late.state().permission).toBe("ask");
  });

  it("[GW-10] a signature without a passkey counts no more where one is asked for by now", () => {
    const session = planSession({ settings: { permissionMode: "ask", ...withRules({ quorum: 2 }) } });
    session.must(permit("bypass"), alice);
    session.configure(withRules({ quorum: 2, presence: "passkey" }));
    expect(session.outcome(permit("bypass"), present(session, permit("bypass"), bob))).toBe("loosening.signed");
    expect(session.state().permission).toBe("ask");
    const again = present(session, permit("bypass"), alice as Person);
    expect(session.outcome(permit("bypass"), again)).toBe("loosening.signed permission.set");
  });
});

describe("other things that loosen the gate", () => {
  it("[PL-19, GW-10] lifting a hold is signed under the hold's own id", () => {
    const session = inPhase("exploring", { settings: withRules({ presence: "passkey" }) });
    session.must({ type: "leave" }, alice);
    const { held } = session.state();
    if (held === undefined) throw new Error("not held");
    const lift: PlanModeCommand = { type: "decide", approval: { action: "lift", approvalId: held.id } };
    expect(subjectOf(session, lift, alice)).toMatchObject({ approvalId: held.id, decision: "lift" });
    expect(session.outcome(lift, present(session, lift, alice as Person))).toBe("loosening.signed hold.lifted");
  });

  const body: PlanBody = {
    title: "Four steps",
    plan: [1, 2, 3, 4].map((n) => ({ step: `Step ${n}`, status: "pending", scope: { paths: [`p${n}/`] } })),
  };
  function carriedOut(approvals: Partial<ApprovalRules>, steps: number[]): PlanSession {
    const session = planSession({ settings: { unlock: "scoped" } });
    session.must({ type: "enter", reason: "x" }, agent);
    session.must({ type: "submit", body, digest: planDigest(body) }, agent);
    const approvalId = pendingApprovalId(session);
    session.must({ type: "decide", approval: { action: "approve", approvalId, steps } }, alice);
    session.configure(withRules(approvals));
    return session;
  }

  it("[PL-19, BY-05, GW-10] accepting further steps names them", () => {
    const session = carriedOut({ presence: "passkey" }, [1]);
    const approvalId = pendingApprovalId(session);
    const release: PlanModeCommand = { type: "decide", approval: { action: "release", approvalId, steps: [2, 3] } };
    expect(subjectOf(session, release, alice)).toMatchObject({ approvalId, decision: "accept steps 2-3" });
    expect(session.outcome(release, present(session, release, alice as Person))).toBe("loosening.signed plan.staged");
  });

  it("[PL-19, BY-02, GW-10] amending the plan names the plan that is amended", () => {
    const session = carriedOut({ presence: "passkey" }, [1, 2, 3, 4]);
    const call = {
      gate: "scope",
      tool: "write",
      kind: "file_edit",
      argsDigest: "d",
      folder: "/w",
      rule: "r",
      matched: "m",
    } as const;
    session.must({ type: "ask-call", callId: "c", call, shown: "x", amend: { paths: ["docs/"] } }, agent);
    const { approvalId } = session.state().question ?? {};
    const yes: PlanModeCommand = { type: "decide", approval: { action: "answer", approvalId, answer: "amend" } };
    expect(subjectOf(session, yes, alice)).toMatchObject({ approvalId, decision: "amend" });
    expect(session.outcome(yes, present(session, yes, alice as Person))).toContain("plan.amended");
  });
});

describe("one person alone", () => {
  const alone = (given: Partial<ApprovalRules>, more: object = {}, actor: Actor = alice) => {
    const session = planSession({ settings: { ...withRules(given), ...more } });
    return refuseAlone({ actor, settings: session.settings() })?.refused;
  };

  it("[PL-19] loosens the gate where they could have approved alone", () => {
    expect(alone({})).toBeUndefined();
    expect(alone({ approvers: ["Alice"] })).toBeUndefined();
    expect(alone({ quorum: 2 }, { requireApproval: false })).toBeUndefined();
  });

  it("[PL-19, PL-18, GW-10] and not where others, or a passkey, would have been needed", () => {
    expect(alone({ quorum: 2 })).toMatchObject({
      code: "PERMISSION_DENIED",
      message: "This takes 2 signatures here (approvals.quorum); one person alone cannot do it.",
      details: { quorum: 2 },
    });
    expect(alone({ approvers: ["Bob"] })).toMatchObject({ code: "APPROVER_NOT_LISTED" });
    expect(alone({ presence: "passkey" })).toMatchObject({
      code: "PERMISSION_DENIED",
      message: expect.stringMatching(/\w/),
    });
    expect(alone({ presence: "destructive" })).toMatchObject({ code: "PERMISSION_DENIED" });
  });
});

describe("several signatures with passkeys", () => {
  it("[GW-10, PL-18] each is kept with its own, and the plan then asks about nothing that destroys", () => {
    const session = inPhase("pending", { settings: withRules({ quorum: 2, presence: "passkey" }) });
    const approvalId = pendingApprovalId(session);
    const approve: PlanModeCommand = { type: "decide", approval: { action: "approve", approvalId } };
    const first = session.must(approve, present(session, approve, alice as Person));
    expect(first.audit[0]).toMatchObject({ detail: { presence: { credentialId: "key_Alice" } } });
    session.must(approve, present(session, approve, bob));
    const { now } = session.state();
    expect(now.phase === "executing" && now.signatures?.map(({ passkey, scopes }) => [passkey, scopes.length])).toEqual(
      [
        ["key_Alice", 2],
        ["key_Bob", 2],
      ],
    );
    expect(now).not.toHaveProperty("passkey");
  });

  it("[GW-10] a signature without one counts no more where one is asked for by now", () => {
    const session = inPhase("pending", { settings: withRules({ quorum: 2 }) });
    const approvalId = pendingApprovalId(session);
    const approve: PlanModeCommand = { type: "decide", approval: { action: "approve", approvalId } };
    session.must(approve, alice);
    session.configure(withRules({ quorum: 2, presence: "passkey" }));
    expect(session.outcome(approve, present(session, approve, bob))).toBe("plan.signed");
    expect(session.outcome(approve, present(session, approve, alice as Person))).toBe("plan.signed plan.approved");
  });

  it("[GW-10] where only what destroys needs one, everybody's makes up for it, and one missing does not", () => {
    const settings = withRules({ quorum: 2, presence: "destructive" });
    const asks = (keys: readonly (string | undefined)[]) => {
      const session = inPhase("pending", { settings });
      const approvalId = pendingApprovalId(session);
      const approve: PlanModeCommand = { type: "decide", approval: { action: "approve", approvalId } };
      const { submission } = session.state().now as { submission: { digest: string } };
      const subject = { sessionId: session.session().id, approvalId, digest: submission.digest, decision: "approve" };
      for (const [at, who] of [alice as Person, bob].entries()) {
        const key = keys[at];
        session.must(approve, key === undefined ? who : { ...who, presence: proofOf(subject, who, key) });
      }
      const { now } = session.state();
      return now.phase === "executing" ? now.asks : "not approved";
    };
    expect([asks(["a", "b"]), asks(["a", undefined]), asks([undefined, "b"]), asks([undefined, undefined])]).toEqual([
      undefined,
      "destructive",
      "destructive",
      "destructive",
    ]);
  });
});
