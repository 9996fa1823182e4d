/**
 * One job against the open transaction: first everything that can say no, then the writes. A job that is turned away has
 * written nothing, so its neighbours in the same transaction never notice it.
 */
import type { DatabaseSync } from "node:sqlite";
import { type AuditHead, chained } from "../audit/audit-chain.ts";
import { isSoundRecord, tokenRecord } from "../sql/serialise.ts";
import type { DocumentForm, SerialisedAudit, SerialisedCommit, SessionRecord } from "../sql/serialise.ts";
import type { OperatorToken } from "../store.ts";
import type { OwnerChange } from "../command-owners.ts";
import { blobStatements } from "./statements/blob-statements.ts";
import type { Position } from "./damage/acknowledged-mark.ts";
import { deliveryStatements } from "./delivery-ledger.ts";
import type { Job, Outcome } from "./jobs.ts";
import { orderStatements } from "./statements/order-statements.ts";
import { presenceStatements } from "./statements/presence-statements.ts";
import { searchStatements } from "./search/search-statements.ts";
import { retentionStatements } from "./statements/retention-statements.ts";

type Serialised = SerialisedCommit<DocumentForm>;

export type Ledger = {
  apply(job: Job): Outcome;
  /** Writes the chain's head, once for all jobs of a transaction. */
  seal(): void;
  /** After a rollback: what was chained since is gone. */
  rewind(): void;
  /** The last event and audit row that were written. */
  position(): Position;
};

export function createLedger(db: DatabaseSync): Ledger {
  const commits = commitStatements(db);
  const audit = chainStatements(db);
  const rest = otherStatements(db);
  const [orders, deliveries, presence] = [orderStatements(db), deliveryStatements(db), presenceStatements(db)];
  const retention = retentionStatements(db, audit.append);
  const blobs = blobStatements(db);
  const search = searchStatements(db);

  function apply(job: Job): Outcome {
    switch (job.kind) {
      case "commit":
        return commits.apply(job.commit, audit.append);
      case "audit":
        audit.append(job.audit);
        return NO_SESSION;
      case "token":
        rest.saveToken(job.token);
        audit.append(job.audit);
        return NO_SESSION;
      case "effect-done":
        return { status: "done", rows: rest.effectDone(job.id) };
      case "order":
        return { status: "order", answer: orders.apply(job.ask) };
      case "prune":
        return { status: "done", rows: rest.prune(job.beforeMs, job.rowsMax) };
      case "subscriber":
        return deliveries.save(job.record);
      case "subscriber-gone":
        return { status: "done", rows: deliveries.remove(job.id) };
      case "account":
        deliveries.saveAccount(job.account);
        audit.append(job.audit);
        return NO_SESSION;
      case "channel-note":
        if (!deliveries.saveNote(job.note)) return { status: "conflict" };
        return NO_SESSION;
      case "command-owner":
        if (!rest.saveOwner(job.change)) return { status: "conflict" };
        audit.append(job.audit);
        return NO_SESSION;
      case "presence":
        if (!presence.apply(job.change)) return { status: "conflict" };
        audit.append(job.audit);
        return NO_SESSION;
      case "blob":
        return { status: "done", rows: blobs.apply(job.change) };
      case "search-document":
        return search.save(job.change) ? NO_SESSION : { status: "conflict" };
      case "prune-blobs":
        return { status: "done", rows: blobs.prune(job.beforeMs, job.rowsMax) };
      case "prune-challenges":
        return { status: "done", rows: presence.prune(job.beforeMs, job.rowsMax) };
      case "purge-deleted":
        return { status: "done", rows: retention.purge(job) };
      case "trim-audit":
        return { status: "done", rows: retention.trimAudit(job) };
      case "reclaim":
        return { status: "done", rows: retention.freePages() };
      case "prune-deliveries":
        return { status: "done", rows: deliveries.prune(job.beforeMs, job.rowsMax) };
    }
  }

  return {
    apply,
    seal: audit.seal,
    rewind: () => [audit, commits].forEach((part) => part.rewind()),
    position: () => ({ cursor: commits.lastCursor(), auditSeq: audit.seq() }),
  };
}

const NO_SESSION: Outcome = { status: "committed", version: 0, firstCursor: 0 };

function chainStatements(db: DatabaseSync) {
  const read = db.prepare("SELECT seq, hash FROM audit_head");
  const save = db.prepare("UPDATE audit_head SET seq = ?, hash = ?, prev_hash = ?");
  const insert = db.prepare("INSERT INTO audit VALUES (?, ?, ?, ?, ?, ?, ?)");
  let saved = load();
  let head = saved;

  function load(): AuditHead {
    const row = read.get();
    return { seq: Number(row?.["seq"]), hash: String(row?.["hash"]) };
  }

  return {
    append(entry: SerialisedAudit | null): void {
      if (entry === null) return;
      const { seq, atMs, sessionId, actor, body, prevHash, hash } = chained(head, entry);
      insert.run(seq, atMs, sessionId, actor, body, prevHash, hash);
      head = { seq, hash };
    },
    seal(): void {
      if (head === saved) return;
      save.run(head.seq, head.hash, saved.hash);
      saved = head;
    },
    rewind(): void {
      saved = load();
      head = saved;
    },
    seq: (): number => head.seq,
  };
}

function commitStatements(db: DatabaseSync) {
  const known = db.prepare("SELECT request_digest, result, checksum FROM idempotency WHERE principal = ? AND key = ?");
  const remember = db.prepare("INSERT INTO idempotency VALUES (?, ?, ?, ?, ?, ?)");
  const event = db.prepare("INSERT INTO events (session_id, at_ms, entry_n, body, checksum) VALUES (?, ?, ?, ?, ?)");
  const effect = db.prepare("INSERT INTO outbox (session_id, body, checksum) VALUES (?, ?, ?)");
  const artifact = db.prepare(
    `INSERT INTO artifacts (kind, id, session_id, digest, body, at_ms, checksum) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (kind, id) DO NOTHING`,
  );
  const forgetTimers = db.prepare("DELETE FROM timers WHERE session_id = ?");
  const timer = db.prepare("INSERT INTO timers VALUES (?, ?, ?, ?, ?)");
  const session = sessionStatements(db);
  const newest = db.prepare("SELECT max(cursor) AS cursor FROM events");
  const loadCursor = (): number => Number(newest.get()?.["cursor"] ?? 0);
  let cursor = loadCursor();

  function repeated({ idempotency }: Serialised): Outcome | undefined {
    if (idempotency === null) return undefined;
    const row = known.get(idempotency.principal, idempotency.key);
    if (row === undefined) return undefined;
    if (!isSoundRecord(idempotency, row)) return { status: "damaged", what: `idempotency ${idempotency.key}` };
    if (row["request_digest"] !== idempotency.requestDigest) return { status: "key-reused" };
    return { status: "replayed", result: String(row["result"]) };
  }

  function record({ idempotency, atMs }: Serialised): void {
    if (idempotency === null) return;
    const { principal, key, requestDigest, result, checksum } = idempotency;
    remember.run(principal, key, requestDigest, result, atMs, checksum);
  }

  function writeEvents({ events, entryNumbers, eventChecksums, sessionId, atMs }: Serialised): number {
    let last = 0;
    for (const [index, body] of events.entries()) {
      const [n = null, checksum = null] = [entryNumbers[index], eventChecksums[index]];
      last = Number(event.run(sessionId, atMs, n, body, checksum).lastInsertRowid);
    }
    if (events.length > 0) cursor = last;
    return last - events.length + 1;
  }

  function writeBeside({ sessionId, atMs, outbox, outboxChecksums, artifacts, timers }: Serialised): void {
    for (const [index, body] of outbox.entries()) effect.run(sessionId, body, outboxChecksums[index] ?? null);
    for (const { kind, id, digest, body, checksum } of artifacts)
      artifact.run(kind, id, sessionId, digest, body, atMs, checksum);
    if (timers === null) return;
    forgetTimers.run(sessionId);
    for (const { key, atMs: dueMs, body, checksum } of timers) timer.run(sessionId, key, dueMs, body, checksum);
  }

  function apply(commit: Serialised, audit: (entry: SerialisedAudit | null) => void): Outcome {
    const answer = repeated(commit);
    if (answer !== undefined) return answer;
    if (commit.recordOnly) {
      record(commit);
      return { status: "committed", version: session.version(commit.sessionId), firstCursor: 0 };
    }
    if (!session.write(commit)) return { status: "conflict" };
    record(commit);
    const firstCursor = writeEvents(commit);
    writeBeside(commit);
    audit(commit.audit);
    return { status: "committed", version: commit.expectedVersion + 1, firstCursor };
  }

  return { apply, rewind: () => void (cursor = loadCursor()), lastCursor: () => cursor };
}

/** A large document comes as the bytes of its text, which the cast takes for text without looking at them. */
function sessionStatements(db: DatabaseSync) {
  const insert = db.prepare(
    "INSERT INTO sessions VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?, CAST(? AS TEXT), ?, ?) ON CONFLICT (id) DO NOTHING",
  );
  const update = db.prepare(
    `UPDATE sessions SET version = version + 1, title = ?, archived = ?, updated_at_ms = ?, waiting = ?,
      doc = CAST(? AS TEXT), mode = ?, checksum = ? WHERE id = ? AND version = ?`,
  );
  const remove = db.prepare("DELETE FROM sessions WHERE id = ? AND version = ?");
  const deleted = db.prepare("INSERT OR REPLACE INTO deleted_sessions VALUES (?, ?)");
  const version = db.prepare("SELECT version FROM sessions WHERE id = ?");

  function create(id: string, row: SessionRecord<DocumentForm>): boolean {
    const { agentId, kind, title, archived, createdAtMs, updatedAtMs, waiting, doc, mode, checksum } = row;
    const listed = [agentId, kind, title, archived, createdAtMs, updatedAtMs, waiting];
    return insert.run(id, ...listed, doc, mode, checksum).changes === 1;
  }

  return {
    version: (id: string): number => Number(version.get(id)?.["version"] ?? 0),
    /** False when another version is stored; then nothing was written. */
    write({ sessionId, expectedVersion, session, atMs }: Serialised): boolean {
      if (session === null) {
        if (expectedVersion === 0) return version.get(sessionId) === undefined;
        if (remove.run(sessionId, expectedVersion).changes !== 1) return false;
        deleted.run(sessionId, atMs);
        return true;
      }
      if (expectedVersion === 0) return create(sessionId, session);
      const { title, archived, updatedAtMs, waiting, doc, mode, checksum } = session;
      const listed = [title, archived, updatedAtMs, waiting];
      return update.run(...listed, doc, mode, checksum, sessionId, expectedVersion).changes === 1;
    },
  };
}

function otherStatements(db: DatabaseSync) {
  const done = db.prepare("DELETE FROM outbox WHERE id = ?");
  const token = db.prepare(
    `INSERT INTO tokens VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name,
      token_hash = excluded.token_hash, scopes = excluded.scopes, revoked_at_ms = excluded.revoked_at_ms,
      device = excluded.device, checksum = excluded.checksum
      WHERE tokens.revoked_at_ms IS NULL
        OR (excluded.revoked_at_ms IS NOT NULL AND json_extract(tokens.device, '$.left') IS NOT NULL)`, // a revocation is final, as in memory-store.ts
  );
  const prune = db.prepare(
    `DELETE FROM idempotency WHERE (principal, key) IN
      (SELECT principal, key FROM idempotency WHERE at_ms < ? ORDER BY at_ms LIMIT ?)`,
  );
  const claim = db.prepare("INSERT INTO command_owners VALUES (?, ?, ?, ?) ON CONFLICT (root) DO NOTHING");
  const handOver = db.prepare(
    "UPDATE command_owners SET name = ?, plugin_id = ?, since_ms = ? WHERE root = ? AND plugin_id = ?",
  );
  const free = db.prepare("DELETE FROM command_owners WHERE root = ? AND plugin_id = ?");
  return {
    /** False: the recorded owner is another. */
    saveOwner({ root, name, pluginId, sinceMs, was }: OwnerChange): boolean {
      if (pluginId === null) return free.run(root, was).changes === 1;
      const written =
        was === null ? claim.run(root, name, pluginId, sinceMs) : handOver.run(name, pluginId, sinceMs, root, was);
      return written.changes === 1;
    },
    effectDone: (id: number): number => Number(done.run(id).changes),
    prune: (beforeMs: number, rowsMax: number): number => Number(prune.run(beforeMs, rowsMax).changes),
    saveToken(given: OperatorToken): void {
      const { columns, checksum } = tokenRecord(given);
      token.run(...columns, checksum);
    },
  };
}
