/** Passkeys and challenges of the store without a disk. */
import { CHALLENGES_OPEN_MAX, type Challenge, type PresenceChange, type StoredPasskey } from "../passkeys.ts";
import type { PasskeyStore } from "../store.ts";
import { fromStored } from "../stored-json.ts";

export type PasskeyMemory = { passkeys: Map<string, StoredPasskey>; challenges: Map<string, Challenge> };

export const emptyPasskeys = (): PasskeyMemory => ({ passkeys: new Map(), challenges: new Map() });

export const passkeyReads = (memory: PasskeyMemory): Pick<PasskeyStore, "passkeys" | "challenge"> => ({
  passkeys: async () => copy([...memory.passkeys.values()].toSorted(byAge)),
  challenge: async (key) => {
    const found = memory.challenges.get(key);
    return found === undefined ? undefined : copy(found);
  },
});

function byAge({ passkey: a }: StoredPasskey, { passkey: b }: StoredPasskey): number {
  return a.createdAtMs - b.createdAtMs || (a.credentialId < b.credentialId ? -1 : 1);
}

/** False: somebody else was first. */
export function changePresence({ passkeys, challenges }: PasskeyMemory, change: PresenceChange): boolean {
  switch (change.do) {
    case "keep": {
      const { key, operatorId } = change.challenge;
      if (challenges.has(key)) return false;
      challenges.set(key, copy(change.challenge));
      const own = [...challenges.values()].filter((other) => other.operatorId === operatorId);
      const newest = own.toSorted((a, b) => b.atMs - a.atMs).slice(0, CHALLENGES_OPEN_MAX);
      for (const other of own) if (!newest.includes(other)) challenges.delete(other.key);
      return true;
    }
    case "take":
      return challenges.delete(change.key);
    case "save": {
      const { credentialId } = change.passkey;
      const version = passkeys.get(credentialId)?.version ?? 0;
      if (version !== change.was) return false;
      passkeys.set(credentialId, { passkey: copy(change.passkey), version: version + 1 });
      return true;
    }
  }
}

const copy = <Value>(value: Value): Value => fromStored(JSON.stringify(value));
