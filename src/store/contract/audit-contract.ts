/** What every store must do with the audit log: one row per commit, chained by hashes, tampering found. */
import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { AUDIT_GENESIS } from "../../protocol/audit-genesis.ts";
import type { OperatorToken, Store } from "../store.ts";
import type { Test } from "./commit-contract.ts";
import { aCommit, commitAll, create, fact, operator, sid, START_MS, type Tampering } from "./harness.ts";

export type AuditTest = {
  test: Test;
  /** Runs against a closed store whose audit rows were tampered with. */
  tampered(how: Tampering, body: (store: Store) => Promise<void>): Promise<void>;
};

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

export function auditContract({ test, tampered }: AuditTest): void {
  it(
    "[ST-07, I20] writes one row per commit that has audit facts, numbered without gaps, each with the hash of the one before",
    test(async ({ store }) => {
      const facts = [fact("plan.decided", { verdict: "approve" }), fact("permission.granted")];
      await commitAll(store, [
        { ...create(sid("1")), audit: facts },
        aCommit(sid("1"), { expectedVersion: 1, atMs: START_MS + 1 }),
      ]);
      await store.commit({ ...create(sid("1")), audit: facts }); // loses, so it leaves no row
      await store.audit({ atMs: START_MS + 2, actor: "opr_root", facts: [fact("config.changed", { path: "a.b" })] });
      const rows = await store.auditRows({ afterSeq: 0, limit: 10 });
      const first = JSON.stringify({ facts });
      const second = JSON.stringify({ facts: [fact("config.changed", { path: "a.b" })] });
      const firstHash = sha256(`${AUDIT_GENESIS}\n1\n${START_MS}\n${sid("1")}\nopr_alice\n${first}`);
      const secondHash = sha256(`${firstHash}\n2\n${START_MS + 2}\n\nopr_root\n${second}`);
      expect(rows).toEqual([
        {
          seq: 1,
          atMs: START_MS,
          sessionId: sid("1"),
          actor: "opr_alice",
          body: first,
          prevHash: AUDIT_GENESIS,
          hash: firstHash,
        },
        {
          seq: 2,
          atMs: START_MS + 2,
          sessionId: null,
          actor: "opr_root",
          body: second,
          prevHash: firstHash,
          hash: secondHash,
        },
      ]);
      expect(await store.auditRows({ afterSeq: 1, limit: 1 })).toEqual(rows.slice(1));
      expect(await store.auditRows({ afterSeq: 0, limit: 9, sessionId: sid("1") })).toEqual(rows.slice(0, 1));
      expect(await store.auditRowsBefore({ beforeSeq: null, limit: 1 })).toEqual(rows.slice(1));
      expect(await store.auditRowsBefore({ beforeSeq: null, limit: 9 })).toEqual(rows);
      expect(await store.auditRowsBefore({ beforeSeq: 2, limit: 9 })).toEqual(rows.slice(0, 1));
      expect(await store.auditRowsBefore({ beforeSeq: null, limit: 9, sessionId: sid("1") })).toEqual(rows.slice(0, 1));
      expect(await store.verifyAudit()).toEqual({ intact: true, rows: 2, headHash: secondHash });
    }),
  );

  it(
    "[I20] keeps the chain whole when many commits extend it at once",
    test(async ({ store }) => {
      await Promise.all(Array.from({ length: 300 }, (_, n) => store.commit({ ...create(sid(n)), audit: [fact("c")] })));
      expect(await store.verifyAudit()).toMatchObject({ intact: true, rows: 300 });
    }),
  );

  it(
    "[ST-07] calls an empty chain intact",
    test(async ({ store }) => {
      expect(await store.verifyAudit()).toEqual({ intact: true, rows: 0, headHash: AUDIT_GENESIS });
    }),
  );

  it.each<[string, Tampering, number]>([
    ["an altered row", { kind: "alter-body", seq: 3, body: '{"facts":[]}' }, 3],
    ["a changed author", { kind: "alter-actor", seq: 1, actor: "opr_mallory" }, 1],
    ["a removed row", { kind: "remove", seq: 2 }, 2],
    ["a removed first row", { kind: "remove", seq: 1 }, 1],
    ["a removed last row", { kind: "remove", seq: 5 }, 5],
    ["rows in another order", { kind: "swap", seqs: [2, 4] }, 2],
    ["an altered plan", { kind: "alter-document", id: "pln_3", body: '{"title":"plan 3","b":2,"a":[3]}' }, 3],
    ["a removed plan", { kind: "remove-document", id: "pln_4" }, 4],
  ])("[ST-07] finds %s", async (_, how, brokenAtSeq) => {
    await tampered(how, async (store) => {
      expect(await store.verifyAudit()).toEqual({
        intact: false,
        rows: brokenAtSeq - 1,
        brokenAtSeq,
        reason: expect.stringMatching(/\d/),
        said: [expect.objectContaining({ line: 0, key: expect.stringMatching(/^chain/) })],
      });
    });
  });

  it(
    "[ST-07, I20] vouches for documents that come without a fact, and for the first of two with one name",
    test(async ({ store, reopen }) => {
      const plan = (title: string) => ({ kind: "plan", id: "pln_1", digest: "d", body: { title } });
      await commitAll(store, [
        { ...create(sid("1")), artifacts: [plan("first")] },
        aCommit(sid("1"), { expectedVersion: 1, artifacts: [plan("second")], audit: [fact("again")] }),
      ]);
      const again = await reopen();
      expect(await again.verifyAudit()).toMatchObject({ intact: true, rows: 2 });
      const [row] = await again.auditRows({ afterSeq: 0, limit: 1 });
      expect(JSON.parse(row?.body ?? "")).toEqual({
        facts: [],
        documents: [{ kind: "plan", id: "pln_1", sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string }],
      });
    }),
  );

  it(
    "[GW-03] keeps operators' tokens as hashes, and a token and its audit row commit together",
    test(async ({ store, reopen }) => {
      const token: OperatorToken = {
        id: operator("alice"),
        name: "Alice",
        tokenHash: sha256("secret"),
        scopes: ["operator.read", "operator.approvals"],
        createdAtMs: START_MS,
        revokedAtMs: null,
        device: null,
      };
      const audit = (type: string) => ({ atMs: START_MS, actor: "system:setup", facts: [fact(type)] });
      expect((await store.saveToken(token, audit("token.created"))).status).toBe("committed");
      expect(await store.tokens()).toEqual([token]);
      const revoked = { ...token, revokedAtMs: START_MS + 1 };
      await store.saveToken(revoked, audit("token.revoked"));
      const again = await reopen();
      expect(await again.tokens()).toEqual([revoked]);
      expect((await again.auditRows({ afterSeq: 0, limit: 9 })).map(({ body }) => body)).toEqual(
        ["token.created", "token.revoked"].map((type) => JSON.stringify({ facts: [fact(type)] })),
      );
    }),
  );

  it(
    "[GW-03] keeps a browser's log-in with whose it is and until when, and moves its end without an audit row",
    test(async ({ store, reopen }) => {
      const browser: OperatorToken = {
        id: operator("browser"),
        name: "Firefox on Linux",
        tokenHash: sha256("cookie"),
        scopes: ["operator.read"],
        createdAtMs: START_MS,
        revokedAtMs: null,
        device: {
          operatorId: operator("alice"),
          browserHash: sha256("kept by the browser"),
          seenAtMs: START_MS,
          expiresAtMs: START_MS + 1_000,
        },
      };
      await store.saveToken(browser, { atMs: START_MS, actor: "alice", facts: [fact("device.created")] });
      const device = browser.device === null ? null : { ...browser.device, expiresAtMs: START_MS + 2_000 };
      const moved = { ...browser, device };
      expect((await store.saveToken(moved, { atMs: START_MS, actor: "alice", facts: [] })).status).toBe("committed");
      const again = await reopen();
      expect(await again.tokens()).toEqual([moved]);
      expect(await again.auditRows({ afterSeq: 0, limit: 9 })).toHaveLength(1);
    }),
  );

  it(
    "[GW-03, AU-07] a revocation is final: whoever writes what they read before it takes none back, nor what it ended",
    test(async ({ store, reopen }) => {
      const device = {
        operatorId: operator("alice"),
        browserHash: sha256("kept by the browser"),
        seenAtMs: START_MS,
        expiresAtMs: START_MS + 1_000,
      };
      const browser: OperatorToken = {
        id: operator("browser"),
        name: "Firefox on Linux",
        tokenHash: sha256("cookie"),
        scopes: ["operator.read"],
        createdAtMs: START_MS,
        revokedAtMs: null,
        device,
      };
      const silent = { atMs: START_MS, actor: "alice", facts: [] };
      const left = { ...browser, revokedAtMs: START_MS + 1, device: { ...device, left: true as const } };
      const revoked = { ...browser, revokedAtMs: START_MS + 2 };
      await store.saveToken(browser, silent);
      await store.saveToken(left, silent);
      await store.saveToken(revoked, silent);
      expect(await store.tokens()).toEqual([revoked]); // now it takes what it let in with it
      const prolonged = { ...browser, device: { ...device, expiresAtMs: START_MS + 2_000 } };
      for (const stale of [browser, prolonged, left])
        expect((await store.saveToken(stale, silent)).status).toBe("committed");
      expect(await (await reopen()).tokens()).toEqual([revoked]);
    }),
  );
}
