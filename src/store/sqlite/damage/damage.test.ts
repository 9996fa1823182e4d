import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { damageContract } from "../../contract/damage-contract.ts";
import { aCommit, commitAll, create, fact, sid } from "../../contract/harness.ts";
import type { Store } from "../../store.ts";
import { databasePath } from "../database-file.ts";
import { openSqliteStore } from "../sqlite-store.ts";

const open = (folder: string): Promise<Store> =>
  openSqliteStore({
    folder,
    onFatal(error) {
      throw error;
    },
  });

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-damage-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

describe("sqlite: damaged rows", () => {
  damageContract(async () => {
    const folder = mkdtempSync(join(tmpdir(), "holdpoint-damage-"));
    return {
      open: () => open(folder),
      async run(statement) {
        const db = new DatabaseSync(databasePath(folder), { timeout: 5_000 });
        db.exec(statement);
        db.close();
      },
      dispose: async () => rmSync(folder, { recursive: true }),
    };
  });
});

/** The files as a killed gateway leaves them: the log is still there. */
async function killed(work: (store: Store) => Promise<void>): Promise<string> {
  const [running, dead] = [temporaryFolder(), temporaryFolder()];
  const store = await open(running);
  await work(store);
  for (const name of ["holdpoint.db", "holdpoint.db-wal", "acknowledged"])
    copyFileSync(join(running, name), join(dead, name));
  await store.close();
  return dead;
}

function flip(path: string, at: (bytes: number) => number): void {
  const bytes = readFileSync(path);
  const place = at(bytes.length);
  bytes.writeUInt8(bytes.readUInt8(place) ^ 1, place);
  writeFileSync(path, bytes);
}

const threeSessions = (store: Store): Promise<void> =>
  commitAll(store, [create(sid("1")), { ...create(sid("2")), audit: [fact("made")] }, create(sid("3"))]);

describe("sqlite: a damaged file", () => {
  it("[SC-04] opens what a kill left, with everything that was acknowledged", async () => {
    const folder = await killed(threeSessions);
    const store = await open(folder);
    expect(await store.session(sid("3"))).toMatchObject({ version: 1 });
    await store.close();
  });

  it.each([
    ["the last commit", (bytes: number) => bytes - 100],
    ["the middle", (bytes: number) => Math.floor(bytes / 2)],
    ["its head", () => 20],
  ])("[SC-04] refuses to open when one flipped byte in the log would lose commits: %s", async (_, at) => {
    const folder = await killed(threeSessions);
    const log = join(folder, "holdpoint.db-wal");
    flip(log, at);
    const before = readFileSync(log);
    await expect(open(folder)).rejects.toThrow(/lacks commits that were acknowledged.*Restore a backup/s);
    expect(readFileSync(log).equals(before)).toBe(true); // what could be saved is still there
  });

  it("[SC-04] refuses to open when the log was removed, and goes on once a person accepts the loss", async () => {
    const folder = await killed(threeSessions);
    rmSync(join(folder, "holdpoint.db-wal"));
    await expect(open(folder)).rejects.toThrow("lacks commits");
    rmSync(join(folder, "acknowledged"));
    const store = await open(folder);
    expect(await store.session(sid("1"))).toBeUndefined();
    await store.close();
  });

  it("[SC-04] opens a database that another program read and tidied up after a kill", async () => {
    const folder = await killed(threeSessions);
    const other = new DatabaseSync(databasePath(folder));
    other.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    other.close();
    expect(existsSync(join(folder, "holdpoint.db-wal"))).toBe(false);
    await (await open(folder)).close();
  });

  it("[SC-04] opens a restored backup, which is older on purpose, and guards it from then on", async () => {
    const folder = temporaryFolder();
    const backup = join(temporaryFolder(), "copy.db");
    const store = await open(folder);
    await commitAll(store, [create(sid("1"))]);
    await store.backup(backup);
    await commitAll(store, [create(sid("2"))]);
    await store.close();
    copyFileSync(backup, databasePath(folder));
    const restored = await open(folder);
    expect(await restored.session(sid("2"))).toBeUndefined();
    await commitAll(restored, [create(sid("3"))]);
    await restored.close();
    const db = new DatabaseSync(databasePath(folder));
    db.exec("DELETE FROM events WHERE cursor > 1");
    db.close();
    await expect(open(folder)).rejects.toThrow("lacks commits");
  });

  it("[SC-04] refuses to open a database with a malformed page, and says how to restore", async () => {
    const folder = await filledAndClosed();
    malform(folder);
    await expect(open(folder)).rejects.toThrow(/The database is damaged \(.*Restore a backup/s);
  });

  it("[SC-04] is not ready once a read met a malformed page, answers that it is damaged and writes no more", async () => {
    const folder = await filledAndClosed();
    const store = await open(folder);
    onTestFinished(() => store.close());
    malform(folder);
    await expect(store.sessions({}, { cursor: null, limit: 500 })).rejects.toMatchObject({
      refusal: { code: "STORE_DAMAGED" },
    });
    expect(await store.health()).toMatchObject({ writable: false });
    const after = await store.commit(create(sid("late")));
    expect(after).toMatchObject({ status: "failed", failure: { reason: "damaged", outcome: "nothing-written" } });
  });
});

it("[SC-04] checks a large database while it serves, and is not ready once the check has found damage", async () => {
  const folder = await filledAndClosed();
  const db = new DatabaseSync(databasePath(folder));
  db.exec("CREATE TABLE ballast (bytes BLOB); INSERT INTO ballast VALUES (zeroblob(17000000))");
  db.close();
  malform(folder);
  const store = await open(folder);
  onTestFinished(() => store.close());
  await expect.poll(async () => (await store.health()).writable).toBe(false);
  expect(await store.commit(create(sid("late")))).toMatchObject({ status: "failed", failure: { reason: "damaged" } });
});

async function filledAndClosed(): Promise<string> {
  const folder = temporaryFolder();
  const store = await open(folder);
  for (let n = 0; n < 200; n++) await store.commit(create(sid(n), { title: "x".repeat(500) }));
  await store.commit(aCommit(sid(1), { expectedVersion: 1 }));
  await store.close();
  return folder;
}

/** Overwrites leaf pages, so that the file still opens and only reading them fails. */
function malform(folder: string): void {
  const path = databasePath(folder);
  const db = new DatabaseSync(path, { readOnly: true });
  const pages = db.prepare(
    "SELECT pageno FROM dbstat WHERE name IN ('sessions', 'sessions_listed') AND pagetype = 'leaf'",
  );
  const numbers = pages.all().map((row) => Number(row["pageno"]));
  db.close();
  const bytes = readFileSync(path);
  for (const page of numbers) bytes.fill(0xff, (page - 1) * 4096, page * 4096);
  writeFileSync(path, bytes);
}
