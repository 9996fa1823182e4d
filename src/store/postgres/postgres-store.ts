/**
 * The store on a server, for any number of gateways. A commit is one statement, and so is a group of commits that wait at
 * the same time; what is read is what was committed.
 */
import { DELIVERIES_KEPT_MS } from "../deliveries.ts";
import type { DeliveryStore } from "../store.ts";
import { SCHEMA_VERSION, migrationsFrom, refuseMoved } from "../migrations.ts";
import type { SearchChange } from "../search/search-documents.ts";
import { searchReads } from "../search/search-queries.ts";
import { blobReads } from "../sql/blob-queries.ts";
import { deliveryReads, subscriberRecord } from "../sql/delivery-queries.ts";
import { CHALLENGES_KEPT_MS } from "../passkeys.ts";
import { ownerReads } from "../sql/owner-queries.ts";
import { passkeyReads } from "../sql/passkey-queries.ts";
import { type Query, sqlReads } from "../sql/queries.ts";
import { DELETED_KEPT_MS } from "../retention.ts";
import { purgeDeleted, trimAudit } from "./retention-transaction.ts";
import { createDamageLog, DamageError, type DamageLog } from "../damage-log.ts";
import { isSoundRecord, serialisedAudit, type SerialisedCommit } from "../sql/serialise.ts";
import type { Statement } from "../sql/statement.ts";
import { type CommitResult, IDEMPOTENCY_KEPT_MS, type Retention, type Store, type StoreHealth } from "../store.ts";
import { fromStored } from "../stored-json.ts";
import {
  accountStatement,
  auditStatement,
  commitStatement,
  ownerStatement,
  recordStatement,
  type CommitManner,
  type Publisher,
  tokenStatement,
} from "./commit-statement.ts";
import {
  type Asked,
  ConnectionError,
  type Connections,
  openConnections,
  OPENING,
  type PostgresOptions,
  type Rows,
  sqlState,
} from "./connections.ts";
import { committedAs, createGroupCommit, type GroupCommit, type Pending } from "./group-commit.ts";
import { groupStatement } from "./group-statement.ts";
import { blobStatement, pruneBlobsStatement } from "./blob-statement.ts";
import { searchStatement, tsMatching } from "./search-statement.ts";
import {
  noteStatement,
  pruneDeliveriesStatement,
  removeStatement,
  subscriberStatement,
} from "./delivery-statements.ts";
import { presenceStatement, pruneChallengesStatement } from "./presence-statement.ts";
import { resultOfError, troubleOf, UNIQUE_VIOLATION } from "./result-of-error.ts";
import { orderPort } from "../order-lane.ts";
import { askOrder } from "./order-transaction.ts";
import { sessionReads } from "./session-reads.ts";
import { settledReads } from "./settled-events.ts";
import { type LocalTime, localTime, type ServerTime, serverTime } from "../store-time.ts";
import { awaitServer } from "./await-server.ts";
import { type PulseListener, readServerTime } from "./pulse.ts";
import { openCommitNotices, PUBLISHED_PREFIX, type CommitNotices } from "./commit-notices.ts";

const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,62}$/;
const PRUNE_ROWS_MAX = 1_000;

export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const { url, schema = "holdpoint", local, patience } = options;
  if (!SCHEMA_NAME.test(schema))
    throw new Error(`"${schema}" cannot name a PostgreSQL schema here: use a-z, 0-9 and _, at most 63 characters.`);
  if (patience !== undefined) await awaitServer(url, patience);
  await migrate(url, schema);
  const connections = openConnections(url, schema);
  const time = local === undefined ? undefined : await openTime(connections, local);
  const notices: CommitNotices = await openCommitNotices({ url, schema });
  notices.watch(pulseListener({ ...options, connections, time, local: local ?? localTime }));
  const manner = { publisher: notices.publisher, isTimed: time !== undefined };
  let closed = false;
  const read = readOn(connections);
  const query: Query = async (statement) =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the query names the row that its columns make
    (await read(numbered(statement))) as never;
  const damage = createDamageLog();
  const reads = sqlReads(query, damage);
  const groups = groupsOn({ connections, manner, damage });
  const unlessClosed = (work: () => Promise<CommitResult>): Promise<CommitResult> =>
    closed ? Promise.resolve(CLOSED) : work();
  return {
    ...(time === undefined ? {} : { time }),
    ...reads,
    ...sessionReads(read, damage),
    ...settledReads(query, reads),
    ...deliveryReads(query, damage),
    ...deliveryWrites(connections, unlessClosed),
    ...ownerReads(query),
    saveCommandOwner: (change, entry) =>
      unlessClosed(() => changed(connections, ownerStatement(change, serialisedAudit(entry, null)))),
    ...passkeyReads(query, damage),
    changePresence: (change, entry) =>
      unlessClosed(() => changed(connections, presenceStatement(change, serialisedAudit(entry, null)))),
    ...blobReads(query),
    ...blobWrites(connections, () => closed),
    ...searchReads(query, tsMatching),
    saveSearchDocument: (change) => unlessClosed(() => saveDocument(connections, change)),
    commit: (commit) => unlessClosed(() => groups.commit(commit)),
    subscribe: notices.subscribe,
    publish: (text) => publishOn(connections, notices.publisher, text),
    audit: (entry) =>
      unlessClosed(async () => {
        const audit = serialisedAudit(entry, null);
        return audit === null ? WRITTEN : written(connections, auditStatement(audit));
      }),
    saveToken: (token, entry) =>
      unlessClosed(async () => {
        const audit = serialisedAudit(entry, null);
        return written(connections, audit === null ? tokenStatement(token) : auditStatement(audit, token));
      }),
    async effectDone(id) {
      await connections.query({ text: "DELETE FROM outbox WHERE id = $1", values: [id] });
    },
    ...orderPort((ask) => askOrder(connections, ask)),
    prune: (nowMs, keep = {}) => pruneOld(connections, nowMs, keep),
    async backup() {
      throw new Error("A PostgreSQL store is backed up with PostgreSQL's own tools, for instance pg_dump.");
    },
    health: async () => damage.in(closed ? { writable: false, detail: "closed" } : await healthOf(read)),
    async close() {
      closed = true;
      await groups.idle();
      await Promise.all([notices.close(), connections.close()]);
    },
  };
}

async function publishOn(connections: Connections, { node, channel }: Publisher, text: string): Promise<void> {
  await connections.query({
    text: "SELECT pg_notify($1, $2)",
    values: [channel, `${node} ${PUBLISHED_PREFIX}${text}`],
  });
}

function blobWrites(connections: Connections, isClosed: () => boolean): Pick<Store, "saveBlob" | "removeBlobs"> {
  return {
    async saveBlob(blob) {
      if (isClosed()) throw new Error(CLOSED.failure.message);
      await connections.query(blobStatement({ do: "save", blob }));
    },
    async removeBlobs(which) {
      await connections.query(blobStatement({ do: "remove", which }));
    },
  };
}

async function pruneOld(connections: Connections, nowMs: number, { auditMs }: Retention): Promise<void> {
  await prune(connections, nowMs - IDEMPOTENCY_KEPT_MS);
  await pruneAll(connections, () => pruneChallengesStatement(nowMs - CHALLENGES_KEPT_MS, PRUNE_ROWS_MAX));
  await pruneAll(connections, () => pruneBlobsStatement(nowMs, PRUNE_ROWS_MAX));
  await pruneAll(connections, () => pruneDeliveriesStatement(nowMs - DELIVERIES_KEPT_MS, PRUNE_ROWS_MAX));
  const step = { atMs: nowMs, rowsMax: PRUNE_ROWS_MAX };
  while (await purgeDeleted(connections, { ...step, beforeMs: nowMs - DELETED_KEPT_MS }));
  if (auditMs !== undefined) while (await trimAudit(connections, { ...step, beforeMs: nowMs - auditMs }));
}

type Watched = Pick<PostgresOptions, "onReach"> & {
  connections: Connections;
  time: ServerTime | undefined;
  local: LocalTime;
};

function pulseListener({ connections, time, local, onReach }: Watched): PulseListener {
  let isReached = true;
  const reach = (now: boolean): void => {
    connections.setSilent(!now);
    if (now !== isReached) onReach?.(now);
    isReached = now;
  };
  return {
    local,
    onReading: (reading) => time?.read(reading),
    onSilent: () => reach(false),
    onAnswer: () => reach(true),
    answeredAtMs: connections.answeredAtMs,
  };
}

async function openTime(connections: Connections, local: LocalTime): Promise<ServerTime> {
  try {
    return serverTime(local, await readServerTime((text) => connections.query({ text, values: [] }), local));
  } catch (error) {
    await connections.close();
    throw error;
  }
}

const WRITTEN: CommitResult = { status: "committed", version: 0, events: [] };
const CLOSED: Extract<CommitResult, { status: "failed" }> = {
  status: "failed",
  failure: { reason: "closed", outcome: "nothing-written", message: "The store is closed." },
};

type CommitParts = { connections: Connections; manner: CommitManner; damage: DamageLog };

const groupsOn = (parts: CommitParts): GroupCommit =>
  createGroupCommit({
    group: (commits) => parts.connections.query(groupStatement(commits, parts.manner)),
    alone: (pending) => commitOn(parts, pending),
    readBack: (given, error) => afterError(parts, given, error),
  });

async function commitOn(parts: CommitParts, { commit, given }: Pending): Promise<CommitResult> {
  const { connections, manner } = parts;
  try {
    const [row] = await connections.query(given.recordOnly ? recordStatement(given) : commitStatement(given, manner));
    const answer = given.recordOnly ? recordedAnswer(row) : committedAnswer(row, commit);
    return answer ?? (await earlierAnswer(parts, given)) ?? { status: "conflict" };
  } catch (error) {
    return afterError(parts, given, error);
  }
}

function recordedAnswer(row: Rows[number] | undefined): CommitResult | undefined {
  if (Number(row?.["recorded"]) !== 1) return undefined;
  return { status: "committed", version: Number(row?.["version"]), events: [] };
}

function committedAnswer(row: Rows[number] | undefined, commit: Pending["commit"]): CommitResult | undefined {
  return row === undefined || row["version"] === null ? undefined : committedAs(row, commit);
}

/** The answer recorded under this key, if there is one, even when it became visible only a moment ago. */
async function earlierAnswer(
  { connections, damage }: Omit<CommitParts, "manner">,
  { idempotency }: SerialisedCommit,
): Promise<CommitResult | undefined> {
  if (idempotency === null) return undefined;
  const { principal, key, requestDigest } = idempotency;
  const text = "SELECT request_digest, result, checksum FROM idempotency WHERE principal = $1 AND key = $2";
  const [row] = await connections.query({ name: "hp:earlier", text, values: [principal, key] });
  if (row === undefined) return undefined;
  if (!isSoundRecord(idempotency, row)) throw damage.found(`idempotency ${key}`);
  if (row["request_digest"] !== requestDigest) return { status: "key-reused" };
  return { status: "replayed", result: fromStored<unknown>(String(row["result"])) };
}

async function afterError(parts: CommitParts, commit: SerialisedCommit, error: unknown): Promise<CommitResult> {
  if (error instanceof DamageError) throw error;
  const lost = error instanceof ConnectionError && error.sent;
  const raced = sqlState(error) === UNIQUE_VIOLATION;
  const result = raced ? CONFLICT : resultOfError(error);
  if (result === undefined) throw error;
  if (!lost && !raced) return result;
  // the reply was lost, or another request used the key at the same moment: the record of the key decides
  return (await earlierAnswer(parts, commit).catch(() => undefined)) ?? result;
}

const CONFLICT: CommitResult = { status: "conflict" };

async function written(connections: Connections, asked: Asked): Promise<CommitResult> {
  try {
    await connections.query(asked);
    return WRITTEN;
  } catch (error) {
    const result = resultOfError(error);
    if (result === undefined) throw error;
    return result;
  }
}

const PLACE_TRIES_MAX = 10;

/** A new document whose place another one took at the same moment tries another place; only its own name is a conflict. */
async function saveDocument(connections: Connections, change: SearchChange): Promise<CommitResult> {
  const { owner, key, expectedVersion } = change;
  for (let tries = 1; ; tries++) {
    const result = await changed(connections, searchStatement(change));
    if (result.status !== "conflict" || expectedVersion > 0 || tries === PLACE_TRIES_MAX) return result;
    const text = "SELECT 1 FROM search_documents WHERE owner = $1 AND key = $2";
    if ((await connections.query({ text, values: [owner, key] })).length > 0) return result;
  }
}

/** Written, unless somebody else was first. */
async function changed(connections: Connections, asked: Asked): Promise<CommitResult> {
  try {
    const [row] = await connections.query(asked);
    return Number(row?.["changed"]) === 1 ? WRITTEN : CONFLICT;
  } catch (error) {
    const result = resultOfError(error);
    if (result === undefined) throw error;
    return result;
  }
}

async function prune(connections: Connections, beforeMs: number): Promise<void> {
  const text = `WITH gone AS (DELETE FROM idempotency WHERE (principal, key) IN
    (SELECT principal, key FROM idempotency WHERE at_ms < $1 ORDER BY at_ms LIMIT $2) RETURNING 1)
    SELECT count(*) AS rows FROM gone`;
  await pruneAll(connections, () => ({ text, values: [beforeMs, PRUNE_ROWS_MAX] }));
}

async function pruneAll(connections: Connections, asked: () => Asked): Promise<void> {
  for (;;) {
    const [row] = await connections.query(asked());
    if (Number(row?.["rows"]) < PRUNE_ROWS_MAX) return;
  }
}

type DeliveryWrites = Pick<
  DeliveryStore,
  "saveSubscriber" | "removeSubscriber" | "saveSurfaceAccount" | "saveChannelNote"
>;

function deliveryWrites(
  connections: Connections,
  unlessClosed: (work: () => Promise<CommitResult>) => Promise<CommitResult>,
): DeliveryWrites {
  return {
    saveSubscriber: (change) =>
      unlessClosed(async () => {
        try {
          const [row] = await connections.query(subscriberStatement(subscriberRecord(change)));
          const version = row?.["version"];
          return version === undefined ? CONFLICT : { status: "committed", version: Number(version), events: [] };
        } catch (error) {
          const result = resultOfError(error);
          if (result === undefined) throw error;
          return result;
        }
      }),
    async removeSubscriber(id) {
      await connections.query(removeStatement(id));
    },
    saveChannelNote: (note) =>
      unlessClosed(async () => {
        const rows = await connections.query(noteStatement(note));
        return rows.length === 0 ? CONFLICT : WRITTEN;
      }),
    saveSurfaceAccount: (account, entry) =>
      unlessClosed(() => written(connections, accountStatement(account, serialisedAudit(entry, null)))),
  };
}

async function healthOf(read: Read): Promise<StoreHealth> {
  try {
    const [row] = await read({ text: "SELECT current_setting('transaction_read_only') AS mode", values: [] });
    const writable = row?.["mode"] === "off";
    return { writable, detail: writable ? "PostgreSQL" : "The PostgreSQL server accepts no writes." };
  } catch (error) {
    return { writable: false, detail: error instanceof Error ? error.message : String(error) };
  }
}

/** Gateways that start together take turns; the steps and the new number are one transaction. */
async function migrate(url: string, schema: string): Promise<void> {
  const connections = openConnections(url, schema, OPENING);
  try {
    await connections.transaction(async (query) => migrateBy(query, schema));
  } finally {
    await connections.close();
  }
}

type Ask = (text: string, values?: unknown[]) => Promise<Rows>;

async function migrateBy(query: Ask, schema: string): Promise<void> {
  await query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [`holdpoint:${schema}`]);
  await query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
  await query("CREATE TABLE IF NOT EXISTS meta (key text PRIMARY KEY, value text NOT NULL)");
  const [moved] = await query("SELECT value FROM meta WHERE key = 'moved'");
  refuseMoved(moved?.["value"]);
  const [row] = await query("SELECT value FROM meta WHERE key = 'schema'");
  const steps = migrationsFrom(Number(row?.["value"] ?? 0), "postgres");
  for (const step of steps) await query(step);
  if (steps.length > 0)
    await query("INSERT INTO meta VALUES ('schema', $1) ON CONFLICT (key) DO UPDATE SET value = excluded.value", [
      String(SCHEMA_VERSION),
    ]);
}

type Read = (asked: Asked) => Promise<Rows>;

/**
 * A read may be repeated: a server that restarted leaves dead connections in the pool, which only a query finds. The second
 * try goes over a connection that was opened after that.
 */
const READ_TRIES_MAX = 2;

function readOn(connections: Connections): Read {
  return async (asked) => {
    for (let tries = 1; ; tries++) {
      try {
        return await connections.query(asked);
      } catch (error) {
        if (!(error instanceof ConnectionError) || !error.sent || tries === READ_TRIES_MAX)
          throw troubleOf(error) ?? error;
      }
    }
  };
}

function numbered({ texts, values }: Statement): Asked {
  const text = texts.reduce((before, after, index) => `${before}$${index}${after}`);
  return { text, values };
}
