/** A store is moved to PostgreSQL and back by the command; what it cannot move it leaves as it was. */
import { mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshDatabase, postgresUrl } from "../../../test/kit/postgres.ts";
import { claimFolder } from "../../store/sqlite/claim-folder.ts";
import {
  aCommit,
  commitAll,
  create,
  entry,
  everything,
  fact,
  sid,
  START_MS,
  turn,
} from "../../store/contract/harness.ts";
import { MOVED_TABLES } from "../../store/move/moved-tables.ts";
import { openPostgresStore } from "../../store/postgres/postgres-store.ts";
import { openSqliteStore } from "../../store/sqlite/sqlite-store.ts";
import type { Store } from "../../store/store.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { type Printed, typedCommand } from "../../../test/kit/typed-command.ts";

const server = await postgresUrl();
const ids = [1, 2, 3].map(sid);
const TURN = { kind: "run-turn", turnId: turn(1) } as const;
let home: string;

beforeAll(async () => void (home = await mkdtemp(join(tmpdir(), "holdpoint-move-"))));
afterAll(() => rm(home, { recursive: true, force: true }));

const call = (...args: string[]): Promise<Printed> => typedCommand(home, args);

const openSqlite = (): Promise<Store> => openSqliteStore({ folder: join(home, "store"), onFatal: () => undefined });

async function fill(store: Store): Promise<void> {
  await commitAll(
    store,
    ids.map((id) => create(id, { title: `“${id}” ü 漢 \u0001` })),
  );
  await commitAll(store, [
    aCommit(sid(2), { expectedVersion: 1, outbox: [TURN, TURN] }),
    aCommit(sid(1), { expectedVersion: 1, events: [entry(0), entry(1)], audit: [fact("plan.decided", { yes: true })] }),
  ]);
  await store.effectDone(2); // a number that must not be given out again
  const document = { owner: "library", key: "one", atMs: START_MS, expectedVersion: 0, body: { text: "a" } };
  await store.saveSearchDocument({ ...document, terms: ["pay", "it's", "f:src/ü.ts"] });
  await store.saveBlob({
    owner: "cells",
    key: "k",
    sessionId: sid(1),
    untilMs: START_MS * 2,
    bytes: Buffer.from("bytes"),
  });
}

const effects = async (store: Store): Promise<number[]> =>
  (await store.pendingEffects({ id: 0, limit: 9 })).map(({ id }) => id);

async function found(store: Store): Promise<unknown> {
  const terms = [{ term: "f:src", isPrefix: true }, { term: "it's" }];
  return [
    await everything(store, ids),
    await store.searchDocuments({ owner: "library", terms, cursor: null, limit: 5 }),
    await store.blob({ owner: "cells", key: "k", nowMs: START_MS }),
    await store.verifyAudit(),
  ];
}

describe.skipIf(server === undefined)("a store", () => {
  it("[SC-03] moves to PostgreSQL and back, everything in it, and the configuration with it", async () => {
    const before = await openSqlite();
    await fill(before);
    const was = await found(before);
    await before.close();
    const url = await freshDatabase(server ?? "");

    const there = await call("migrate-store", url);
    expect(there).toMatchObject({ code: 0, err: "" });
    expect(await readFile(join(home, "config.yaml"), "utf8")).toContain("kind: postgres");
    const moved = await openPostgresStore({ url });
    expect(await found(moved)).toEqual(was);
    await commitAll(moved, [aCommit(sid(2), { expectedVersion: 2, outbox: [TURN], audit: [fact("later")] })]);
    const later = await found(moved);
    expect(await effects(moved)).toEqual([1, 3]);
    await moved.effectDone(3);
    const done = await found(moved);
    expect(done).not.toEqual(later);
    await moved.close();

    // the old store is the past: whoever opened it would have back what was decided and revoked since
    await expect(openSqlite()).rejects.toThrow(/was moved \(to postgres/);
    expect((await call("migrate-store", "sqlite")).err).toMatch(/was\s+moved/);
    await rename(join(home, "store"), join(home, "store.old"));
    expect(await call("migrate-store", "sqlite", "--json")).toMatchObject({ code: 0, err: "" });
    const back = await openSqlite();
    expect(await found(back)).toEqual(done);
    await commitAll(back, [aCommit(sid(3), { expectedVersion: 1, outbox: [TURN] })]);
    expect(await effects(back)).toEqual([1, 4]);
    await back.close();
    await expect(openPostgresStore({ url })).rejects.toThrow(/was moved \(to sqlite/);
  });

  it("[SC-03, GW-04] that was moved is taken back by a restore alone, which the chain records", async () => {
    const old = join(home, "store.old", "holdpoint.db");
    expect(await call("restore", old)).toMatchObject({ code: 0, err: "" });
    const back = await openSqlite();
    const rows = await back.auditRows({ afterSeq: 0, limit: 99 });
    expect(rows.at(-1)?.body).toContain("store.restored");
    await back.close();
  });

  it("[SC-03] stays where it is while a gateway uses either side, and when the other side is taken", async () => {
    const url = await freshDatabase(server ?? "");
    const taken = await openPostgresStore({ url });
    const configured = await readFile(join(home, "config.yaml"), "utf8");
    expect((await call("migrate-store", url)).err).toContain("running gateway");
    await commitAll(taken, [create(sid(9))]);
    await taken.close();
    expect((await call("migrate-store", url)).err).toContain("not empty");
    const claim = claimFolder(home, { pid: process.pid });
    expect((await call("migrate-store", url)).code).toBe(EXIT_CODES.stateHeld.code);
    if ("release" in claim) claim.release();
    for (const target of ["sqlite", "mysql://x", ""])
      expect((await call("migrate-store", target)).code).toBe(EXIT_CODES.usage.code);
    expect(await readFile(join(home, "config.yaml"), "utf8")).toBe(configured);
  });

  it("[SC-03] is listed with every table that it has, so that a move forgets none", async () => {
    const database = new DatabaseSync(join(home, "store", "holdpoint.db"), { readOnly: true });
    const names = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    database.close();
    const own = names.map(({ name }) => String(name)).filter((name) => !/^(?:sqlite_|search_terms)/.test(name));
    expect(own.toSorted()).toEqual([...MOVED_TABLES].toSorted());
  });

  it("[SC-03] whose rows the other side cannot hold is not moved by half", async () => {
    await writeFile(join(home, "config.yaml"), "store:\n  kind: sqlite\n");
    const database = new DatabaseSync(join(home, "store", "holdpoint.db"));
    database.exec("UPDATE blobs SET body = 'a' || char(0) || 'b'");
    database.close();
    const url = await freshDatabase(server ?? "");
    expect((await call("migrate-store", url)).code).not.toBe(0);
    expect(await readFile(join(home, "config.yaml"), "utf8")).toContain("kind: sqlite");
    const client = new Client({ connectionString: url });
    await client.connect();
    expect((await client.query("SELECT count(*)::int AS n FROM holdpoint.sessions")).rows).toEqual([{ n: 0 }]);
    await client.end();
  });
});
