/**
 * The codes of log-in links. They live in memory, hashed, for minutes: a code that outlives the process is one more thing
 * to steal, and making another costs one command. Where several gateways share a store it keeps them (stored-secrets.ts).
 */
import { randomBytes } from "node:crypto";
import type { Clock } from "../../engine/clock.ts";
import type { Scope } from "../../protocol/actor.ts";
import type { OperatorId } from "../../protocol/ids.ts";
import { hashOf } from "./secret-hash.ts";

export const CODE_MS_MAX = 10 * 60_000;
export const CODE_BYTES = 18;
const CODES_MAX = 100;

/** `madeBy`: the browser's log-in that asked for the link; absent where an operator's own token did. */
export type Linked = { operatorId: OperatorId; scopes: Scope[]; madeBy?: OperatorId | undefined };

export type OneTimeCodes = {
  create(linked: Linked): Promise<{ code: string; expiresAtMs: number }>;
  /** The operator that the code was made for, the first time it is redeemed. */
  use(code: string): Promise<Linked | undefined>;
};

export function createOneTimeCodes(clock: Pick<Clock, "now">): OneTimeCodes {
  const open = new Map<string, Linked & { expiresAtMs: number }>(); // oldest first

  function forgetOld(): void {
    for (const [key, { expiresAtMs }] of open) if (expiresAtMs <= clock.now()) open.delete(key);
    const oldest = open.keys().next().value;
    if (open.size >= CODES_MAX && oldest !== undefined) open.delete(oldest);
  }

  return {
    async create(linked) {
      forgetOld();
      const code = randomBytes(CODE_BYTES).toString("base64url");
      const expiresAtMs = clock.now() + CODE_MS_MAX;
      open.set(hashOf(code), { ...linked, expiresAtMs });
      return { code, expiresAtMs };
    },
    async use(code) {
      const key = hashOf(code); // found by its hash: how long that takes says nothing about the code
      const found = open.get(key);
      open.delete(key);
      return found === undefined || found.expiresAtMs <= clock.now() ? undefined : found;
    },
  };
}
