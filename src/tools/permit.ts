/**
 * Permits: the only key to a mutating tool's executor.
 *
 *   claim committed ──mint──▶ unspent ──spend──▶ spent       (an object that looks alike is none: identity counts)
 *                                └── its lease ran out ─▶ NotStarted
 *
 * Only call-tool.ts mints, right after the claim of the same call committed; a test holds that line.
 */
import type { Permit } from "../plugins/tool.ts";

const unspent = new WeakMap<Permit, LeaseLeft>();

/** For how long the lease behind a claim still holds, in milliseconds. */
export type LeaseLeft = () => number;
const FOR_EVER: LeaseLeft = () => Infinity;

export function mintPermit(claim: Permit, leaseLeftMs: LeaseLeft = FOR_EVER): Permit {
  const { sessionId, callId, argsDigest, epoch, caller } = claim;
  const permit = Object.freeze({ sessionId, callId, argsDigest, epoch, ...(caller === undefined ? {} : { caller }) });
  unspent.set(permit, leaseLeftMs);
  return permit;
}

/** The call that an executor is about to make. */
export type CallAtHand = Pick<Permit, "sessionId" | "callId" | "argsDigest">;

/** Thrown when code tries to run a mutating tool without passing the gate: a bug or an attack, never a normal answer. */
export class PermitRefused extends Error {}

/** The call was claimed and nothing of it has begun: it is over, and may be made again. */
export class NotStarted extends Error {}

export function spendPermit(permit: Permit | undefined, call: CallAtHand): Permit {
  const leaseLeftMs = permit && unspent.get(permit);
  if (permit === undefined || leaseLeftMs === undefined) {
    throw new PermitRefused(`call ${call.callId}: no unspent permit of the gate pipeline`);
  }
  const fits =
    permit.sessionId === call.sessionId && permit.callId === call.callId && permit.argsDigest === call.argsDigest;
  if (!fits) throw new PermitRefused(`call ${call.callId}: the permit was minted for another call`);
  unspent.delete(permit);
  if (leaseLeftMs() <= 0) throw new NotStarted(LEASE_OVER);
  return permit;
}

/** Asked once more by tools that take their time before they act. */
export function mustStillHold({ leaseLeftMs }: { leaseLeftMs?(): number }): void {
  if ((leaseLeftMs?.() ?? Infinity) <= 0) throw new NotStarted(LEASE_OVER);
}

const LEASE_OVER = "this node was held up for too long, and another one may have taken the turn over";
