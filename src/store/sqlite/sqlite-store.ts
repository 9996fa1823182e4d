/**
 * The embedded store: one SQLite file, read in the gateway's thread and written in another. The reader sees a commit as
 * soon as it is acknowledged, and never waits for the writer: that is what WAL mode gives.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { DELIVERIES_KEPT_MS } from "../deliveries.ts";
import type { DeliveryStore } from "../store.ts";
import type { BlobStore } from "../blobs.ts";
import { searchReads } from "../search/search-queries.ts";
import { blobReads } from "../sql/blob-queries.ts";
import { deliveryReads, subscriberRecord } from "../sql/delivery-queries.ts";
import { CHALLENGES_KEPT_MS } from "../passkeys.ts";
import { ownerReads } from "../sql/owner-queries.ts";
import { passkeyReads } from "../sql/passkey-queries.ts";
import { type Query, sqlReads } from "../sql/queries.ts";
import { DELETED_KEPT_MS } from "../retention.ts";
import { createDamageLog, type DamageLog } from "../damage-log.ts";
import { type OrderAnswer, orderPort, type OrderPort } from "../order-lane.ts";
import { createDocumentText, serialised, serialisedAudit, storedEvents } from "../sql/serialise.ts";
import { type Commit, type CommitResult, IDEMPOTENCY_KEPT_MS, type Store } from "../store.ts";
import { fromStored } from "../stored-json.ts";
import { keptPieces } from "../../protocol/kept-text.ts";
import { textBytes } from "../../protocol/text-bytes.ts";
import type { BackupResult } from "./copy-database.ts";
import { openForReading, prepareFolder, RECLAIM_PAGES_MAX } from "./database-file.ts";
import { isLarge } from "./damage/inspect-database.ts";
import type { Outcome } from "./jobs.ts";
import { ftsMatching } from "./search/search-statements.ts";
import { checkPages, createPageDamage } from "./damage/page-damage.ts";
import { startWriter, type Writer } from "./writer.ts";

/** Rows forgotten in one transaction, so that pruning never holds up a decision. */
const PRUNE_ROWS_MAX = 1_000;
/** Different statements in the program; the few that are put together from parts have a handful of forms each. */
const STATEMENTS_MAX = 200;

export type SqliteOptions = {
  folder: string;
  /** The disk can no longer be trusted: end the process, non-zero. Nothing is acknowledged any more. */
  onFatal(error: Error): void;
};

export async function openSqliteStore({ folder, onFatal }: SqliteOptions): Promise<Store> {
  try {
    prepareFolder(folder);
  } catch (error) {
    throw new Error(`The state folder ${folder} cannot be written. Make it writable, or name another one.`, {
      cause: error,
    });
  }
  const thread = await startWriter(folder, onFatal);
  const reader = openForReading(folder);
  const pages = createPageDamage();
  const damage = createDamageLog();
  const writer = pages.guarded(thread);
  const query = queryWith(reader, (error) => pages.found(error, damage));
  const check = isLarge(folder) ? checkPages(folder, pages.note) : undefined;
  return {
    hasWriterThread: true,
    ...sqlReads(query, damage),
    ...deliveryReads(query, damage),
    ...ownerReads(query),
    ...passkeyReads(query, damage),
    ...blobReads(query),
    ...blobWrites(writer),
    ...searchReads(query, ftsMatching),
    // not vital: what is left of a disk that is nearly full belongs to decisions
    saveSearchDocument: async (change) =>
      resultOf(await writer.write({ kind: "search-document", vital: false, change })),
    ...writes(writer, damage),
    ...deliveryWrites(writer),
    backup: (path) => copyTo(folder, path),
    health: async () => damage.in(writer.health()),
    async close() {
      await check?.stop();
      if (reader.isOpen) reader.close(); // first, so that the writer is the last and tidies up
      await writer.close();
    },
  };
}

type Writes = "commit" | "audit" | "saveToken" | "saveCommandOwner" | "changePresence" | "effectDone" | "prune";

function writes(writer: Writer, damage: DamageLog): Pick<Store, Writes> & OrderPort {
  const documentText = createDocumentText((session) => textBytes(keptPieces(session), writer.take));
  return {
    // what is done is written on a disk that is nearly full too; nothing new is begun on it
    ...orderPort(async (ask) => answerOf(await writer.write({ kind: "order", vital: ask.kind !== "claim", ask }))),
    async commit(commit) {
      const { vital } = commit;
      const outcome = await writer.write({ kind: "commit", vital, commit: serialised(commit, documentText) });
      if (outcome.status === "damaged") throw damage.found(outcome.what);
      return resultOf(outcome, commit);
    },
    audit: async (entry) =>
      resultOf(await writer.write({ kind: "audit", vital: true, audit: serialisedAudit(entry, null) })),
    saveToken: async (token, entry) => {
      const vital = token.revokedAtMs !== null;
      return resultOf(await writer.write({ kind: "token", vital, token, audit: serialisedAudit(entry, null) }));
    },
    saveCommandOwner: async (change, entry) => {
      const audit = serialisedAudit(entry, null);
      return resultOf(await writer.write({ kind: "command-owner", vital: false, change, audit }));
    },
    changePresence: async (change, entry) => {
      const vital = change.do === "save" && change.passkey.revokedAtMs !== null;
      return resultOf(await writer.write({ kind: "presence", vital, change, audit: serialisedAudit(entry, null) }));
    },
    async effectDone(id) {
      rowsOf(await writer.write({ kind: "effect-done", vital: true, id }));
    },
    async prune(nowMs, { auditMs } = {}) {
      const beforeMs = nowMs - IDEMPOTENCY_KEPT_MS;
      const job = { kind: "prune", vital: true, beforeMs, rowsMax: PRUNE_ROWS_MAX } as const;
      while (rowsOf(await writer.write(job)) === PRUNE_ROWS_MAX);
      const old = { ...job, kind: "prune-challenges", beforeMs: nowMs - CHALLENGES_KEPT_MS } as const;
      while (rowsOf(await writer.write(old)) === PRUNE_ROWS_MAX);
      const over = { ...job, kind: "prune-blobs", beforeMs: nowMs } as const;
      while (rowsOf(await writer.write(over)) === PRUNE_ROWS_MAX);
      const closed = { ...job, kind: "prune-deliveries", beforeMs: nowMs - DELIVERIES_KEPT_MS } as const;
      while (rowsOf(await writer.write(closed)) === PRUNE_ROWS_MAX);
      const deleted = { ...job, kind: "purge-deleted", beforeMs: nowMs - DELETED_KEPT_MS, atMs: nowMs } as const;
      while (rowsOf(await writer.write(deleted)) === PRUNE_ROWS_MAX);
      const audit = { ...deleted, kind: "trim-audit", beforeMs: nowMs - (auditMs ?? Infinity) } as const;
      while (auditMs !== undefined && rowsOf(await writer.write(audit)) === PRUNE_ROWS_MAX);
      for (let free = Infinity, before = 0; free > RECLAIM_PAGES_MAX && free !== before;) {
        before = free;
        free = rowsOf(await writer.write({ kind: "reclaim", vital: true }));
      }
    },
  };
}

type DeliveryWrites = Pick<
  DeliveryStore,
  "saveSubscriber" | "removeSubscriber" | "saveSurfaceAccount" | "saveChannelNote"
>;
/** Not vital: a cell that waits may be lost when the disk is nearly full, a decision may not. */
const blobWrites = (writer: Writer): Pick<BlobStore, "saveBlob" | "removeBlobs"> => ({
  async saveBlob(blob) {
    rowsOf(await writer.write({ kind: "blob", vital: false, change: { do: "save", blob } }));
  },
  async removeBlobs(which) {
    rowsOf(await writer.write({ kind: "blob", vital: true, change: { do: "remove", which } }));
  },
});

/** Not vital: when the disk is nearly full, what is left of it belongs to decisions. */
function deliveryWrites(writer: Writer): DeliveryWrites {
  return {
    saveSubscriber: async (change) =>
      resultOf(await writer.write({ kind: "subscriber", vital: false, record: subscriberRecord(change) })),
    async removeSubscriber(id) {
      rowsOf(await writer.write({ kind: "subscriber-gone", vital: true, id }));
    },
    saveChannelNote: async (note) => resultOf(await writer.write({ kind: "channel-note", vital: false, note })),
    saveSurfaceAccount: async (account, entry) => {
      const vital = account.operatorId === null; // taking a right away makes things safer
      return resultOf(await writer.write({ kind: "account", vital, account, audit: serialisedAudit(entry, null) }));
    },
  };
}

function resultOf(outcome: Outcome, commit?: Commit): CommitResult {
  switch (outcome.status) {
    case "committed": {
      const { version, firstCursor } = outcome;
      const events =
        commit === undefined || commit.recordOnly ? [] : storedEvents(commit, numbersFrom(firstCursor, commit));
      return { status: "committed", version, events };
    }
    case "replayed":
      return { status: "replayed", result: fromStored<unknown>(outcome.result) };
    case "broken":
      throw new Error(`commit to ${commit?.sessionId ?? "the audit log"} failed: ${outcome.message}`);
    case "done":
    case "order":
    case "damaged":
      throw new Error("a commit was answered as if it were something else");
    case "conflict":
    case "key-reused":
    case "failed":
      return outcome;
  }
}

const numbersFrom = (first: number, { events }: Commit): number[] => events.map((_, index) => first + index);

/** These return no failure, so it is thrown: the caller tries again. */
function rowsOf(outcome: Outcome): number {
  if (outcome.status === "done") return outcome.rows;
  throw new Error(outcome.status === "failed" ? outcome.failure.message : `unexpected answer: ${outcome.status}`);
}

function answerOf(outcome: Outcome): OrderAnswer {
  if (outcome.status === "order") return outcome.answer;
  throw new Error(outcome.status === "failed" ? outcome.failure.message : `unexpected answer: ${outcome.status}`);
}

function queryWith(db: DatabaseSync, onError: (error: unknown) => Error | undefined): Query {
  const prepared = new Map<string, StatementSync>();
  return async ({ texts, values }) => {
    try {
      const text = texts.join("?");
      let statement = prepared.get(text);
      if (statement === undefined) {
        if (prepared.size >= STATEMENTS_MAX) prepared.clear();
        statement = db.prepare(text);
        prepared.set(text, statement);
      }
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the query names the row that its columns make
      return statement.all(...values).map((row) => ({ ...row })) as never;
    } catch (error) {
      throw onError(error) ?? error;
    }
  };
}

function copyTo(folder: string, path: string): Promise<{ bytes: number }> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./backup-worker.ts", import.meta.url), { workerData: { folder, path } });
    worker.once("error", reject);
    worker.once("message", (result: BackupResult) => {
      if ("refused" in result) reject(new Error(result.refused));
      else resolve(result);
    });
  });
}
