/**
 * The program whose writes are recorded: it opens the store, commits, notes what was acknowledged in a file beside it, and
 * closes; several times, so that the log is made, grows, is moved into the database and goes.
 */
import { openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { aCommit, aSession, created, fact, renamed, sid, underKey } from "../../src/store/contract/harness.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { ACKS_FILE } from "./recorded-writes.ts";

const [folder = "", rounds = "3", commits = "40"] = process.argv.slice(2);
const TOGETHER = 4;

const acks = openSync(join(folder, ACKS_FILE), "a");
let count = 0;

async function commitOne(store: Awaited<ReturnType<typeof openSqliteStore>>): Promise<void> {
  const key = `k${++count}`;
  const id = sid(key);
  const result = await store.commit(
    aCommit(id, {
      session: aSession(id),
      events: [created(aSession(id)), renamed(key)],
      artifacts: [{ kind: "plan", id: key, digest: key, body: { text: "x".repeat((count * 997) % 9_000) } }],
      audit: [fact("committed", { key })],
      idempotency: underKey(key),
    }),
  );
  if (result.status !== "committed") throw new Error(`${key}: ${result.status}`);
  writeSync(acks, `${key}\n`);
}

for (let round = 0; round < Number(rounds); round++) {
  const store = await openSqliteStore({
    folder,
    onFatal(error) {
      throw error;
    },
  });
  for (let n = 0; n < Number(commits); n += TOGETHER)
    await Promise.all(Array.from({ length: TOGETHER }, () => commitOne(store)));
  await store.close();
}
