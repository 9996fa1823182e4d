/** Durable `sessions.patch` over WebSocket, beside raw SQLite that writes the same rows one transaction at a time. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { against, figure, type Group, percentile } from "./figure.ts";
import { load, sessions, withGateway } from "./gateway.ts";

const SESSIONS = 256;
const SECONDS = 4;
const RAW_SECONDS = 2;

export const patch: Group = async (report) => {
  const raw = await rawSqlite();
  await withGateway(async ({ gateway }) => {
    const sessionIds = await sessions(gateway, SESSIONS);
    const orders = { method: "sessions.patch", sessionIds } as const;
    await load(gateway, { ...orders, connections: 8, depth: 16, seconds: 1 });
    const alone = await load(gateway, { ...orders, connections: 1, depth: 1, seconds: SECONDS / 2 });
    report(against(raw.p50Ms, figure("patch alone, p50", percentile(alone.latenciesMs, 50), "ms")));
    report(against(raw.p99Ms, figure("patch alone, p99", percentile(alone.latenciesMs, 99), "ms")));
    gateway.signal("SIGUSR2");
    await gateway.next("lagP99Ms");
    const busy = await load(gateway, { ...orders, connections: 16, depth: 16, seconds: SECONDS });
    const lag = gateway.next("lagP99Ms");
    gateway.signal("SIGUSR2");
    report(against(raw.perSecond, figure("patch, durable", busy.requests / busy.seconds, "/s")));
    report(figure("patch under load, p50", percentile(busy.latenciesMs, 50), "ms"));
    report(figure("patch under load, p99", percentile(busy.latenciesMs, 99), "ms"));
    report(figure("event-loop lag under load, p99", (await lag).lagP99Ms ?? Number.NaN, "ms"));
  });
};

/** A session's row, an event and an idempotency record per transaction, synced to the disk each time. */
async function rawSqlite(): Promise<{ perSecond: number; p50Ms: number; p99Ms: number }> {
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-raw-"));
  const db = new DatabaseSync(join(folder, "raw.db"));
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE sessions (id TEXT PRIMARY KEY, version INTEGER, body TEXT) STRICT;
    CREATE TABLE events (cursor INTEGER PRIMARY KEY, session TEXT, body TEXT) STRICT;
    CREATE TABLE keys (place TEXT PRIMARY KEY, digest TEXT, body TEXT) STRICT;`);
  const body = JSON.stringify({ filler: "x".repeat(ROW_CHARS) });
  for (let n = 0; n < SESSIONS; n++) db.prepare("INSERT INTO sessions VALUES (?, 1, ?)").run(`ses_${n}`, body);
  const update = db.prepare("UPDATE sessions SET version = version + 1, body = ? WHERE id = ?");
  const event = db.prepare("INSERT INTO events (session, body) VALUES (?, ?)");
  const key = db.prepare("INSERT INTO keys VALUES (?, ?, ?)");
  const latenciesMs: number[] = [];
  const untilMs = performance.now() + RAW_SECONDS * 1_000;
  for (let n = 0; performance.now() < untilMs; n++) {
    const startedAtMs = performance.now();
    const id = `ses_${n % SESSIONS}`;
    db.exec("BEGIN IMMEDIATE");
    update.run(body, id);
    event.run(id, '{"type":"session.renamed","title":"title"}');
    key.run(`opr_1 ${n}`, "0".repeat(64), '{"ok":true,"reply":null}');
    db.exec("COMMIT");
    latenciesMs.push(performance.now() - startedAtMs);
  }
  db.close();
  await rm(folder, { recursive: true, force: true });
  return {
    perSecond: latenciesMs.length / RAW_SECONDS,
    p50Ms: percentile(latenciesMs, 50),
    p99Ms: percentile(latenciesMs, 99),
  };
}
/** About as long as a fresh session is when it is stored. */
const ROW_CHARS = 900;
