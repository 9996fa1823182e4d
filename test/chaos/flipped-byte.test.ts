/** One flipped bit, anywhere in what a killed gateway left: nothing that was acknowledged is missing or altered unnoticed. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { aCommit, aSession, commitAll, create, entry, fact, sid } from "../../src/store/contract/harness.ts";
import { DamageError } from "../../src/store/damage-log.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import type { Store } from "../../src/store/store.ts";
import { seeded } from "../kit/random.ts";
import { repetitions, SEED } from "../kit/repetitions.ts";

const FILES = ["holdpoint.db", "holdpoint.db-wal", "acknowledged"] as const;
const SESSIONS = 12;
const FLIPS = 6;
const ids = Array.from({ length: SESSIONS }, (_, n) => sid(n));

const open = (folder: string): Promise<Store> =>
  openSqliteStore({
    folder,
    onFatal(error) {
      throw error;
    },
  });
const freshFolder = (): string => mkdtempSync(join(tmpdir(), "holdpoint-flip-"));

let dead = "";
let acknowledged: unknown;

/** Half of it is in the database and half in the log. */
beforeAll(async () => {
  const running = freshFolder();
  dead = freshFolder();
  const before = await open(running);
  await fill(before, ids.slice(0, SESSIONS / 2));
  await before.close();
  const store = await open(running);
  await fill(store, ids.slice(SESSIONS / 2));
  acknowledged = await everythingIn(store);
  for (const name of FILES) copyFileSync(join(running, name), join(dead, name));
  await store.close();
  rmSync(running, { recursive: true });
});
afterAll(() => rmSync(dead, { recursive: true }));

async function fill(store: Store, some: typeof ids): Promise<void> {
  for (const id of some)
    await commitAll(store, [
      create(id, { title: `Session ${id}` }),
      aCommit(id, {
        expectedVersion: 1,
        session: aSession(id, { title: "x".repeat(800) }),
        events: [entry(1), entry(2)],
        artifacts: [{ kind: "plan", id: `pln_${id}`, digest: id, body: { text: "y".repeat(300) } }],
        audit: [fact("made", { id })],
      }),
    ]);
}

async function everythingIn(store: Store): Promise<unknown> {
  const listed: string[] = (await store.sessions({}, { cursor: null, limit: 100 })).items.map(({ id }) => id);
  return {
    listed: listed.toSorted(),
    sessions: await Promise.all(ids.map((id) => store.session(id))),
    entries: await Promise.all(ids.map((sessionId) => store.entries({ sessionId, from: 0, before: null, limit: 9 }))),
    events: await store.events({ cursor: 0, limit: 500 }),
    plans: await Promise.all(ids.map((id) => store.artifact("plan", `pln_${id}`))),
    audit: (await store.verifyAudit()).intact,
  };
}

const NOTICED =
  /damaged|lacks commits|not a database|malformed|unsupported file format|newer Holdpoint|database schema|no such/i;

/** "noticed": refused as a whole or when it is read; "sound": everything is as it was acknowledged. */
async function outcomeOf(folder: string): Promise<"noticed" | "sound" | { found: unknown }> {
  let store: Store;
  try {
    store = await open(folder);
  } catch (error) {
    if (error instanceof Error && NOTICED.test(error.message)) return "noticed";
    throw error;
  }
  try {
    const found = await everythingIn(store);
    if (JSON.stringify(found) === JSON.stringify(acknowledged)) return "sound";
    const { audit, ...rest } = found as Record<string, unknown>;
    const { audit: _, ...expected } = acknowledged as Record<string, unknown>;
    // a row of the audit chain vouches for itself when the chain is verified
    if (audit === false && JSON.stringify(rest) === JSON.stringify(expected)) return "noticed";
    return { found };
  } catch (error) {
    if (error instanceof DamageError || error instanceof SyntaxError) return "noticed";
    throw error;
  } finally {
    await store.close();
  }
}

it("[SC-04, QA-05, I09] one flipped bit loses and alters nothing unnoticed", async () => {
  const seen = { noticed: 0, sound: 0 };
  for (const n of repetitions(FLIPS)) {
    const seed = SEED + n;
    const random = seeded(seed);
    const name = random.pick(FILES);
    const folder = freshFolder();
    try {
      for (const file of FILES) copyFileSync(join(dead, file), join(folder, file));
      const bytes = readFileSync(join(folder, name));
      const [place, bit] = [random.below(bytes.length), random.below(8)];
      bytes.writeUInt8(bytes.readUInt8(place) ^ (1 << bit), place);
      writeFileSync(join(folder, name), bytes);
      const outcome = await outcomeOf(folder);
      expect(outcome, `seed ${seed}: bit ${bit} of byte ${place} in ${name}`).toBeTypeOf("string");
      if (typeof outcome === "string") seen[outcome] += 1;
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
  process.stdout.write(`flipped: ${seen.noticed} noticed, ${seen.sound} without effect\n`);
  expect(seen.noticed).toBeGreaterThan(0);
});
