/** Whoever is revoked, here or through another gateway: their connections end, their jobs stop, and what they decided counts no more. */
import { type Ending, endingOf } from "../gateway/login/device-tokens.ts";
import { KEPT_MS_MAX, type Tokens } from "../gateway/tokens.ts";
import type { Passkeys } from "../gateway/presence/passkeys.ts";
import type { OperatorId } from "../protocol/ids.ts";
import { every } from "../engine/every.ts";
import type { ComposedEngine } from "./engine.ts";
import type { State } from "./state.ts";

export type RevocationParts = {
  state: Pick<State, "store" | "clock" | "log">;
  machine: Pick<ComposedEngine, "revoke" | "leave" | "scheduler" | "shared">;
  tokens: Tokens;
  passkeys: Pick<Passkeys, "onRevoked">;
  closeOperator(id: OperatorId): void;
};

/** Resolves when everything that was revoked before is known. Returns how to stop. */
export async function followRevocations(parts: RevocationParts): Promise<() => void> {
  const { state, machine, tokens, passkeys, closeOperator } = parts;
  const { store, log } = state;
  // each run asks again; this only makes lists and the doctor say it at once
  const stopJobs = (): void =>
    void machine.scheduler
      .stopRevoked()
      .catch((error: unknown) => log.error({ err: error }, "jobs were not stopped yet"));
  tokens.onRevoked((id, how) => {
    end(id, how);
    closeOperator(id);
    if (how === "revoked") stopJobs();
  });
  passkeys.onRevoked((credentialId) => {
    machine.revoke(credentialId);
    stopJobs();
  });
  const end = (id: string, how: Ending): void => (how === "revoked" ? machine.revoke(id) : machine.leave(id));
  async function readPasskeys(): Promise<void> {
    for (const { passkey } of await store.passkeys())
      if (passkey.revokedAtMs !== null) machine.revoke(passkey.credentialId);
  }
  const all = await store.tokens();
  for (const token of all) {
    const how = endingOf(token, all);
    if (how !== undefined) end(token.id, how);
  }
  await readPasskeys();
  const report = (error: unknown): void => log.error({ err: error }, "revoked tokens could not be looked for");
  const look = (): void => void Promise.all([tokens.look(), readPasskeys()]).catch(report);
  return machine.shared ? every(state, KEPT_MS_MAX, look) : () => undefined;
}
