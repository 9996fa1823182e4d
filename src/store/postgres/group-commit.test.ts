import { Client } from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { freshSchema, postgresUrl, type Schema } from "../../../test/kit/postgres.ts";
import {
  aCommit,
  aSession,
  commitAll,
  create,
  everything,
  fact,
  renamed,
  sid,
  START_MS,
  timer,
  turn,
  underKey,
} from "../contract/harness.ts";
import type { Commit, Store } from "../store.ts";
import { openPostgresStore } from "./postgres-store.ts";

const url = (await postgresUrl()) ?? "";

async function opened(place: Schema = freshSchema(url)): Promise<{ store: Store; place: Schema }> {
  const store = await openPostgresStore(place);
  onTestFinished(async () => {
    await store.close();
    await place.drop();
  });
  return { store, place };
}

async function connected({ schema }: Schema): Promise<Client> {
  const client = new Client({ connectionString: url, options: `-c search_path=${schema}` });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

const NAMES = Array.from({ length: 12 }, (_, n) => `${n}`.padStart(2, "0"));

/** Of every kind of row: each session has some of them and not the others. */
const mixed = NAMES.map((name, n): Commit => {
  const timers = n % 3 === 0 ? [timer("a", START_MS + n), timer("b", START_MS + 100 + n)] : [];
  return aCommit(sid(name), {
    atMs: START_MS + n,
    session: aSession(sid(name), { title: `title ${name}`, archived: n % 5 === 4, timers }),
    events: [
      renamed(`nul \0, half \ud800, "${name}"`),
      ...timers.map((set) => ({ type: "timer.set" as const, timer: set })),
    ],
    outbox: n % 2 === 0 ? [] : [{ kind: "run-turn", turnId: turn(name) }],
    artifacts:
      n % 4 === 1 ? ["x", "y"].map((id) => ({ kind: "plan", id: `pln_${name}${id}`, digest: id, body: { id } })) : [],
    audit: n % 3 === 1 ? [fact("made", { name: `{"${name}",\\}` })] : [],
    waiting: n % 6 === 0 ? { kind: "approval", id: "apr_1", title: name, sinceMs: n, deadlineMs: null } : null,
    mode: n % 4 === 0 ? "plan" : null,
    ...(n % 2 === 0 ? { idempotency: underKey(`key "${name}"`) } : {}),
  });
});

describe.skipIf(url === "")("commits that wait at the same time", () => {
  it("[PL-12] are one transaction, and leave what they would have left one after the other", async () => {
    const { store, place } = await opened();
    const { store: alone } = await opened();
    const changes = mixed.map((commit) => ({
      ...commit,
      expectedVersion: 1,
      idempotency: underKey(`2 ${commit.sessionId}`),
    }));
    for (const commits of [mixed, changes]) {
      const results = await Promise.all(commits.map(store.commit));
      const expected = [];
      for (const commit of commits) expected.push(await alone.commit(commit));
      expect(results).toEqual(expected);
    }
    const ids = NAMES.map(sid);
    expect(await everything(store, ids)).toEqual(await everything(alone, ids));
    expect(await store.verifyAudit()).toEqual(await alone.verifyAudit());
    const client = await connected(place);
    const { rows } = await client.query(`SELECT count(DISTINCT xmin::text) AS transactions FROM sessions
      UNION ALL SELECT count(DISTINCT xmin::text) FROM idempotency UNION ALL SELECT count(DISTINCT xmin::text) FROM audit`);
    expect(rows.map(({ transactions }) => Number(transactions))).toEqual([1, 2, 2]);
  });

  it("[SC-04] do not wait for one whose session somebody holds", async () => {
    const { store, place } = await opened();
    await commitAll(
      store,
      NAMES.map((name) => create(sid(name))),
    );
    const lock = await connected(place);
    await lock.query(`BEGIN; SELECT FROM sessions WHERE id = '${sid("03")}' FOR UPDATE`);
    const sent = NAMES.map((name) => store.commit(aCommit(sid(name), { expectedVersion: 1, audit: [fact("x")] })));
    const others = sent.filter((_, n) => n !== 3);
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual(others.map(() => "committed"));
    await lock.query("COMMIT");
    expect(await sent[3]).toMatchObject({ status: "committed", version: 2 });
    expect(await store.verifyAudit()).toMatchObject({ intact: true, rows: NAMES.length });
  });

  it("[SC-04] are written without the one that cannot be written at all, which alone is thrown", async () => {
    const { store } = await opened();
    const impossible = { ...create(sid("bad")), atMs: null as never };
    const [bad, ...good] = await Promise.allSettled([impossible, create(sid("1")), create(sid("2"))].map(store.commit));
    expect(bad).toMatchObject({ status: "rejected" });
    expect(good).toMatchObject([1, 2].map(() => ({ status: "fulfilled", value: { status: "committed" } })));
    expect(await store.session(sid("bad"))).toBeUndefined();
  });

  it("[SC-01, I13, I20] of two gateways have one winner each, one chain, and every key one effect", async () => {
    const { store: one, place } = await opened();
    const { store: other } = await opened(place);
    await commitAll(
      one,
      NAMES.map((name) => create(sid(name))),
    );
    const rounds = 10;
    for (let n = 1; n <= rounds; n++) {
      const change = (name: string, by: string): Commit =>
        aCommit(sid(name), {
          expectedVersion: n,
          events: [renamed(by)],
          audit: [fact("won", { by })],
          artifacts: [{ kind: "plan", id: `pln_${name}_${n}`, digest: by, body: by }],
          idempotency: underKey(`${name} ${n}`, { result: by }),
        });
      const results = await Promise.all(
        NAMES.flatMap((name) => [one.commit(change(name, "one")), other.commit(change(name, "other"))]),
      );
      const statuses = results.map(({ status }) => status).toSorted();
      expect(statuses).toEqual(NAMES.flatMap(() => ["committed", "replayed"]).toSorted());
    }
    const sessions = await Promise.all(NAMES.map((name) => other.session(sid(name))));
    expect(sessions.map((stored) => stored?.version)).toEqual(NAMES.map(() => rounds + 1));
    expect(await one.verifyAudit()).toMatchObject({ intact: true, rows: NAMES.length * rounds });
  });

  it("are answered before the store is closed, and refused after it", async () => {
    const { store, place } = await opened();
    const sent = NAMES.map((name) => store.commit(create(sid(name))));
    await store.close();
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(NAMES.map(() => "committed"));
    expect(await store.commit(create(sid("late")))).toMatchObject({ status: "failed", failure: { reason: "closed" } });
    const again = await openPostgresStore(place);
    onTestFinished(() => again.close());
    expect((await again.sessions({}, { cursor: null, limit: 50 })).items).toHaveLength(NAMES.length);
  });
});
