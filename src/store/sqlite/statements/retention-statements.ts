/** Removes what is not kept any more, against the open transaction, a bounded piece at a time. */
import type { DatabaseSync } from "node:sqlite";
import type { AuditRow } from "../../../protocol/audit.ts";
import {
  lastToTrim,
  type RemovedDocument,
  REMOVED_KINDS,
  removedFact,
  RETENTION_ACTOR,
  TRIMMED_KEY,
  trimmedFact,
  trimmedIn,
} from "../../retention.ts";
import { type SerialisedAudit, serialisedAudit } from "../../sql/serialise.ts";

/** `rowsMax`: the most that one step removes; a step that removes fewer was the last. */
export type RetentionAsk = { beforeMs: number; atMs: number; rowsMax: number };
type Append = (entry: SerialisedAudit | null) => void;

export function retentionStatements(db: DatabaseSync, append: Append) {
  const next = db.prepare("SELECT session_id FROM deleted_sessions WHERE at_ms < ? ORDER BY at_ms LIMIT 1");
  const back = db.prepare("SELECT 1 FROM sessions WHERE id = ?");
  // the newest event stays: SQLite would give its cursor to another
  const events = db.prepare(
    `DELETE FROM events WHERE cursor IN
      (SELECT cursor FROM events WHERE session_id = ? AND cursor < (SELECT max(cursor) FROM events) LIMIT ?)`,
  );
  const kinds = REMOVED_KINDS.map(() => "?").join(", ");
  const documents = db.prepare(`SELECT kind, id FROM artifacts WHERE session_id = ? AND kind IN (${kinds})`);
  const remove = db.prepare("DELETE FROM artifacts WHERE kind = ? AND id = ?");
  const forget = db.prepare("DELETE FROM deleted_sessions WHERE session_id = ?");
  const oldest = db.prepare(
    `SELECT seq, at_ms AS atMs, session_id AS sessionId, actor, body, prev_hash AS prevHash, hash FROM audit
      ORDER BY seq LIMIT ?`,
  );
  const trimmed = db.prepare("SELECT value FROM meta WHERE key = ?");
  const remember = db.prepare("INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value");
  const trim = db.prepare("DELETE FROM audit WHERE seq <= ?");

  const record = (fact: ReturnType<typeof trimmedFact>, sessionId: string | null, atMs: number): void =>
    append(serialisedAudit({ atMs, actor: RETENTION_ACTOR, facts: [fact] }, sessionId));

  function removeDocuments(sessionId: string, atMs: number): void {
    const found: RemovedDocument[] = documents
      .all(sessionId, ...REMOVED_KINDS)
      .map((row) => ({ kind: String(row["kind"]), id: String(row["id"]) }));
    if (found.length === 0) return;
    for (const { kind, id } of found) remove.run(kind, id);
    record(removedFact(found), sessionId, atMs);
  }

  const free = db.prepare("PRAGMA freelist_count");
  return {
    /** The pages themselves are given back after the transaction. */
    freePages: (): number => Number(free.get()?.["freelist_count"] ?? 0),
    /** One deleted session, or a piece of a large one. */
    purge({ beforeMs, atMs, rowsMax }: RetentionAsk): number {
      const sessionId = next.get(beforeMs)?.["session_id"];
      if (typeof sessionId !== "string") return 0;
      const gone = back.get(sessionId) === undefined ? Number(events.run(sessionId, rowsMax).changes) : 0;
      if (gone === rowsMax) return rowsMax;
      if (back.get(sessionId) === undefined) removeDocuments(sessionId, atMs);
      forget.run(sessionId);
      return rowsMax;
    },
    trimAudit({ beforeMs, atMs, rowsMax }: RetentionAsk): number {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the query names the columns of a row
      const rows = oldest.all(rowsMax + 1) as unknown as AuditRow[];
      const last = lastToTrim(rows, beforeMs, trimmedIn(trimmed.get(TRIMMED_KEY)?.["value"]));
      if (last === undefined) return 0;
      record(trimmedFact(last), null, atMs);
      remember.run(TRIMMED_KEY, JSON.stringify(last));
      return Number(trim.run(last.seq).changes);
    },
  };
}
