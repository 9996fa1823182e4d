/**
 * A store on a small disk that fills up and is emptied again. Runs as a program of its own, because the small disk is a
 * mount that only this process sees: node full-disk.ts <folder on the small disk>. Prints what it saw as one JSON line.
 */
import { closeSync, existsSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { aCommit, create, fact, renamed, sid } from "../../src/store/contract/harness.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import type { Store } from "../../src/store/store.ts";

const CHUNK_BYTES = 4096;
const COMMITS_MAX = 5_000;
const RECOVERY_LOOKS_MAX = 500;
const VITAL_COMMITS = 40;

async function story(folder: string): Promise<unknown> {
  let fatal: string | null = null;
  const store = await openSqliteStore({ folder, onFatal: (error) => (fatal = error.message) });
  await store.commit(create(sid("reject")));
  const acknowledged = ["ses_reject"];
  const filler = join(folder, "filler");
  fill(filler);
  const refusal = await writeUntilRefused(store, acknowledged);
  const health = await store.health();
  const vital = await vitalCommits(store);
  const ordinary = await store.commit(create(sid("late")));
  const readable = (await store.session(sid("reject")))?.version;
  const ballastReleased = !existsSync(join(folder, "reserve.bin"));
  rmSync(filler);
  const recovered = await commitWhenPossible(store);
  const lost: string[] = [];
  for (const id of acknowledged) if ((await store.session(sid(id.slice(4)))) === undefined) lost.push(id);
  const seen = {
    refusal,
    health,
    vital,
    ordinary,
    readable,
    ballastReleased,
    recovered,
    ballastBack: existsSync(join(folder, "reserve.bin")),
    healthAfter: await store.health(),
    lost,
    audit: await store.verifyAudit(),
    fatal,
  };
  await store.close();
  return seen;
}

function fill(path: string): void {
  const file = openSync(path, "w");
  try {
    for (;;) writeSync(file, Buffer.alloc(CHUNK_BYTES, 1));
  } catch {
    closeSync(file); // full
  }
}

async function writeUntilRefused(store: Store, acknowledged: string[]): Promise<unknown> {
  for (let n = 0; n < COMMITS_MAX; n++) {
    const result = await store.commit({ ...create(sid(n)), audit: [fact("x".repeat(CHUNK_BYTES))] });
    if (result.status !== "committed") return result;
    acknowledged.push(sid(n));
  }
  return "never refused";
}

async function vitalCommits(store: Store): Promise<string[]> {
  const seen = new Set<string>();
  for (let n = 1; n <= VITAL_COMMITS; n++) {
    const change = { expectedVersion: n, vital: true, events: [renamed("rejected")], audit: [fact("plan.decided")] };
    seen.add((await store.commit(aCommit(sid("reject"), change))).status);
  }
  return [...seen];
}

async function commitWhenPossible(store: Store): Promise<string> {
  for (let look = 0; look < RECOVERY_LOOKS_MAX; look++) {
    const { status } = await store.commit(create(sid("again")));
    if (status === "committed") return status;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return "never";
}

const [, , folder] = process.argv;
if (folder !== undefined) process.stdout.write(`${JSON.stringify(await story(folder))}\n`);
