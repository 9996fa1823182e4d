/** What a store removes in time, and what it must keep while it does so. */
import { expect, it } from "vitest";
import { DELETED_KEPT_MS } from "../retention.ts";
import type { AuditTest } from "./audit-contract.ts";
import type { Test } from "./commit-contract.ts";
import { aCommit, commitAll, committed, create, fact, HOUR_MS, renamed, sid, START_MS } from "./harness.ts";

const LATER_MS = START_MS + DELETED_KEPT_MS + HOUR_MS;
const attached = { kind: "attachment", id: "att_1", digest: "a1", body: { bytes: "AAAA" } };
const plan = { kind: "plan", id: "pln_1", digest: "d1", body: { title: "Greet" } };

const remove = (id: string) =>
  aCommit(sid(id), {
    expectedVersion: 2,
    session: undefined,
    events: [{ type: "session.deleted" }],
    audit: [fact("session.deleted")],
  });

export function retentionContract(test: Test, tampered: AuditTest["tampered"]): void {
  it(
    "[ST-07, SC-04] removes the events and files of a deleted session in time; plans and audit rows stay, and the chain holds",
    test(async ({ store, reopen }) => {
      await commitAll(store, [
        create(sid("1")),
        aCommit(sid("1"), { expectedVersion: 1, artifacts: [attached, plan], audit: [fact("made")] }),
        create(sid("2")),
        remove("1"),
        aCommit(sid("2"), { expectedVersion: 1, events: [renamed("kept")] }),
      ]);
      await store.prune(START_MS + 1_000);
      expect(await store.events({ cursor: 0, sessionId: sid("1"), limit: 9 })).toHaveLength(3);
      await store.prune(LATER_MS);
      const again = await reopen();
      expect(await again.events({ cursor: 0, sessionId: sid("1"), limit: 9 })).toEqual([]);
      expect(await again.artifact("attachment", "att_1")).toBeUndefined();
      expect(await again.artifact("plan", "pln_1")).toMatchObject({ body: plan.body });
      expect(await again.events({ cursor: 0, sessionId: sid("2"), limit: 9 })).toHaveLength(2);
      expect(await again.verifyAudit()).toMatchObject({ intact: true, rows: 3 });
    }),
  );

  it(
    "never gives the cursor of a removed event to another",
    test(async ({ store, reopen }) => {
      await commitAll(store, [create(sid("1")), aCommit(sid("1"), { expectedVersion: 1 })]);
      const { events } = committed(await store.commit(remove("1")));
      await store.prune(LATER_MS);
      const again = await reopen();
      const next = committed(await again.commit(create(sid("2"))));
      expect(next.events[0]?.cursor).toBeGreaterThan(events.at(-1)?.cursor ?? 0);
    }),
  );

  it(
    "keeps a session that came back under the same id",
    test(async ({ store }) => {
      await commitAll(store, [create(sid("1")), aCommit(sid("1"), { expectedVersion: 1 }), remove("1")]);
      await commitAll(store, [create(sid("1"))]);
      await store.prune(LATER_MS);
      expect(await store.events({ cursor: 0, sessionId: sid("1"), limit: 9 })).toHaveLength(4);
    }),
  );

  it(
    "[ST-07] removes old audit rows where that is configured, and the chain stays verifiable",
    test(async ({ store }) => {
      for (let n = 0; n < 6; n++)
        await store.audit({ atMs: START_MS + n * HOUR_MS, actor: "opr_alice", facts: [fact("made", { n })] });
      const nowMs = START_MS + 6 * HOUR_MS;
      await store.prune(nowMs, { auditMs: 2 * HOUR_MS });
      const rows = await store.auditRows({ afterSeq: 0, limit: 9 });
      expect(rows.map(({ seq }) => seq)).toEqual([5, 6, 7]);
      expect(rows.at(-1)?.body).toContain('"audit.trimmed"');
      expect(await store.verifyAudit()).toMatchObject({ intact: true });
      await store.prune(nowMs + 100 * HOUR_MS, { auditMs: HOUR_MS });
      expect((await store.auditRows({ afterSeq: 0, limit: 9 })).map(({ seq }) => seq)).toEqual([7, 8]);
      expect(await store.verifyAudit()).toMatchObject({ intact: true });
    }),
  );

  it("[ST-07] finds that rows at the beginning were removed by somebody else, also after old ones were to be trimmed", () =>
    tampered({ kind: "remove", seq: 1 }, async (store) => {
      expect(await store.verifyAudit()).toMatchObject({ intact: false, brokenAtSeq: 1 });
      await store.prune(START_MS + 1_000 * HOUR_MS, { auditMs: HOUR_MS });
      expect(await store.verifyAudit()).toMatchObject({ intact: false, brokenAtSeq: 1 }); // trimming hides nothing
    }));
}
