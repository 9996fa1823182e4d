/** The system answers one call of the store with an error: nothing that was acknowledged is lost, and it opens again. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it, onTestFinished } from "vitest";
import { sid } from "../../src/store/contract/harness.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { seeded } from "../kit/random.ts";
import { repetitions, SEED } from "../kit/repetitions.ts";
import { tracer } from "./disk-faults.ts";
import { type AfterError, CALLS, ERRORS, type Failing, failOnce } from "./io-errors.ts";
import { ACKS_FILE } from "./recorded-writes.ts";

const POINTS = 24;
const COMMITS = 24;
/** About as many as the short program makes of each. */
const NTH_MAX = { pwrite64: 60, fdatasync: 12, fsync: 16, ftruncate: 3, pread64: 20, openat: 12 } as const;

const { reason } = tracer();
if (reason !== undefined) process.stdout.write(`skipped: ${reason}\n`);

/** A failed sync may have thrown pages away: whoever goes on after it lies. What else is synced holds no commits. */
function wentOn({ call }: Failing, { failed = "", acknowledgedAfter, status }: AfterError): string[] {
  const isSync = call === "fdatasync" || call === "fsync";
  if (!isSync || !/^holdpoint\.db(?:-wal|-journal)?$/.test(failed)) return [];
  return acknowledgedAfter === 0 && status !== 0 ? [] : [`${acknowledgedAfter} acknowledged after it, ended ${status}`];
}

async function lostIn(folder: string): Promise<string[]> {
  const acknowledged = readFileSync(join(folder, ACKS_FILE), "utf8").split("\n").filter(Boolean);
  const store = await openSqliteStore({ folder, onFatal: () => undefined });
  const found = await Promise.all(acknowledged.map((key) => store.session(sid(key))));
  await store.close();
  const db = new DatabaseSync(join(folder, "holdpoint.db"), { readOnly: true });
  const [check] = db.prepare("PRAGMA integrity_check").all();
  db.close();
  return [
    ...acknowledged.filter((_, n) => found[n] === undefined).map((key) => `${key} was acknowledged and is lost`),
    ...(check?.["integrity_check"] === "ok" ? [] : [`corrupt: ${JSON.stringify(check)}`]),
  ];
}

it.skipIf(reason !== undefined)(
  "[QA-05, I09] an input or output error: nothing acknowledged is lost, and nothing is acknowledged after a failed sync",
  { timeout: 3_600_000 },
  async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "holdpoint-io-")));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const random = seeded(SEED);
    const seen = { points: 0, ended: 0 };
    for (const n of repetitions(POINTS)) {
      const call = random.pick(CALLS);
      const failing = { call, error: random.pick(ERRORS), nth: 1 + random.below(NTH_MAX[call]) };
      const folder = join(root, String(n));
      mkdirSync(folder, { mode: 0o700 });
      writeFileSync(join(folder, ACKS_FILE), ""); // the error may fall on its opening
      const program = [process.execPath, join(import.meta.dirname, "power-loss-writer.ts"), folder, "1", `${COMMITS}`];
      const after = failOnce(program, failing, { folder, trace: join(root, "trace") });
      const name = `${failing.call} ${failing.nth} ${failing.error}`;
      expect([name, ...wentOn(failing, after), ...(await lostIn(folder))]).toEqual([name]);
      if (after.failed !== undefined) seen.points += 1;
      if (after.failed !== undefined && after.status !== 0) seen.ended += 1;
      rmSync(folder, { recursive: true, force: true });
    }
    process.stdout.write(`io errors: ${seen.points} injected, ${seen.ended} ended the program, none lost anything\n`);
    expect(seen.points).toBeGreaterThan(0);
  },
);
