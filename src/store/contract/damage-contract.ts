/** What every store on a disk must notice: rows that were damaged or altered behind its back. */
import { expect, it } from "vitest";
import type { Store } from "../store.ts";
import { aCommit, aSession, commitAll, create, entry, operator, sid, START_MS, timer, underKey } from "./harness.ts";

export type DamageHarness = {
  open(): Promise<Store>;
  /** Any statement, behind the store's back. */
  run(statement: string): Promise<void>;
  dispose(): Promise<void>;
};

const plan = { kind: "plan", id: "pln_1", digest: "d1", body: { title: "Move the cache" } };
const timers = [timer("one", START_MS), timer("two", START_MS)];
const set = timers.map((each) => ({ type: "timer.set" as const, timer: each }));

async function fill(store: Store): Promise<void> {
  const session = aSession(sid("1"), { timers });
  await commitAll(store, [
    create(sid("1")),
    aCommit(sid("1"), {
      expectedVersion: 1,
      session,
      events: [entry(1), ...set],
      outbox: [
        { kind: "run-turn", turnId: "trn_1" },
        { kind: "run-turn", turnId: "trn_2" },
      ] as never,
      artifacts: [plan],
      idempotency: underKey("k1"),
    }),
    create(sid("2")),
  ]);
  const token = { name: "Alice", tokenHash: "a".repeat(64), createdAtMs: START_MS, revokedAtMs: null, device: null };
  for (const name of ["alice", "bob"])
    await store.saveToken(
      { ...token, id: operator(name), scopes: ["operator.read"] },
      { atMs: START_MS, actor: "system", facts: [] },
    );
}

type Damage = { what: string; statement: string; read(store: Store): Promise<unknown> };

const REFUSED: readonly Damage[] = [
  {
    what: "the state of a session",
    statement: "UPDATE sessions SET doc = replace(doc, 'terminal', 'termINAL') WHERE id = 'ses_1'",
    read: (store) => store.session(sid("1")),
  },
  {
    what: "the version of a session",
    statement: "UPDATE sessions SET version = 1 WHERE id = 'ses_1'",
    read: (store) => store.session(sid("1")),
  },
  {
    what: "a line of the transcript",
    statement: "UPDATE events SET body = replace(body, 'line 1', 'line 7')",
    read: (store) => store.entries({ sessionId: sid("1"), from: 0, before: null, limit: 10 }),
  },
  {
    what: "an event",
    statement: "UPDATE events SET at_ms = at_ms + 1",
    read: (store) => store.events({ cursor: 0, limit: 10 }),
  },
  {
    what: "the text of a plan",
    statement: "UPDATE artifacts SET body = replace(body, 'Move', 'Drop')",
    read: (store) => store.artifact("plan", "pln_1"),
  },
  {
    what: "the digest of a plan",
    statement: "UPDATE artifacts SET digest = 'd2'",
    read: (store) => store.artifacts({ kind: "plan", cursor: null, limit: 10 }),
  },
  {
    what: "an answer that is given again",
    statement: "UPDATE idempotency SET result = replace(result, 'first', 'other')",
    read: (store) => store.commit(aCommit(sid("1"), { expectedVersion: 2, idempotency: underKey("k1") })),
  },
];

/** What a damaged row must not hide: the sound ones beside it. */
const LEFT_OUT: readonly Damage[] = [
  {
    what: "a token",
    statement: "UPDATE tokens SET scopes = '[\"operator.admin\"]' WHERE id = 'opr_alice'",
    read: async (store) => (await store.tokens()).map(({ id }) => id),
  },
  {
    what: "an effect",
    statement: "UPDATE outbox SET body = replace(body, 'trn_1', 'trn_9')",
    read: async (store) => (await store.pendingEffects({ id: 0, limit: 10 })).map(({ effect }) => effect),
  },
  {
    what: "a timer",
    statement: "UPDATE timers SET at_ms = at_ms - 1 WHERE key = 'one'",
    read: async (store) => (await store.dueTimers({ atMs: START_MS, limit: 10 })).map(({ timer: { key } }) => key),
  },
];
const SOUND = [["opr_bob"], [{ kind: "run-turn", turnId: "trn_2" }], ["two"]];

export function damageContract(harness: () => Promise<DamageHarness>): void {
  async function after(statement: string, look: (store: Store) => Promise<void>): Promise<void> {
    const lent = await harness();
    const store = await lent.open();
    try {
      await fill(store);
      await lent.run(statement);
      await look(store);
    } finally {
      await store.close();
      await lent.dispose();
    }
  }

  it.each(REFUSED)("[SC-04] refuses $what that was altered, and names it in its health", ({ statement, read }) =>
    after(statement, async (store) => {
      await expect(read(store)).rejects.toMatchObject({ refusal: { code: "STORE_DAMAGED" } });
      expect(await store.health()).toMatchObject({ writable: true, damage: expect.stringContaining("Damaged") });
      expect(await store.session(sid("2"))).toMatchObject({ version: 1 });
    }),
  );

  it.each(LEFT_OUT.map((damage, index) => ({ ...damage, sound: SOUND[index] })))(
    "[SC-04] leaves $what out that was altered, and reads on",
    ({ statement, read, sound }) =>
      after(statement, async (store) => {
        expect(await read(store)).toEqual(sound);
        expect(await store.health()).toMatchObject({ writable: true, damage: expect.stringContaining("Damaged") });
      }),
  );

  it("[SC-04] reads rows of an older version, which have no checksum", () =>
    after("UPDATE sessions SET checksum = NULL", async (store) => {
      expect(await store.session(sid("1"))).toMatchObject({ version: 2 });
      expect(await store.health()).not.toHaveProperty("damage");
    }));
}
