/** What a hold and what is signed about it say, to people and to the audit; and whether an agent works past its hooks. */
import { describe, expect, it } from "vitest";
import { admin, alice, inPhase, notices, type PlanSession, system } from "../../../../test/kit/plan-session.ts";
import type { Actor } from "../../../protocol/actor.ts";
import { ApprovalId, OperatorId } from "../../../protocol/ids.ts";
import { ApprovalRules } from "../../protocol/approvals.ts";
import type { PlanModeCommand } from "../../protocol/command.ts";

const bob = { ...alice, id: OperatorId.parse("opr_bob"), name: "Bob" } as Actor;
const by = { kind: "operator", id: "opr_alice" };

function held(quorum: number): PlanSession {
  const session = inPhase("exploring", { settings: { approvals: ApprovalRules.parse({ quorum }) } });
  session.must({ type: "leave" }, alice);
  return session;
}
const lift = (approvalId: ApprovalId | undefined): PlanModeCommand => ({
  type: "decide",
  approval: { action: "lift", ...(approvalId === undefined ? {} : { approvalId }) },
});
const answered = (session: PlanSession, command: PlanModeCommand) => {
  const result = session.apply(command, alice);
  return "refused" in result ? result.refused : result.reply;
};

describe("a hold", () => {
  it("[PL-19, I20] is audited with its id and whose doing it was", () => {
    const session = inPhase("exploring", { settings: { approvals: ApprovalRules.parse({ quorum: 2 }) } });
    const left = session.must({ type: "leave" }, alice);
    const holdId = session.state().held?.id;
    expect(left.audit.at(-1)).toEqual({ type: "hold.set", detail: { holdId, by } });
  });

  it("[PL-19, PL-18, I20] is lifted by as many as it takes: each says how many there are, and is audited", () => {
    const session = held(3);
    const holdId = session.state().held?.id;
    const first = session.must(lift(holdId), alice);
    expect(first.reply).toEqual({ held: true, signatures: 1, missing: 2 });
    expect(notices(first)[0]).toMatch(/1 of 3/);
    const [{ digest } = { digest: "" }] = session.state().loosening?.signatures ?? [];
    expect(first.audit).toEqual([{ type: "loosening.signed", detail: { what: { kind: "lift", holdId }, digest, by } }]);
    const second = session.must(lift(holdId), bob);
    expect(second.reply).toEqual({ held: true, signatures: 2, missing: 1 });
    expect(notices(second)[0]).toMatch(/2 of 3/);
    expect(session.state().loosening?.signatures.map((one) => one.by.name)).toEqual(["Alice", "Bob"]);
    const third = session.must(lift(holdId), admin);
    expect(third.reply).toEqual({ held: false, mode: "normal" });
    expect(third.audit.at(-1)).toEqual({
      type: "hold.lifted",
      detail: { holdId, by: { kind: "operator", id: "opr_root" } },
    });
    expect(session.state()).not.toHaveProperty("loosening");
    expect(session.state()).not.toHaveProperty("held");
  });

  it("[PL-19] who signs for something else keeps nobody's signature, nor their own", () => {
    const session = inPhase("off", {
      settings: { permissionMode: "ask", approvals: ApprovalRules.parse({ quorum: 3 }) },
    });
    const permit = (mode: "bypass" | "default"): PlanModeCommand => ({ type: "set-permission-mode", mode });
    const signers = () => session.state().loosening?.signatures.map((one) => one.by.name);
    session.must(permit("bypass"), alice);
    session.must(permit("bypass"), bob);
    expect(signers()).toEqual(["Alice", "Bob"]);
    session.must(permit("default"), alice);
    expect(signers()).toEqual(["Alice"]);
    session.advance(session.settings().approvalTimeoutSeconds * 1_000); // and signing again after its time replaces it
    session.must(permit("default"), alice);
    expect(signers()).toEqual(["Alice"]);
  });

  it("[PL-19, PL-10] says why it was not lifted", () => {
    expect(answered(inPhase("off"), lift(ApprovalId.parse("apr_1")))).toMatchObject({
      code: "APPROVAL_NOT_PENDING",
      message: "This session is not held.",
    });
    const session = held(2);
    expect(answered(session, lift(undefined))).toEqual({
      code: "APPROVAL_ID_REQUIRED",
      message: "Lifting names the hold that it ends. Read its id from the session's card.",
    });
    expect(answered(session, lift(ApprovalId.parse("apr_other")))).toEqual({
      code: "APPROVAL_STALE",
      message: "This hold is over, and another one holds the session now.",
    });
  });
});

it("[IG-03] an agent that works past its hooks is shown and audited, once for each time it changes", () => {
  const session = inPhase("off", { kind: "external" });
  const gated = (isGated: boolean) => session.must({ type: "gated", gated: isGated }, system);
  expect([gated(true).events, gated(true).reply]).toEqual([[], null]);
  const loose = gated(false);
  expect([loose.reply, loose.audit]).toEqual([null, [{ type: "run.gated", detail: { gated: false } }]]);
  expect(session.state().ungatedAtMs).toBe(session.now());
  expect(gated(false).events).toEqual([]);
  const back = gated(true);
  expect(back.audit).toEqual([{ type: "run.gated", detail: { gated: true } }]);
  expect(session.state()).not.toHaveProperty("ungatedAtMs");
  expect(session.state().now.phase).toBe("off");
});
