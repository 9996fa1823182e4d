/** What acknowledged means on a disk: what is promised is synced, and a failed read is no empty answer. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it, onTestFinished } from "vitest";
import { commitAll, create, sid } from "../contract/harness.ts";
import { openConnection } from "./connection.ts";
import { copyDatabase } from "./copy-database.ts";
import { databasePath, openForWriting, prepareFolder } from "./database-file.ts";
import { openSqliteStore } from "./sqlite-store.ts";
import { syncPath } from "./sync-path.ts";

const SYNCHRONOUS_FULL = 2;

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-durability-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function opened(folder: string) {
  const store = await openSqliteStore({ folder, onFatal: (error) => expect.unreachable(error.message) });
  onTestFinished(() => store.close());
  await commitAll(store, [create(sid("1"))]);
  return store;
}

it("[QA-05, I09] writes through a log that is synced at each commit", () => {
  const folder = temporaryFolder();
  prepareFolder(folder);
  const db = openForWriting(folder);
  onTestFinished(() => db.close());
  expect(db.prepare("PRAGMA synchronous").get()).toEqual({ synchronous: SYNCHRONOUS_FULL });
  expect(db.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
});

it("[QA-05, I09] syncs the folder when the log is made in it, and those above it that had to be made", () => {
  const root = temporaryFolder();
  const folder = join(root, "home", "store");
  const synced: { name: string; hasLog: boolean }[] = [];
  const sync = (name: string): void => {
    syncPath(name);
    synced.push({ name, hasLog: existsSync(`${databasePath(folder)}-wal`) });
  };
  prepareFolder(folder, sync);
  openConnection(folder, sync).close();
  expect(synced).toEqual([
    { name: join(root, "home"), hasLog: false },
    { name: root, hasLog: false },
    { name: folder, hasLog: true },
  ]);
});

it("[QA-05, I09] opens nothing in a folder that cannot be synced", () => {
  const folder = temporaryFolder();
  prepareFolder(folder);
  const failing = (): void => {
    throw new Error("EIO");
  };
  expect(() => openConnection(folder, failing)).toThrow("EIO");
});

it("[QA-05, I09] syncs a backup before it gets its name, and its folder after", async () => {
  const folder = temporaryFolder();
  await opened(folder);
  const path = join(temporaryFolder(), "copy.db");
  const synced: { name: string; isNamed: boolean }[] = [];
  const done = copyDatabase({ folder, path }, (name) => {
    syncPath(name);
    synced.push({ name, isNamed: existsSync(path) });
  });
  expect(done).toMatchObject({ bytes: expect.any(Number) });
  expect(synced).toEqual([
    { name: `${path}.partial`, isNamed: false },
    { name: join(path, ".."), isNamed: true },
  ]);
});

it.runIf(process.platform === "linux")("[QA-05, I09] asks the disk itself to sync, and hands its refusal on", () => {
  expect(() => syncPath("/dev/null")).toThrow("EINVAL"); // nothing that could be synced
});

it("[QA-05, I09] refuses a backup that could not be synced, and leaves nothing behind", async () => {
  const folder = temporaryFolder();
  await opened(folder);
  const path = join(temporaryFolder(), "copy.db");
  const failing = (): void => {
    throw new Error("EIO");
  };
  expect(copyDatabase({ folder, path }, failing)).toEqual({ refused: "The backup could not be written: EIO" });
  expect([existsSync(path), existsSync(`${path}.partial`)]).toEqual([false, false]);
});

it("[QA-05, I18] lets a read that failed fail: an empty list would mean that nothing is there", async () => {
  const folder = temporaryFolder();
  const store = await opened(folder);
  const other = new DatabaseSync(databasePath(folder));
  for (const table of ["events", "outbox", "timers"]) other.exec(`DROP TABLE ${table}`);
  other.close();
  await expect(store.events({ cursor: 0, limit: 10 })).rejects.toThrow("no such table");
  await expect(store.pendingEffects({ id: 0, limit: 10 })).rejects.toThrow("no such table");
  await expect(store.dueTimers({ atMs: 0, limit: 10 })).rejects.toThrow("no such table");
});
