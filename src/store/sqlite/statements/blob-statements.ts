/** Writes about the bytes that plugins keep, against the open transaction. */
import type { DatabaseSync } from "node:sqlite";
import { type BlobChange, blobText } from "../../blobs.ts";

export type BlobStatements = { apply(change: BlobChange): number; prune(beforeMs: number, rowsMax: number): number };

export function blobStatements(db: DatabaseSync): BlobStatements {
  const save = db.prepare(
    `INSERT INTO blobs VALUES (?, ?, ?, ?, ?) ON CONFLICT (owner, key) DO UPDATE SET
      session_id = excluded.session_id, until_ms = excluded.until_ms, body = excluded.body`,
  );
  const removeOne = db.prepare("DELETE FROM blobs WHERE owner = ? AND key = ?");
  const removeOf = db.prepare("DELETE FROM blobs WHERE session_id = ? AND owner = coalesce(?, owner)");
  const prune = db.prepare(
    `DELETE FROM blobs WHERE (owner, key) IN
      (SELECT owner, key FROM blobs WHERE until_ms <= ? ORDER BY until_ms LIMIT ?)`,
  );
  return {
    apply(change) {
      if (change.do === "save") {
        const { owner, key, sessionId, untilMs, bytes } = change.blob;
        return Number(save.run(owner, key, sessionId, untilMs, blobText(bytes)).changes);
      }
      const { which } = change;
      const gone =
        "key" in which ? removeOne.run(which.owner, which.key) : removeOf.run(which.sessionId, which.owner ?? null);
      return Number(gone.changes);
    },
    prune: (beforeMs, rowsMax) => Number(prune.run(beforeMs, rowsMax).changes),
  };
}
