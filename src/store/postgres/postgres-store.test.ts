import { Client } from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { freshSchema, postgresUrl, type Schema } from "../../../test/kit/postgres.ts";
import { damageContract } from "../contract/damage-contract.ts";
import { aCommit, commitAll, create, fact, renamed, sid, type Tampering, underKey } from "../contract/harness.ts";
import { storeContract } from "../store-contract.ts";
import { type Store, PUBLISHED_BYTES_MAX, type CommitNotice } from "../store.ts";
import { openPostgresStore } from "./postgres-store.ts";
import { listenerName } from "./commit-notices.ts";

const url = (await postgresUrl()) ?? "";

async function opened(place: Schema = freshSchema(url)): Promise<{ store: Store; place: Schema }> {
  const store = await openPostgresStore(place);
  onTestFinished(async () => {
    await store.close();
    await place.drop();
  });
  return { store, place };
}

function following(store: Store) {
  const notices: CommitNotice[] = [];
  let gaps = 0;
  const waiting = new Set<() => void>();
  const until = (isTrue: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => void (isTrue() && (waiting.delete(look), resolve()));
      waiting.add(look);
      look();
    });
  const look = (): void => waiting.forEach((one) => one());
  const stop = store.subscribe?.({
    onCommit(word) {
      notices.push(word);
      look();
    },
    missed() {
      gaps += 1;
      look();
    },
  });
  onTestFinished(() => stop?.());
  return {
    notices,
    missed: () => until(() => gaps > 0),
    reached: (count: number) => until(() => notices.length >= count),
  };
}

function tampering(how: Tampering): string {
  switch (how.kind) {
    case "alter-body":
      return `UPDATE audit SET body = '${how.body}' WHERE seq = ${how.seq}`;
    case "alter-actor":
      return `UPDATE audit SET actor = '${how.actor}' WHERE seq = ${how.seq}`;
    case "remove":
      return `DELETE FROM audit WHERE seq = ${how.seq}`;
    case "alter-document":
      return `UPDATE artifacts SET body = '${how.body}' WHERE id = '${how.id}'`;
    case "remove-document":
      return `DELETE FROM artifacts WHERE id = '${how.id}'`;
    case "swap": {
      const [one, other] = how.seqs;
      return `UPDATE audit SET seq = -1 WHERE seq = ${one}; UPDATE audit SET seq = ${one} WHERE seq = ${other};
        UPDATE audit SET seq = ${other} WHERE seq = -1`;
    }
  }
}

describe.skipIf(url === "")("postgres", () => {
  storeContract("postgres", async () => {
    const place = freshSchema(url);
    return {
      open: () => openPostgresStore(place),
      tamper: (how) => place.run(tampering(how)),
      dispose: place.drop,
    };
  });

  damageContract(async () => {
    const place = freshSchema(url);
    return { open: () => openPostgresStore(place), run: place.run, dispose: place.drop };
  });

  it("[SC-01] lets two gateways write to one state, of which one wins and both see the same", async () => {
    const { store: one, place } = await opened();
    const { store: other } = await opened(place);
    await commitAll(one, [create(sid("1"))]);
    const results = await Promise.all(
      [one, other, one, other].map((store, n) =>
        store.commit(aCommit(sid("1"), { expectedVersion: 1, events: [renamed(`by ${n}`)], audit: [fact("won")] })),
      ),
    );
    expect(results.map(({ status }) => status).toSorted()).toEqual(["committed", "conflict", "conflict", "conflict"]);
    expect(await one.session(sid("1"))).toEqual(await other.session(sid("1")));
  });

  it("[PL-12] reads the modes of sessions that an earlier version wrote, whatever characters they hold", async () => {
    const { store, place } = await opened();
    const inMode = (n: string, mode: string) =>
      create(sid(n), { slices: { planMode: { now: { mode }, note: "a \0, half of \ud83d and \\u0000 in it" } } });
    await commitAll(store, [create(sid("1")), inMode("2", "plan"), inMode("3", "normal")]);
    await place.run("DROP INDEX sessions_mode; ALTER TABLE sessions DROP COLUMN mode; DROP TABLE command_owners");
    await place.run(
      "DROP TABLE passkeys; DROP TABLE challenges; DROP TABLE deleted_sessions; DROP TABLE channel_notes; DROP TABLE blobs;" +
        "DROP TABLE search_documents",
    );
    const before = ["sessions", "events", "outbox", "timers", "artifacts", "idempotency", "tokens", "surface_accounts"];
    await place.run(before.map((table) => `ALTER TABLE ${table} DROP COLUMN checksum`).join(";"));
    await place.run("UPDATE meta SET value = '4' WHERE key = 'schema'");
    const again = await openPostgresStore(place);
    onTestFinished(() => again.close());
    expect(await again.sessionModes()).toEqual({ plan: 1 });
  });

  it("[SC-02] tells every gateway of every commit in the order of commits, and who made it", async () => {
    const { store: one, place } = await opened();
    const { store: other } = await opened(place);
    const heard = [one, other].map(following);
    await commitAll(one, [create(sid("1"))]);
    for (const [n, store] of [other, one, other].entries())
      await commitAll(store, [
        aCommit(sid("1"), { expectedVersion: n + 1, events: [renamed(`a ${n}`), renamed(`b ${n}`)] }),
      ]);
    await other.commit(aCommit(sid("1"), { expectedVersion: 1, events: [renamed("too late")] }));
    await other.commit({ ...create(sid("2")), recordOnly: true, events: [], idempotency: underKey("k") });
    await commitAll(other, [create(sid("3"))]);
    const versions = [
      [sid("1"), 1],
      [sid("1"), 2],
      [sid("1"), 3],
      [sid("1"), 4],
      [sid("3"), 1],
    ];
    for (const [index, { notices, reached }] of heard.entries()) {
      await reached(versions.length);
      expect(notices.map(({ sessionId, version }) => [sessionId, version])).toEqual(versions);
      expect(notices.map(({ own }) => own)).toEqual(
        [true, false, true, false, false].map((own) => own === (index === 0)),
      );
      const events = await one.events({ cursor: 0, sessionId: sid("1"), limit: 100 });
      const onPublished = notices.slice(0, 4).flatMap(({ cursors }) => [cursors.first, cursors.last]);
      expect(onPublished).toEqual([events[0], events[0], ...events.slice(1)].map((event) => event?.cursor));
    }
  });

  it("[SC-02] passes on to other gateways what one tells, whatever is in it", async () => {
    const { store: one, place } = await opened();
    const { store: other } = await opened(place);
    const heard: string[] = [];
    const [mine, theirs] = [following(one), following(other)];
    one.subscribe?.({
      onCommit: () => undefined,
      missed: () => undefined,
      onPublished: (text) => void heard.push(`one: ${text}`),
    });
    other.subscribe?.({
      onCommit: () => undefined,
      missed: () => undefined,
      onPublished: (text) => void heard.push(`other: ${text}`),
    });
    const texts = ["", "- a 'b' \"c\" \\ d\nße 漢字", "x".repeat(PUBLISHED_BYTES_MAX)];
    for (const text of texts) await one.publish?.(text);
    await commitAll(one, [create(sid("1"))]);
    for (const { reached } of [mine, theirs]) await reached(1); // behind everything that was told
    expect(heard).toEqual(texts.map((text) => `other: ${text}`));
  });

  it("[SC-02] says so when words may have been missed, and goes on", async () => {
    const { store, place } = await opened();
    const { notices, reached, missed } = following(store);
    await commitAll(store, [create(sid("1"))]);
    await reached(1);
    await place.run(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '${listenerName(place.schema)}'`,
    );
    await missed();
    await commitAll(store, [create(sid("2"))]);
    await reached(2);
    expect(notices.map(({ sessionId }) => sessionId)).toEqual([sid("1"), sid("2")]);
  });

  it("[I20] keeps one chain when commits, tokens and settings of two gateways extend it at once", async () => {
    const { store: one, place } = await opened();
    const { store: other } = await opened(place);
    const artifact = { kind: "plan", id: "pln_same", digest: "d", body: null };
    const work = Array.from({ length: 200 }, (_, n) => {
      const store = n % 2 === 0 ? one : other;
      if (n % 10 === 0) return store.audit({ atMs: n, actor: "opr_root", facts: [fact("config.changed")] });
      const idempotency = underKey(`k${n}`);
      return store.commit({ ...create(sid(n)), audit: [fact("c")], artifacts: [artifact], idempotency });
    });
    const results = await Promise.all(work);
    expect(results.filter(({ status }) => status !== "committed")).toEqual([]);
    expect(await one.verifyAudit()).toMatchObject({ intact: true, rows: 200 });
    expect((await other.artifacts({ kind: "plan", cursor: null, limit: 5 })).items).toHaveLength(1);
  });

  it("[I13] gives one key one effect when two gateways use it for new sessions at once", async () => {
    const { store: one, place } = await opened();
    const { store: other } = await opened(place);
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        (n % 2 === 0 ? one : other).commit({ ...create(sid(n)), idempotency: underKey("k") }),
      ),
    );
    expect(results.filter(({ status }) => status === "committed")).toHaveLength(1);
    expect(results.filter(({ status }) => status === "replayed")).toHaveLength(19);
    expect((await one.sessions({}, { cursor: null, limit: 50 })).items).toHaveLength(1);
  });

  it("hands on no event above one that may still become visible", async () => {
    const { store, place } = await opened();
    await commitAll(store, [create(sid("1"))]);
    const slow = new Client({ connectionString: url, options: `-c search_path=${place.schema}` });
    await slow.connect();
    onTestFinished(() => slow.end());
    await slow.query("BEGIN");
    await slow.query(
      `UPDATE sessions SET version = version + 1 WHERE id = '${sid("1")}'; INSERT INTO events (session_id, at_ms, body)
        VALUES ('${sid("1")}', 0, '{"type":"session.reset"}')`,
    );
    await commitAll(store, [create(sid("2"))]); // takes the cursor above the one that is not visible yet
    const reading = store.events({ cursor: 1, limit: 10 });
    const last = store.lastCursor();
    await slow.query("COMMIT");
    expect((await reading).map(({ cursor, sessionId }) => [cursor, sessionId])).toEqual([
      [2, sid("1")],
      [3, sid("2")],
    ]);
    expect(await last).toBe(3);
    await slow.query("BEGIN; INSERT INTO events (session_id, at_ms, body) VALUES ('x', 0, ''); ROLLBACK");
    await commitAll(store, [create(sid("3"))]);
    expect((await store.events({ cursor: 3, limit: 10 })).map(({ cursor }) => cursor)).toEqual([5]); // 4 never was
  });

  it("[I13] says that it does not know when the line breaks, and the key tells later", async () => {
    const { store, place, connections } = await openedAlone();
    await commitAll(store, [create(sid("1"))]);
    const lock = new Client({ connectionString: url, options: `-c search_path=${place.schema}` });
    await lock.connect();
    onTestFinished(() => lock.end());
    await lock.query(`BEGIN; SELECT 1 FROM sessions WHERE id = '${sid("1")}' FOR UPDATE`);
    const commit = aCommit(sid("1"), { expectedVersion: 1, idempotency: underKey("k") });
    const pending = store.commit(commit);
    await untilWaiting(lock, connections);
    await place.run(cut(connections));
    expect(await pending).toMatchObject({ status: "failed", failure: { reason: "unreachable", outcome: "unknown" } });
    await lock.query("COMMIT");
    expect(await store.commit(commit)).toMatchObject({ status: "committed", version: 2 }); // it had not been written
    expect(await store.commit(commit)).toMatchObject({ status: "replayed" });
  });

  it("goes on by itself when its connections were cut", async () => {
    const { store, place, connections } = await openedAlone();
    await commitAll(store, [create(sid("1"))]);
    await place.run(cut(connections));
    expect((await store.session(sid("1")))?.version).toBe(1);
    expect(await store.health()).toEqual({ writable: true, detail: "PostgreSQL" });
  });

  it("refuses writes and still reads while the server takes none, and goes on by itself", async () => {
    const { store, place, role, connections } = await openedAlone();
    await commitAll(store, [create(sid("1"))]);
    await place.run(`ALTER ROLE ${role} SET default_transaction_read_only = on; ${cut(connections)}`);
    expect((await store.session(sid("1")))?.version).toBe(1);
    expect(await store.commit(create(sid("2")))).toMatchObject({
      status: "failed",
      failure: { reason: "read-only", outcome: "nothing-written" },
    });
    expect(await store.health()).toMatchObject({ writable: false });
    await place.run(`ALTER ROLE ${role} RESET ALL; ${cut(connections)}`);
    expect(await store.health()).toMatchObject({ writable: true });
    expect((await store.commit(create(sid("2")))).status).toBe("committed");
  });

  it("[SC-01] says what is wrong with where it is told to go", async () => {
    await expect(openPostgresStore({ url: "postgres://nobody@127.0.0.1:1/none" })).rejects.toThrow(
      /PostgreSQL cannot be reached: connect ECONNREFUSED/,
    );
    await expect(openPostgresStore({ url, schema: "no; such" })).rejects.toThrow(/cannot name a PostgreSQL schema/);
    const { place } = await opened();
    await place.run("UPDATE meta SET value = '99' WHERE key = 'schema'");
    await expect(openPostgresStore(place)).rejects.toThrow(/newer Holdpoint/);
  });

  it("leaves backups to PostgreSQL", async () => {
    const { store } = await opened();
    await expect(store.backup("copy")).rejects.toThrow("for instance pg_dump");
  });
});

/** A store whose connections can be told from everybody else's on the server, by the role that they are made as. */
async function openedAlone(): Promise<{ store: Store; place: Schema; role: string; connections: string }> {
  const place = freshSchema(url);
  const role = `${place.schema}_role`;
  await place.run(`CREATE ROLE ${role} LOGIN SUPERUSER PASSWORD 'secret'`);
  const asRole = new URL(url);
  asRole.username = role;
  asRole.password = "secret";
  const store = await openPostgresStore({ url: asRole.href, schema: place.schema });
  onTestFinished(async () => {
    await store.close();
    await place.drop();
    await place.run(`DROP ROLE ${role}`);
  });
  return { store, place, role, connections: `FROM pg_stat_activity WHERE usename = '${role}'` };
}

const cut = (connections: string): string => `SELECT pg_terminate_backend(pid, 5000) ${connections}`;

/** The database itself says when a statement waits for a lock; nothing here guesses at a time. */
async function untilWaiting(client: Client, connections: string): Promise<void> {
  for (;;) {
    await client.query("SELECT pg_stat_clear_snapshot()"); // one transaction sees one picture of the activity
    const { rows } = await client.query(`SELECT 1 ${connections} AND wait_event_type = 'Lock'`);
    if (rows.length > 0) return;
  }
}
