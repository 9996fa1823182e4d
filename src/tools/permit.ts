/**
 * Permits: the only key to a mutating tool's executor.
 *
 *   claim committed ──mint──▶ unspent ──spend──▶ spent       (an object that looks alike is none: identity counts)
 *
 * Only call-tool.ts mints, right after the claim of the same call committed; a test holds that line.
 */
import type { Permit } from "../plugins/tool.ts";

const unspent = new WeakSet<Permit>();

export function mintPermit(claim: Permit): Permit {
  const { sessionId, callId, argsDigest, epoch, caller } = claim;
  const permit = Object.freeze({ sessionId, callId, argsDigest, epoch, ...(caller === undefined ? {} : { caller }) });
  unspent.add(permit);
  return permit;
}

/** The call that an executor is about to make. */
export type CallAtHand = Pick<Permit, "sessionId" | "callId" | "argsDigest">;

/** Thrown when code tries to run a mutating tool without passing the gate: a bug or an attack, never a normal answer. */
export class PermitRefused extends Error {}

export function spendPermit(permit: Permit | undefined, call: CallAtHand): Permit {
  if (permit === undefined || !unspent.has(permit)) {
    throw new PermitRefused(`call ${call.callId}: no unspent permit of the gate pipeline`);
  }
  const fits =
    permit.sessionId === call.sessionId && permit.callId === call.callId && permit.argsDigest === call.argsDigest;
  if (!fits) throw new PermitRefused(`call ${call.callId}: the permit was minted for another call`);
  unspent.delete(permit);
  return permit;
}
