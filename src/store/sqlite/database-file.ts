/** The database file: where it is, who may read it, how it is opened and brought up to date. */
import { chmodSync, closeSync, mkdirSync, openSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { SCHEMA_VERSION, migrationsFrom, refuseMoved } from "../migrations.ts";
import { syncFolder, type SyncPath } from "./sync-path.ts";

export const databasePath = (folder: string): string => join(folder, "holdpoint.db");

/** How long the writer waits for another program's lock. It has a thread of its own, so nobody else waits with it. */
const WRITER_BUSY_MS = 5_000;
/** The gateway's thread never waits longer than this, and in WAL mode a reader has nothing to wait for. */
const READER_BUSY_MS = 50;
/** When the log has so many pages they are moved into the database, after whoever waits was answered. */
export const CHECKPOINT_PAGES = 4_000;
/** So few are moved already when nobody writes: whoever comes next does not wait for it. */
export const PAGES_AT_REST = 1_000;
const WAL_BYTES_KEPT = 64 * 1024 * 1024;

/**
 * SQLite gives its side files the permissions of the database, so the database is made first, for its owner only. It syncs
 * the folder of the database, and nobody else those above it in which that folder is new.
 */
export function prepareFolder(folder: string, sync: SyncPath = syncFolder): void {
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (let made = resolve(folder); first !== undefined; made = dirname(made)) {
    sync(dirname(made));
    if (made === resolve(first) || made === dirname(made)) break;
  }
  chmodSync(folder, 0o700);
  const path = databasePath(folder);
  closeSync(openSync(path, "a", 0o600));
  chmodSync(path, 0o600);
}

export function openForWriting(folder: string): DatabaseSync {
  const db = new DatabaseSync(databasePath(folder), { timeout: WRITER_BUSY_MS });
  db.exec("PRAGMA auto_vacuum = INCREMENTAL"); // of a new database; an older one keeps its form until it is compacted
  db.exec("PRAGMA journal_mode = WAL");
  db.exec("PRAGMA synchronous = FULL"); // NORMAL loses acknowledged commits when the power fails
  db.exec("PRAGMA wal_autocheckpoint = 0"); // SQLite would do it by itself, and keep a failed fsync to itself
  db.exec(`PRAGMA journal_size_limit = ${WAL_BYTES_KEPT}`);
  db.exec("PRAGMA cache_size = -16000");
  return db;
}

/** Pages given back to the disk at once, so that nobody waits long behind it. */
export const RECLAIM_PAGES_MAX = 2_000;

/** Gives free pages back to the disk and shortens the log; whoever reads at the moment is not waited for. */
export function reclaim(db: DatabaseSync): void {
  db.exec(`PRAGMA incremental_vacuum(${RECLAIM_PAGES_MAX})`);
  db.exec("PRAGMA busy_timeout = 0");
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  db.exec(`PRAGMA busy_timeout = ${WRITER_BUSY_MS}`);
}

/** A database of before cannot give pages back. When most of it is free and little is left to copy, it is rebuilt once. */
export function compact(db: DatabaseSync): void {
  const [pages, free, mode] = ["page_count", "freelist_count", "auto_vacuum"].map((name) =>
    Number(db.prepare(`PRAGMA ${name}`).get()?.[name] ?? 0),
  );
  if (mode !== 0 || pages === undefined || free === undefined) return;
  if (free < COMPACT_FREE_PAGES_MIN || pages - free > COMPACT_LIVE_PAGES_MAX || free * 2 < pages) return;
  db.exec("PRAGMA auto_vacuum = INCREMENTAL");
  db.exec("VACUUM");
}

const COMPACT_FREE_PAGES_MIN = 4_000;
const COMPACT_LIVE_PAGES_MAX = 16_000;

export function openForReading(folder: string): DatabaseSync {
  return new DatabaseSync(databasePath(folder), { readOnly: true, timeout: READER_BUSY_MS });
}

/** Before the gateway serves: nobody waits yet, and another program may hold the database for a moment. */
export function openForInspection(folder: string): DatabaseSync {
  return new DatabaseSync(databasePath(folder), { readOnly: true, timeout: WRITER_BUSY_MS });
}

/** All missing steps and the new number in one transaction: a kill leaves the old state or the new one. */
export function migrate(db: DatabaseSync): void {
  db.exec("BEGIN IMMEDIATE");
  try {
    db.exec("CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID");
    refuseMoved(db.prepare("SELECT value FROM meta WHERE key = 'moved'").get()?.["value"]);
    const row = db.prepare("SELECT value FROM meta WHERE key = 'schema'").get();
    const steps = migrationsFrom(Number(row?.["value"] ?? 0), "sqlite");
    for (const step of steps) db.exec(step);
    db.exec("DELETE FROM meta WHERE key = 'copied'"); // a copy that is written to is no copy any more
    if (steps.length > 0)
      db.prepare("INSERT INTO meta VALUES ('schema', ?) ON CONFLICT DO UPDATE SET value = excluded.value").run(
        String(SCHEMA_VERSION),
      );
    db.exec("COMMIT");
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}
