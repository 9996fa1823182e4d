/** What every store must do with passkeys and challenges. */
import { expect, it } from "vitest";
import { CHALLENGES_KEPT_MS, CHALLENGES_OPEN_MAX, type Challenge, type Passkey } from "../passkeys.ts";
import type { Test } from "./commit-contract.ts";
import { fact, operator, START_MS } from "./harness.ts";

const audit = { atMs: START_MS, actor: "opr_alice", facts: [fact("passkey.enrolled")] };
const silent = { ...audit, facts: [] };
const alice = operator("alice");

const challenge = (key: string, change: Partial<Challenge> = {}): Challenge => ({
  key,
  operatorId: alice,
  atMs: START_MS,
  doc: { kind: "decision", text: "a \0 and \u{1f511}" },
  ...change,
});

const passkey: Passkey = {
  credentialId: "cred-1",
  operatorId: alice,
  name: "Key of Alice",
  publicKey: "AQID",
  rpId: "localhost",
  transports: ["internal"],
  createdAtMs: START_MS,
  counter: 0,
  usedAtMs: null,
  revokedAtMs: null,
};

export function passkeyContract(test: Test): void {
  it(
    "[GW-10] keeps a challenge over a restart, and lets it be taken once",
    test(async ({ store, reopen }) => {
      expect((await store.changePresence({ do: "keep", challenge: challenge("c1") }, silent)).status).toBe("committed");
      const again = await reopen();
      expect(await again.challenge("c1")).toEqual(challenge("c1"));
      const taken = await Promise.all([1, 2, 3].map(() => again.changePresence({ do: "take", key: "c1" }, silent)));
      expect(taken.map(({ status }) => status).toSorted()).toEqual(["committed", "conflict", "conflict"]);
      expect(await again.challenge("c1")).toBeUndefined();
      expect(await again.auditRows({ afterSeq: 0, limit: 9 })).toEqual([]);
    }),
  );

  it(
    "[GW-10] does not replace a challenge by another of the same key",
    test(async ({ store }) => {
      await store.changePresence({ do: "keep", challenge: challenge("c1") }, silent);
      const other = challenge("c1", { operatorId: operator("bob") });
      expect(await store.changePresence({ do: "keep", challenge: other }, silent)).toEqual({ status: "conflict" });
      expect(await store.challenge("c1")).toEqual(challenge("c1"));
    }),
  );

  it(
    "[GW-10] forgets the oldest challenges of one operator, and in time all of them",
    test(async ({ store }) => {
      const bobs = challenge("bobs", { operatorId: operator("bob") });
      await store.changePresence({ do: "keep", challenge: bobs }, silent);
      for (let n = 0; n <= CHALLENGES_OPEN_MAX; n += 1)
        await store.changePresence({ do: "keep", challenge: challenge(`c${n}`, { atMs: START_MS + n }) }, silent);
      expect(await store.challenge("c0")).toBeUndefined();
      expect(await store.challenge("c1")).toBeDefined();
      expect(await store.challenge("bobs")).toEqual(bobs);
      await store.prune(START_MS + CHALLENGES_KEPT_MS + 2);
      expect(await store.challenge("bobs")).toBeUndefined();
      expect([await store.challenge("c1"), await store.challenge("c2")]).toMatchObject([undefined, { key: "c2" }]);
    }),
  );

  it(
    "[GW-10] saves a passkey with its audit row, and changes it only from the version that was seen",
    test(async ({ store, reopen }) => {
      expect(await store.passkeys()).toEqual([]);
      expect((await store.changePresence({ do: "save", passkey, was: 0 }, audit)).status).toBe("committed");
      const again = await reopen();
      expect(await again.changePresence({ do: "save", passkey, was: 0 }, audit)).toEqual({ status: "conflict" });
      const used = (counter: number) =>
        again.changePresence({ do: "save", passkey: { ...passkey, counter }, was: 1 }, silent);
      const results = await Promise.all([used(1), used(2)]);
      expect(results.map(({ status }) => status).toSorted()).toEqual(["committed", "conflict"]);
      expect(await again.passkeys()).toMatchObject([{ version: 2, passkey: { credentialId: "cred-1" } }]);
      const later = { ...passkey, credentialId: "aaaa", createdAtMs: START_MS + 1 };
      await again.changePresence({ do: "save", passkey: later, was: 0 }, audit);
      expect((await again.passkeys()).map((kept) => kept.passkey.credentialId)).toEqual(["cred-1", "aaaa"]);
      expect(await again.auditRows({ afterSeq: 0, limit: 9 })).toHaveLength(2);
    }),
  );

  it(
    "[GW-10] takes nothing when it is closed",
    test(async ({ store }) => {
      await store.close();
      expect(await store.changePresence({ do: "take", key: "c1" }, silent)).toMatchObject({ status: "failed" });
    }),
  );
}
