import { copyFileSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  aCommit,
  commitAll,
  create,
  everything,
  fact,
  HOUR_MS,
  renamed,
  sid,
  START_MS,
  type Tampering,
} from "../contract/harness.ts";
import { sessionsBelow } from "../sql/queries.ts";
import { SCHEMA_VERSION, migrationsFrom } from "../migrations.ts";
import type { SessionId } from "../../protocol/ids.ts";
import type { SessionFilter, Store } from "../store.ts";
import { storeContract } from "../store-contract.ts";
import { databasePath, openForReading } from "./database-file.ts";
import { openSqliteStore } from "./sqlite-store.ts";

const broken = (error: Error): never => {
  throw error;
};
const open = (folder: string): Promise<Store> => openSqliteStore({ folder, onFatal: broken });

storeContract("sqlite", async () => {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-store-"));
  return {
    open: () => open(folder),
    tamper: async (how) => tamper(folder, how),
    dispose: async () => rmSync(folder, { recursive: true }),
  };
});

function tamper(folder: string, how: Tampering): void {
  const db = new DatabaseSync(databasePath(folder));
  switch (how.kind) {
    case "alter-body":
      db.prepare("UPDATE audit SET body = ? WHERE seq = ?").run(how.body, how.seq);
      break;
    case "alter-actor":
      db.prepare("UPDATE audit SET actor = ? WHERE seq = ?").run(how.actor, how.seq);
      break;
    case "remove":
      db.prepare("DELETE FROM audit WHERE seq = ?").run(how.seq);
      break;
    case "alter-document":
      db.prepare("UPDATE artifacts SET body = ? WHERE id = ?").run(how.body, how.id);
      break;
    case "remove-document":
      db.prepare("DELETE FROM artifacts WHERE id = ?").run(how.id);
      break;
    case "swap": {
      const renumber = db.prepare("UPDATE audit SET seq = ? WHERE seq = ?");
      const [one, other] = how.seqs;
      renumber.run(-1, one);
      renumber.run(one, other);
      renumber.run(other, -1);
    }
  }
  db.close();
}

/** A row that version 0.1.0 wrote before this change. */
const RECORDED_ORDER =
  '{"kind":"carry-out","slice":"scheduler","order":{"do":"plan","jobId":"job_1","dueAtMs":1790000060000}}';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-store-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

async function opened(folder = temporaryFolder()): Promise<{ folder: string; store: Store }> {
  const store = await open(folder);
  onTestFinished(() => store.close());
  return { folder, store };
}

describe("the state folder", () => {
  it("can be read by its owner only", async () => {
    const { folder, store } = await opened(join(temporaryFolder(), "state"));
    await commitAll(store, [create(sid("1"))]);
    const modes = ["", "holdpoint.db", "holdpoint.db-wal", "holdpoint.db-shm", "reserve.bin"].map((name) =>
      (statSync(join(folder, name)).mode & 0o777).toString(8),
    );
    expect(modes).toEqual(["700", "600", "600", "600", "600"]);
  });

  it("is refused, and left alone, when a newer version wrote it", async () => {
    const { folder, store } = await opened();
    await store.close();
    const db = new DatabaseSync(databasePath(folder));
    db.exec("UPDATE meta SET value = '99' WHERE key = 'schema'");
    db.close();
    await expect(open(folder)).rejects.toThrow(
      `This state was written by a newer Holdpoint (its format is 99, this one knows up to ${SCHEMA_VERSION}). Nothing was changed.`,
    );
  });

  it("opens as the version before orders had lanes left it, with the orders that it had not carried out", async () => {
    const folder = temporaryFolder();
    const db = new DatabaseSync(databasePath(folder));
    db.exec("CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID");
    for (const step of migrationsFrom(0, "sqlite").slice(0, 2)) db.exec(step);
    db.exec("INSERT INTO meta VALUES ('schema', '2')");
    db.prepare("INSERT INTO outbox (session_id, body) VALUES (?, ?)").run("ses_1", RECORDED_ORDER);
    db.close();
    const { store } = await opened(folder);
    const [row] = await store.pendingEffects({ id: 0, limit: 10 });
    expect(row).toEqual({ id: 1, sessionId: sid("1"), effect: { ...JSON.parse(RECORDED_ORDER), kind: "perform" } });
    const claim = { id: 1, sessionId: sid("1"), slice: "scheduler", node: "n", nowMs: 5, leaseUntilMs: 9 };
    expect(await store.claimOrder({ ...claim, sole: true, key: null })).toMatchObject({ status: "claimed" });
    await store.orderDone({ id: 1, sessionId: sid("1"), slice: "scheduler", key: null, atMs: 6 });
    expect(await store.pendingEffects({ id: 0, limit: 10 })).toEqual([]);
  });

  it("[PL-12] opens what an earlier version wrote, unchanged, and knows nobody who follows it", async () => {
    const { folder, store } = await opened();
    const planning = create(sid("2"), { slices: { planMode: { now: { mode: "plan" } } }, title: "a \0 in it" });
    const normal = create(sid("3"), { slices: { planMode: { now: { mode: "normal" } } } });
    await commitAll(store, [create(sid("1")), { ...planning, mode: "plan" }, normal]);
    const before = await everything(store, [sid("1"), sid("2"), sid("3")]);
    await store.close();
    const db = new DatabaseSync(databasePath(folder));
    db.exec("DROP INDEX sessions_mode; ALTER TABLE sessions DROP COLUMN mode; DROP TABLE command_owners");
    db.exec(
      "DROP TABLE passkeys; DROP TABLE challenges; DROP TABLE deleted_sessions; DROP TABLE channel_notes; DROP TABLE blobs;" +
        "DROP TABLE search_documents; DROP TABLE search_terms",
    );
    for (const table of ["sessions", "events", "outbox", "timers", "artifacts", "idempotency", "tokens"])
      db.exec(`ALTER TABLE ${table} DROP COLUMN checksum`);
    db.exec("DROP TABLE subscribers; DROP TABLE deliveries; DROP TABLE surface_accounts");
    db.exec("UPDATE meta SET value = '3' WHERE key = 'schema'");
    db.close();
    const again = (await opened(folder)).store;
    expect(await everything(again, [sid("1"), sid("2"), sid("3")])).toEqual(before);
    expect(await again.sessionModes()).toEqual({ plan: 1 });
    expect(await again.subscribers({ id: "", limit: 9 })).toEqual([]);
    expect(await again.surfaceAccounts()).toEqual([]);
  });

  it("[PL-12] is as it was before when bringing it up to date fails half-way", async () => {
    const folder = temporaryFolder();
    const tables = (): unknown[] => {
      const db = new DatabaseSync(databasePath(folder));
      const found = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
      db.close();
      return found.map((row) => row["name"]);
    };
    const db = new DatabaseSync(databasePath(folder));
    db.exec("CREATE TABLE tokens (in_the_way TEXT)"); // one of the last that the first step makes
    db.close();
    await expect(open(folder)).rejects.toThrow("table tokens already exists");
    expect(tables()).toEqual(["tokens"]);
  });

  it("is refused with what to do when it is no folder that can be written", async () => {
    const folder = temporaryFolder();
    rmSync(join(folder, "state"), { force: true });
    copyFileSync(import.meta.filename, join(folder, "state"));
    await expect(open(join(folder, "state"))).rejects.toThrow(
      /cannot be written. Make it writable, or name another one/,
    );
  });
});

describe("space", () => {
  it("[SC-04] is given back to the disk when sessions are deleted", async () => {
    const { folder, store } = await opened();
    const text = "x".repeat(20_000);
    const ids = Array.from({ length: 100 }, (_, n) => sid(n));
    for (const id of ids)
      await commitAll(store, [create(id), aCommit(id, { expectedVersion: 1, events: Array(10).fill(renamed(text)) })]);
    const bytes = (): number =>
      ["holdpoint.db", "holdpoint.db-wal"].reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    expect(bytes()).toBeGreaterThan(20_000_000);
    const gone = (id: SessionId) =>
      aCommit(id, { expectedVersion: 2, session: undefined, events: [{ type: "session.deleted" }] });
    await commitAll(store, ids.map(gone));
    await store.prune(START_MS + 10 * HOUR_MS);
    expect(bytes()).toBeLessThan(1_000_000);
    expect(await store.verifyAudit()).toMatchObject({ intact: true });
  });

  it("[SC-04, PL-12] is given back by a database of an earlier version when it is next opened", async () => {
    const folder = temporaryFolder();
    const db = new DatabaseSync(databasePath(folder));
    db.exec("CREATE TABLE ballast (bytes BLOB); INSERT INTO ballast VALUES (zeroblob(20000000)); DROP TABLE ballast");
    db.close();
    const { store } = await opened(folder);
    await commitAll(store, [create(sid("1"))]);
    await store.close();
    expect(statSync(databasePath(folder)).size).toBeLessThan(1_000_000);
  });
});

describe("backup", () => {
  it("is a copy that can be opened, made while the gateway goes on", async () => {
    const { folder, store } = await opened();
    await commitAll(store, [create(sid("1")), aCommit(sid("1"), { expectedVersion: 1, audit: [fact("x")] })]);
    const path = join(folder, "copy.db");
    const before = await everything(store, [sid("1")]);
    const { bytes } = await store.backup(path);
    expect(bytes).toBe(statSync(path).size);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await commitAll(store, [create(sid("after"))]);
    const restored = temporaryFolder();
    copyFileSync(path, databasePath(restored));
    const { store: copy } = await opened(restored);
    expect(await everything(copy, [sid("1")])).toEqual(before);
    expect(await copy.verifyAudit()).toMatchObject({ intact: true, rows: 1 });
  });

  it("overwrites nothing", async () => {
    const { folder, store } = await opened();
    await expect(store.backup(databasePath(folder))).rejects.toThrow(/already exists. Choose another name/);
    await expect(store.backup(join(folder, "no", "such", "folder"))).rejects.toThrow(/could not be written/);
  });
});

describe("the list of sessions", () => {
  it.each<[string, SessionFilter, number]>([
    ["all", {}, 2], // merges one page of each index,
    ["archived", { archived: true }, 0],
    ["waiting", { waiting: true }, 0],
    ["not waiting", { archived: false, waiting: false }, 0],
  ])("walks an index, so a page of %s costs the same however many there are", async (_, filter, sorted) => {
    const { folder, store } = await opened();
    await commitAll(store, [create(sid("1"))]);
    const db = openForReading(folder);
    const { texts, values } = sessionsBelow(filter, { updatedAtMs: 5, id: "ses_5" }, 50);
    const plan = db.prepare(`EXPLAIN QUERY PLAN ${texts.join("?")}`).all(...values);
    db.close();
    const details = plan.map((row) => String(row["detail"]));
    const steps = details.filter((detail) => /sessions/.test(detail));
    expect(steps.length).toBeGreaterThan(0);
    for (const step of steps) expect(step).toMatch(/SEARCH sessions USING INDEX sessions_(listed|waiting) \(.*</);
    expect(details.filter((detail) => /TEMP B-TREE/.test(detail))).toHaveLength(sorted);
  });
});

describe("the writer", () => {
  it("throws at whoever asked for the impossible, and at nobody else", async () => {
    const { store } = await opened();
    const impossible = { ...create(sid("bad")), atMs: null as never };
    const [bad, ...good] = await Promise.allSettled([impossible, create(sid("1")), create(sid("2"))].map(store.commit));
    expect(bad).toMatchObject({ status: "rejected" });
    expect(good).toMatchObject([
      { status: "fulfilled", value: { status: "committed" } },
      { status: "fulfilled", value: { status: "committed" } },
    ]);
    expect(await store.session(sid("bad"))).toBeUndefined();
  });
});
