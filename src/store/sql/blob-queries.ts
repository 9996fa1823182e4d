/** What SQLite and PostgreSQL share about the bytes that plugins keep: the reads. */
import type { SessionId } from "../../protocol/ids.ts";
import { blobBytes, type BlobStore } from "../blobs.ts";
import type { Query } from "./queries.ts";
import { sql } from "./statement.ts";

export const blobReads = (query: Query): Pick<BlobStore, "blob" | "blobCount"> => ({
  async blob({ owner, key, nowMs }) {
    const [row] = await query<{ sessionId: SessionId; untilMs: number; body: string }>(
      sql`SELECT session_id AS "sessionId", until_ms AS "untilMs", body FROM blobs
        WHERE owner = ${owner} AND key = ${key} AND until_ms > ${nowMs}`,
    );
    if (row === undefined) return undefined;
    return { owner, key, sessionId: row.sessionId, untilMs: row.untilMs, bytes: blobBytes(row.body) };
  },
  async blobCount({ owner, sessionId, nowMs }) {
    const [row] = await query<{ count: number }>(
      sessionId === undefined
        ? sql`SELECT count(*) AS count FROM blobs WHERE owner = ${owner} AND until_ms > ${nowMs}`
        : sql`SELECT count(*) AS count FROM blobs
            WHERE owner = ${owner} AND session_id = ${sessionId} AND until_ms > ${nowMs}`,
    );
    return row?.count ?? 0;
  },
});
