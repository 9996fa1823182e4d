/** What every store must do, told once: memory, SQLite and PostgreSQL each pass all of it. */
import { describe, expect, it } from "vitest";
import { auditContract, type AuditTest } from "./contract/audit-contract.ts";
import { blobContract } from "./contract/blob-contract.ts";
import { commitContract, type Test } from "./contract/commit-contract.ts";
import { deliveryContract } from "./contract/delivery-contract.ts";
import { groupContract } from "./contract/group-contract.ts";
import { create, fact, sid, type StoreHarness } from "./contract/harness.ts";
import { orderContract } from "./contract/order-contract.ts";
import { ownerContract } from "./contract/owner-contract.ts";
import { passkeyContract } from "./contract/passkey-contract.ts";
import { readingContract } from "./contract/reading-contract.ts";
import { retentionContract } from "./contract/retention-contract.ts";
import { searchContract } from "./contract/search-contract.ts";
import type { Store } from "./store.ts";

const AUDITED_ROWS = 5;

export function storeContract(name: string, harness: () => Promise<StoreHarness>): void {
  const test: Test = (body) => async () => {
    const lent = await harness();
    let store = await lent.open();
    const reopen = async (): Promise<Store> => {
      await store.close();
      store = await lent.open();
      return store;
    };
    try {
      await body({ store, reopen });
    } finally {
      await store.close();
      await lent.dispose();
    }
  };

  const planOf = (n: number) => ({
    kind: "plan",
    id: `pln_${n}`,
    digest: `d${n}`,
    body: { title: `plan ${n}`, b: 1, a: [n] },
  });
  const tampered: AuditTest["tampered"] = async (how, body) => {
    const lent = await harness();
    const store = await lent.open();
    for (let n = 1; n <= AUDITED_ROWS; n++)
      await store.commit({ ...create(sid(n)), audit: [fact("made", { n })], artifacts: [planOf(n)] });
    await store.close();
    await lent.tamper(how);
    const again = await lent.open();
    try {
      await body(again);
    } finally {
      await again.close();
      await lent.dispose();
    }
  };

  describe(`${name}: commits`, () => {
    commitContract(test);
    groupContract(test);
  });
  describe(`${name}: reading`, () => {
    readingContract(test);
  });
  describe(`${name}: orders`, () => {
    orderContract(test);
  });
  describe(`${name}: audit and tokens`, () => {
    auditContract({ test, tampered });
  });
  describe(`${name}: deliveries`, () => {
    deliveryContract(test);
  });
  describe(`${name}: owners of commands`, () => {
    ownerContract(test);
  });
  describe(`${name}: passkeys and challenges`, () => {
    passkeyContract(test);
  });
  describe(`${name}: what is removed in time`, () => {
    retentionContract(test, tampered);
  });

  describe(`${name}: bytes of plugins`, () => {
    blobContract(test);
  });
  describe(`${name}: documents found by their terms`, () => {
    searchContract(test);
  });
  describe(`${name}: health`, () => {
    it(
      "says that it can be written, until it is closed",
      test(async ({ store }) => {
        expect(await store.health()).toMatchObject({ writable: true });
        await store.close();
        expect(await store.health()).toMatchObject({ writable: false });
      }),
    );
  });
}
