/** Removes what is not kept any more, a bounded piece per transaction; gateways that do so together take turns. */
import type { AuditRow } from "../../protocol/audit.ts";
import {
  lastToTrim,
  REMOVED_KINDS,
  removedFact,
  RETENTION_ACTOR,
  TRIMMED_KEY,
  trimmedFact,
  trimmedIn,
} from "../retention.ts";
import { serialisedAudit } from "../sql/serialise.ts";
import { auditStatement } from "./commit-statement.ts";
import type { Connections, Rows } from "./connections.ts";

type Ask = (text: string, values?: unknown[]) => Promise<Rows>;
export type RetentionAsk = { beforeMs: number; atMs: number; rowsMax: number };

const LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ':retention', 0))";

/** False: nothing is left to remove. */
export async function purgeDeleted(connections: Connections, ask: RetentionAsk): Promise<boolean> {
  let isMore = false;
  await connections.transaction(async (query) => {
    await query(LOCK);
    const [row] = await query(
      `SELECT session_id, EXISTS (SELECT FROM sessions WHERE id = session_id) AS back FROM deleted_sessions
        WHERE at_ms < $1 ORDER BY at_ms LIMIT 1`,
      [ask.beforeMs],
    );
    isMore = row !== undefined;
    if (row !== undefined)
      await purge(query, { sessionId: String(row["session_id"]), isBack: row["back"] === true }, ask);
  });
  return isMore;
}

async function purge(
  query: Ask,
  { sessionId, isBack }: { sessionId: string; isBack: boolean },
  { rowsMax, atMs }: RetentionAsk,
): Promise<void> {
  if (!isBack) {
    const gone = await query(
      `DELETE FROM events WHERE cursor IN (SELECT cursor FROM events WHERE session_id = $1 LIMIT $2) RETURNING 1`,
      [sessionId, rowsMax],
    );
    if (gone.length === rowsMax) return;
    const removed = await query("DELETE FROM artifacts WHERE session_id = $1 AND kind = ANY ($2) RETURNING kind, id", [
      sessionId,
      REMOVED_KINDS,
    ]);
    const documents = removed.map((row) => ({ kind: String(row["kind"]), id: String(row["id"]) }));
    if (documents.length > 0) await record(query, { fact: removedFact(documents), sessionId, atMs });
  }
  await query("DELETE FROM deleted_sessions WHERE session_id = $1", [sessionId]);
}

type Recorded = { fact: ReturnType<typeof trimmedFact>; sessionId: string | null; atMs: number };

async function record(query: Ask, { fact, sessionId, atMs }: Recorded): Promise<void> {
  const audit = serialisedAudit({ atMs, actor: RETENTION_ACTOR, facts: [fact] }, sessionId);
  if (audit === null) throw new Error("a removal without a fact");
  const { text, values } = auditStatement(audit);
  await query(text, values);
}

export async function trimAudit(connections: Connections, ask: RetentionAsk): Promise<boolean> {
  let isMore = false;
  await connections.transaction(async (query) => {
    await query(LOCK);
    const rows = await query(
      `SELECT seq, at_ms AS "atMs", session_id AS "sessionId", actor, body, prev_hash AS "prevHash", hash FROM audit
        ORDER BY seq LIMIT $1`,
      [ask.rowsMax + 1],
    );
    const [begins] = await query("SELECT value FROM meta WHERE key = $1", [TRIMMED_KEY]);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the query names the columns of a row
    const last = lastToTrim(rows as unknown as AuditRow[], ask.beforeMs, trimmedIn(begins?.["value"]));
    if (last === undefined) return;
    await record(query, { fact: trimmedFact(last), sessionId: null, atMs: ask.atMs });
    await query("DELETE FROM audit WHERE seq <= $1", [last.seq]);
    const text = "INSERT INTO meta VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value";
    await query(text, [TRIMMED_KEY, JSON.stringify(last)]);
    isMore = rows.length > ask.rowsMax;
  });
  return isMore;
}
