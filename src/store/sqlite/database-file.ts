/** The database file: where it is, who may read it, how it is opened and brought up to date. */
import { chmodSync, closeSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { SCHEMA_VERSION, migrationsFrom } from "../migrations.ts";

export const databasePath = (folder: string): string => join(folder, "holdpoint.db");

/** How long the writer waits for another program's lock. It has a thread of its own, so nobody else waits with it. */
const WRITER_BUSY_MS = 5_000;
/** The gateway's thread never waits longer than this, and in WAL mode a reader has nothing to wait for. */
const READER_BUSY_MS = 50;
/** When the log has so many pages they are moved into the database. */
export const CHECKPOINT_PAGES = 4_000;
const WAL_BYTES_KEPT = 64 * 1024 * 1024;

/** SQLite gives its side files the permissions of the database, so the database is made first, for its owner only. */
export function prepareFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const path = databasePath(folder);
  closeSync(openSync(path, "a", 0o600));
  chmodSync(path, 0o600);
}

export function openForWriting(folder: string): DatabaseSync {
  const db = new DatabaseSync(databasePath(folder), { timeout: WRITER_BUSY_MS });
  db.exec("PRAGMA journal_mode = WAL");
  db.exec("PRAGMA synchronous = FULL"); // NORMAL loses acknowledged commits when the power fails
  db.exec("PRAGMA wal_autocheckpoint = 0"); // SQLite would do it by itself, and keep a failed fsync to itself
  db.exec(`PRAGMA journal_size_limit = ${WAL_BYTES_KEPT}`);
  db.exec("PRAGMA cache_size = -16000");
  return db;
}

export function openForReading(folder: string): DatabaseSync {
  return new DatabaseSync(databasePath(folder), { readOnly: true, timeout: READER_BUSY_MS });
}

/** All missing steps and the new number in one transaction: a kill leaves the old state or the new one. */
export function migrate(db: DatabaseSync): void {
  db.exec("BEGIN IMMEDIATE");
  try {
    db.exec("CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID");
    const row = db.prepare("SELECT value FROM meta WHERE key = 'schema'").get();
    const steps = migrationsFrom(Number(row?.["value"] ?? 0), "sqlite");
    for (const step of steps) db.exec(step);
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
