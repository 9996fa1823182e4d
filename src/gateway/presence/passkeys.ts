/**
 * Passkeys of operators: whose they are, and that each signature counts once.
 *
 *   link ──code──▶ enrolled ──signs──▶ counted …
 *                     └──revoked, or its operator's token revoked──▶ signs nothing
 */
import { hash } from "node:crypto";
import type { Clock } from "../../engine/clock.ts";
import type { OwnFact } from "../../protocol/audit.ts";
import type { OperatorId } from "../../protocol/ids.ts";
import { refuse, type Refused } from "../../protocol/refusal.ts";
import type { PasskeyView } from "../../protocol/wire/passkey-methods.ts";
import type { Passkey, StoredPasskey } from "../../store/passkeys.ts";
import type { Store } from "../../store/store.ts";
import { StoreRefused, storeRefusal } from "../methods/store-refusal.ts";
import { memoryRevocations, type RevocationList } from "../login/revocation-list.ts";
import type { Tokens } from "../tokens.ts";
import { isCounted } from "./check-assertion.ts";

/** How often a change is tried again because another one came first. */
const TRIES_MAX = 5;
const FINGERPRINT_CHARS = 16;
/** How long a new passkey is named where the gateway says what needs attention. */
const NOTED_MS = 24 * 3_600_000;

export type Passkeys = {
  /** Of one operator, or of all. */
  list(of?: OperatorId): Promise<PasskeyView[]>;
  /** Keys that sign: neither they nor their operator were revoked. */
  usable(operatorId: OperatorId): Promise<Passkey[]>;
  find(credentialId: string): Promise<Passkey | undefined>;
  /** What an operator should know: a passkey that was added lately can sign from now on. */
  notes(): Promise<string[]>;
  /** Whether any was ever made here; a revoked one counts. */
  any(): Promise<boolean>;
  /** False: the authenticator counted no further, as a copy of it would. */
  used(credentialId: string, counter: number): Promise<boolean>;
  /** Throws a StoreRefused when it could not be recorded. */
  revoke(credentialId: string, by: { id: string; only?: OperatorId }): Promise<PasskeyView | Refused>;
  /** Called once the revocation is recorded. */
  onRevoked(listener: (credentialId: string) => void): void;
  /** At the start: a store that was restored from a backup has again what was revoked since. Returns how many it ended. */
  endRevoked(): Promise<number>;
};

export type PasskeyParts = {
  store: Store;
  clock: Clock;
  tokens: Pick<Tokens, "operator">;
  revocations?: RevocationList | undefined;
};

export function createPasskeys(parts: PasskeyParts): Passkeys {
  const { store, clock, tokens, revocations = memoryRevocations() } = parts;
  const listeners: ((credentialId: string) => void)[] = [];
  const stored = async (credentialId: string): Promise<StoredPasskey | undefined> =>
    (await store.passkeys()).find(({ passkey }) => passkey.credentialId === credentialId);

  async function change(next: Passkey, was: number, audit: { by: string; facts: OwnFact[] }): Promise<boolean> {
    const entry = { atMs: clock.now(), actor: audit.by, facts: audit.facts };
    const result = await store.changePresence({ do: "save", passkey: next, was }, entry);
    if (result.status === "conflict") return false;
    const refused = storeRefusal(result);
    if (refused !== undefined) throw new StoreRefused(refused.refused);
    return true;
  }

  async function viewOf(passkey: Passkey): Promise<PasskeyView> {
    const operator = await tokens.operator(passkey.operatorId);
    const { credentialId, operatorId, name, rpId, createdAtMs, usedAtMs, revokedAtMs } = passkey;
    const state = revokedAtMs === null && operator !== undefined ? "usable" : "revoked";
    const fingerprint = fingerprintOf(passkey.publicKey);
    return { credentialId, operatorId, name, rpId, fingerprint, createdAtMs, usedAtMs, state };
  }

  return {
    async list(of) {
      const all = (await store.passkeys()).map(({ passkey }) => passkey);
      return Promise.all(all.filter(({ operatorId }) => of === undefined || operatorId === of).map(viewOf));
    },
    async usable(operatorId) {
      if ((await tokens.operator(operatorId)) === undefined) return [];
      const all = (await store.passkeys()).map(({ passkey }) => passkey);
      return all.filter((passkey) => passkey.operatorId === operatorId && passkey.revokedAtMs === null);
    },
    find: async (credentialId) => (await stored(credentialId))?.passkey,
    async notes() {
      const all = (await store.passkeys()).map(({ passkey }) => passkey);
      const fresh = all.filter(({ createdAtMs }) => clock.now() - createdAtMs < NOTED_MS);
      return Promise.all(fresh.map(async (passkey) => addedNote(passkey, await tokens.operator(passkey.operatorId))));
    },
    any: async () => (await store.passkeys()).length > 0,
    async used(credentialId, counter) {
      for (let tries = 0; tries < TRIES_MAX; tries += 1) {
        const found = await stored(credentialId);
        if (found === undefined || found.passkey.revokedAtMs !== null) return false;
        const { passkey, version } = found;
        if (!isCounted(counter, passkey.counter)) return false;
        const next = { ...passkey, counter, usedAtMs: clock.now() };
        if (await change(next, version, { by: passkey.operatorId, facts: [] })) return true;
      }
      return false;
    },
    async revoke(credentialId, { id: by, only }) {
      for (let tries = 0; tries < TRIES_MAX; tries += 1) {
        const found = await stored(credentialId);
        const isTheirs = only === undefined || found?.passkey.operatorId === only;
        if (found === undefined || !isTheirs)
          return refuse("INVALID_REQUEST", "There is no such passkey. List them with passkeys.list.");
        const { passkey, version } = found;
        if (passkey.revokedAtMs !== null) return viewOf(passkey);
        const next = { ...passkey, revokedAtMs: clock.now() };
        if (!(await change(next, version, { by, facts: [revokedFact(passkey)] }))) continue;
        revocations.note({ passkey: credentialId }, clock.now());
        for (const listener of listeners) listener(credentialId);
        return viewOf(next);
      }
      return refuse("SESSION_BUSY", "The passkey is being used at this moment. Try again.");
    },
    onRevoked: (listener) => void listeners.push(listener),
    endRevoked: () => endRevoked({ store, revocations, change }),
  };
}

type Change = (next: Passkey, was: number, audit: { by: string; facts: OwnFact[] }) => Promise<boolean>;
type Ending = { store: Store; revocations: RevocationList; change: Change };

async function endRevoked({ store, revocations, change }: Ending): Promise<number> {
  let revived = 0;
  for (const { passkey, version } of await store.passkeys()) {
    const { credentialId, revokedAtMs } = passkey;
    const listedAtMs = revocations.revokedAtMs({ passkey: credentialId });
    if (revokedAtMs !== null && listedAtMs === undefined) revocations.note({ passkey: credentialId }, revokedAtMs);
    if (revokedAtMs !== null || listedAtMs === undefined) continue;
    const ended = { ...passkey, revokedAtMs: listedAtMs };
    if (await change(ended, version, { by: "revocation-list", facts: [revokedFact(passkey)] })) revived += 1;
  }
  return revived;
}

function addedNote({ name, operatorId, publicKey }: Passkey, operator: { name: string } | undefined): string {
  const whose = operator?.name ?? operatorId;
  return `A passkey was added for ${whose} within the last day: ${name}, fingerprint ${fingerprintOf(publicKey)}.`;
}

export const revokedFact = ({ credentialId, operatorId, name }: Passkey): OwnFact => ({
  type: "passkey.revoked",
  detail: { credentialId, operatorId, name },
});

/** By which people compare a key with their own note of it. */
export const fingerprintOf = (publicKey: string): string =>
  hash("sha256", Buffer.from(publicKey, "base64url"), "hex").slice(0, FINGERPRINT_CHARS);
