import { expect, it } from "vitest";
import type { Permit } from "../plugins/tool.ts";
import { SessionId } from "../protocol/ids.ts";
import { mintPermit, mustStillHold, NotStarted, PermitRefused, spendPermit } from "./permit.ts";

const claim: Permit = { sessionId: SessionId.parse("ses_1"), callId: "c1", argsDigest: "d", epoch: 3 };
const call = { sessionId: claim.sessionId, callId: "c1", argsDigest: "d" };

it("[GA-12] a permit opens its own call once, and names the claim behind it", () => {
  const permit = mintPermit({ ...claim, more: "than a claim" } as Permit);
  expect(permit).toEqual(claim);
  expect(Object.isFrozen(permit)).toBe(true);
  expect(spendPermit(permit, call)).toBe(permit);
  expect(() => spendPermit(permit, call)).toThrow(PermitRefused);
  const caller = { kind: "cell", id: "cel_1" } as unknown as NonNullable<Permit["caller"]>;
  expect(mintPermit({ ...claim, caller })).toEqual({ ...claim, caller });
});

it("[GA-12, GW-04] nothing else opens it: no permit, one that only looks alike, one of another call", () => {
  const none = "call c1: no unspent permit of the gate pipeline";
  expect(() => spendPermit(undefined, call)).toThrow(new PermitRefused(none));
  expect(() => spendPermit({ ...claim }, call)).toThrow(new PermitRefused(none));
  for (const other of [{ sessionId: SessionId.parse("ses_2") }, { callId: "c2" }, { argsDigest: "e" }]) {
    const permit = mintPermit(claim);
    const asked = { ...call, ...other };
    expect(() => spendPermit(permit, asked)).toThrow(
      new PermitRefused(`call ${asked.callId}: the permit was minted for another call`),
    );
    expect(spendPermit(permit, call)).toBe(permit); // trying another door does not spend it
  }
});

it("[SC-04, I14] a call whose lease has run out does not start, and its permit is gone", () => {
  const over = "this node was held up for too long, and another one may have taken the turn over";
  let leftMs = 0;
  const permit = mintPermit(claim, () => leftMs);
  expect(() => spendPermit(permit, call)).toThrow(new NotStarted(over));
  leftMs = 1;
  expect(() => spendPermit(permit, call)).toThrow(PermitRefused);
  expect(
    spendPermit(
      mintPermit(claim, () => 1),
      call,
    ),
  ).toEqual(claim);
});

it("[SC-04] a tool that takes its time before it acts is asked once more", () => {
  expect(() => mustStillHold({ leaseLeftMs: () => 0 })).toThrow(NotStarted);
  expect(() => mustStillHold({ leaseLeftMs: () => -5 })).toThrow(NotStarted);
  expect(() => mustStillHold({ leaseLeftMs: () => 1 })).not.toThrow();
  expect(() => mustStillHold({})).not.toThrow();
});
