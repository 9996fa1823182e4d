/** A backup takes the place of the store by the command; whatever a gateway would not open changes nothing. */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { aCommit, commitAll, create, fact, sid } from "../../store/contract/harness.ts";
import { claimFolder } from "../../store/sqlite/claim-folder.ts";
import { openSqliteStore } from "../../store/sqlite/sqlite-store.ts";
import type { Store } from "../../store/store.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { type Printed, typedCommand } from "../../../test/kit/typed-command.ts";

let home: string;
const backup = (): string => join(home, "copy.db");

const call = (...args: string[]): Promise<Printed> => typedCommand(home, args);

async function onStore<T>(folder: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openSqliteStore({ folder: join(home, folder), onFatal: () => undefined });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

const sessionsIn = (folder: string): Promise<boolean[]> =>
  onStore(folder, async (store) => Promise.all([1, 2].map(async (id) => (await store.session(sid(id))) !== undefined)));

/** What was revoked before: it is read, and only added to. */
const KEPT = `${JSON.stringify({ id: "opr_gone", atMs: 5 })}\n`;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "holdpoint-restore-"));
  await onStore("store", async (store) => {
    await commitAll(store, [create(sid(1))]);
    await commitAll(store, [aCommit(sid(1), { expectedVersion: 1, audit: [fact("plan.decided", { yes: true })] })]);
  });
  await call("backup", "copy.db"); // where that fails, there is nothing to restore below
  await onStore("store", (store) => commitAll(store, [create(sid(2))]));
  await writeFile(join(home, "revoked.jsonl"), KEPT);
});
afterAll(() => rm(home, { recursive: true, force: true }));

it("[GW-08] restore refuses what is no backup, or an altered one, and leaves the store as it is", async () => {
  await writeFile(join(home, "words.db"), "no database, only words\n".repeat(200));
  const database = new DatabaseSync(backup());
  database.prepare("VACUUM INTO ?").run(join(home, "altered.db"));
  database.close();
  const altered = new DatabaseSync(join(home, "altered.db"));
  altered.exec("UPDATE audit SET body = replace(body, 'true', 'null') WHERE seq = 1");
  altered.close();
  const codes: Record<string, number> = {};
  for (const file of ["missing.db", "words.db", "altered.db"]) codes[file] = (await call("restore", file)).code;
  expect(codes).toEqual({
    "missing.db": EXIT_CODES.usage.code,
    "words.db": EXIT_CODES.storeUnusable.code,
    "altered.db": EXIT_CODES.storeUnusable.code,
  });
  const claim = claimFolder(home, { pid: process.pid });
  expect((await call("restore", "copy.db")).code).toBe(EXIT_CODES.stateHeld.code);
  if ("release" in claim) claim.release();
  expect((await readdir(home)).filter((name) => name.startsWith("store"))).toEqual(["store"]);
  expect(await sessionsIn("store")).toEqual([true, true]);
});

it("[GW-08, SC-04] restore puts the copy in the place of the store, keeps the one of before, and says so in the chain", async () => {
  const { code, out } = await call("restore", "copy.db", "--json");
  const { kept, ...said } = JSON.parse(out) as { kept: string };
  expect([code, said]).toEqual([0, { restored: backup(), auditRows: 1 }]);
  expect(await sessionsIn("store")).toEqual([true, false]);
  expect(await sessionsIn(kept.slice(home.length + 1))).toEqual([true, true]);
  const revoked = await readFile(join(home, "revoked.jsonl"), "utf8");
  expect(revoked.startsWith(KEPT)).toBe(true);
  expect(JSON.parse(revoked.slice(KEPT.length))).toEqual({ restored: true, atMs: expect.any(Number) });
  const rows = await onStore("store", async (store) => {
    expect(await store.verifyAudit()).toMatchObject({ intact: true, rows: 2 });
    return store.auditRows({ afterSeq: 1, limit: 5 });
  });
  expect(rows.map(({ actor, body }) => [actor, JSON.parse(body)])).toEqual([
    ["command-line", { facts: [{ type: "store.restored", detail: { path: backup(), rows: 1 } }] }],
  ]);
});

it("[GW-03, GW-08] restore exchanges nothing where it cannot be read who was revoked", async () => {
  const file = join(home, "revoked.jsonl");
  const before = await readFile(file, "utf8");
  await writeFile(file, "no list\n");
  expect((await call("restore", "copy.db")).code).not.toBe(0);
  expect((await readdir(home)).filter((name) => name.startsWith("store.restoring"))).toEqual([]);
  await writeFile(file, before);
});
