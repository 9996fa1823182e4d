/** Power cuts at any moment: the writes of the real store are recorded, and disks are built that a cut could have left. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it, onTestFinished } from "vitest";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { seeded } from "../kit/random.ts";
import { isLong, repetitions, SEED } from "../kit/repetitions.ts";
import { tracer } from "./disk-faults.ts";
import { type DiskImage, imageAt } from "./disk-image.ts";
import { type RecordedOp, recordWrites } from "./recorded-writes.ts";

const IMAGES = 1_000;
const FULL_START_EVERY = 100;
const [ROUNDS, COMMITS] = [3, 40];

const unavailable = isLong ? tracer().reason : "runs in npm run test:long";

function record(folder: string): RecordedOp[] {
  const state = join(folder, "state");
  mkdirSync(state);
  const program = [
    process.execPath,
    join(import.meta.dirname, "power-loss-writer.ts"),
    state,
    `${ROUNDS}`,
    `${COMMITS}`,
  ];
  return recordWrites(program, { folder: state, trace: join(folder, "trace") });
}

/** Without the store's own code: whoever repairs a disk has only SQLite. */
function checkRaw(folder: string, { acknowledged }: DiskImage): string[] {
  const db = new DatabaseSync(join(folder, "holdpoint.db"));
  try {
    const [check] = db.prepare("PRAGMA integrity_check").all();
    if (check?.["integrity_check"] !== "ok") return [`corrupt: ${JSON.stringify(check)}`];
    const tables = db.prepare("SELECT count(*) AS n FROM sqlite_master WHERE name = 'idempotency'").get();
    if (Number(tables?.["n"]) === 0) return acknowledged.map((key) => `${key} is lost with its table`);
    const kept = new Set(
      db
        .prepare("SELECT key FROM idempotency")
        .all()
        .map((row) => String(row["key"])),
    );
    const whole = db.prepare(`SELECT
      (SELECT count(*) FROM events WHERE session_id = 'ses_' || ?1) AS events,
      (SELECT count(*) FROM artifacts WHERE id = ?1) AS artifacts,
      (SELECT count(*) FROM sessions WHERE id = 'ses_' || ?1) AS sessions,
      (SELECT count(*) FROM audit WHERE session_id = 'ses_' || ?1) AS audit`);
    const lost = acknowledged.filter((key) => !kept.has(key)).map((key) => `${key} was acknowledged and is lost`);
    const half = [...kept].flatMap((key) => {
      const { events, artifacts, sessions, audit } = whole.get(key) ?? {};
      const isWhole = events === 2 && artifacts === 1 && sessions === 1 && audit === 1;
      return isWhole ? [] : [`${key} is there by half: ${JSON.stringify({ events, artifacts, sessions, audit })}`];
    });
    return [...lost, ...half];
  } finally {
    db.close();
  }
}

async function checkStart(folder: string): Promise<string[]> {
  const store = await openSqliteStore({ folder, onFatal: (error) => expect.unreachable(error.message) });
  const { intact } = await store.verifyAudit();
  await store.close();
  return intact ? [] : ["the audit chain is broken"];
}

async function checkImage(folder: string, image: DiskImage, isFull: boolean): Promise<string[]> {
  mkdirSync(folder, { recursive: true });
  for (const [name, bytes] of image.files) writeFileSync(join(folder, name), bytes);
  try {
    if (!image.files.has("holdpoint.db")) return image.acknowledged.map((key) => `${key} is lost with the database`);
    const found = checkRaw(folder, image);
    return found.length === 0 && isFull ? await checkStart(folder) : found;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

it.skipIf(unavailable !== undefined)(
  "[QA-05, I09, PL-12] a power cut keeps every acknowledged commit, none by half, whatever of the rest reached the disk",
  async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "holdpoint-power-")));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const ops = record(folder);
    const acknowledged = ops.filter(({ op }) => op === "acknowledged").length;
    expect(acknowledged).toBe(ROUNDS * COMMITS);
    let [images, starts] = [0, 0];
    for (const n of repetitions(IMAGES)) {
      const random = seeded(SEED + n);
      const cut = 1 + random.below(ops.length);
      const isFull = n % FULL_START_EVERY === 0;
      const found = await checkImage(join(folder, "image"), imageAt(ops, cut, random), isFull);
      expect(found, `seed ${SEED}, image ${n}, cut after ${cut} of ${ops.length} operations`).toEqual([]);
      images += 1;
      starts += isFull ? 1 : 0;
    }
    process.stdout.write(`power loss: ${images} images of ${ops.length} operations, ${starts} with a full start\n`);
  },
);
