/** Writes about the bytes that plugins keep, each one statement. */
import { type BlobChange, blobText } from "../blobs.ts";
import type { Asked } from "./connections.ts";

export function blobStatement(change: BlobChange): Asked {
  if (change.do === "save") {
    const { owner, key, sessionId, untilMs, bytes } = change.blob;
    const text = `INSERT INTO blobs VALUES ($1, $2, $3, $4, $5) ON CONFLICT (owner, key) DO UPDATE SET
      session_id = excluded.session_id, until_ms = excluded.until_ms, body = excluded.body`;
    return { text, values: [owner, key, sessionId, untilMs, blobText(bytes)] };
  }
  const { which } = change;
  return "key" in which
    ? { text: "DELETE FROM blobs WHERE owner = $1 AND key = $2", values: [which.owner, which.key] }
    : {
        text: "DELETE FROM blobs WHERE session_id = $1 AND owner = coalesce($2, owner)",
        values: [which.sessionId, which.owner ?? null],
      };
}

export const pruneBlobsStatement = (nowMs: number, rowsMax: number): Asked => ({
  text: `WITH gone AS (DELETE FROM blobs WHERE (owner, key) IN
    (SELECT owner, key FROM blobs WHERE until_ms <= $1 ORDER BY until_ms LIMIT $2) RETURNING 1)
    SELECT count(*) AS rows FROM gone`,
  values: [nowMs, rowsMax],
});
