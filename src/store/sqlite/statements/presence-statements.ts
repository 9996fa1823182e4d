/** Writes about passkeys and challenges, against the open transaction. */
import type { DatabaseSync } from "node:sqlite";
import { passkeyRecord } from "../../sql/passkey-queries.ts";
import { CHALLENGES_OPEN_MAX, type Challenge, type Passkey, type PresenceChange } from "../../passkeys.ts";

export type PresenceStatements = {
  /** False: it was taken before, or another version is stored. Nothing was written then. */
  apply(change: PresenceChange): boolean;
  prune(beforeMs: number, rowsMax: number): number;
};

export function presenceStatements(db: DatabaseSync): PresenceStatements {
  const keep = db.prepare("INSERT INTO challenges VALUES (?, ?, ?, ?) ON CONFLICT (key) DO NOTHING");
  const forget = db.prepare(
    `DELETE FROM challenges WHERE operator_id = ? AND key NOT IN
      (SELECT key FROM challenges WHERE operator_id = ? ORDER BY at_ms DESC, key LIMIT ?)`,
  );
  const take = db.prepare("DELETE FROM challenges WHERE key = ?");
  const insert = db.prepare("INSERT INTO passkeys VALUES (?, ?, 1, ?, ?, ?) ON CONFLICT (credential_id) DO NOTHING");
  const update = db.prepare(
    "UPDATE passkeys SET version = version + 1, doc = ?, checksum = ? WHERE credential_id = ? AND version = ?",
  );
  const prune = db.prepare(
    "DELETE FROM challenges WHERE key IN (SELECT key FROM challenges WHERE at_ms < ? ORDER BY at_ms LIMIT ?)",
  );

  function kept({ key, operatorId, atMs, doc }: Challenge): boolean {
    const isNew = keep.run(key, operatorId, atMs, JSON.stringify(doc)).changes === 1;
    forget.run(operatorId, operatorId, CHALLENGES_OPEN_MAX);
    return isNew;
  }

  function saved(passkey: Passkey, was: number): boolean {
    const { credentialId, operatorId, createdAtMs } = passkey;
    const { doc, checksum } = passkeyRecord(passkey, was);
    const written =
      was === 0
        ? insert.run(credentialId, operatorId, createdAtMs, doc, checksum)
        : update.run(doc, checksum, credentialId, was);
    return written.changes === 1;
  }

  return {
    apply(change) {
      switch (change.do) {
        case "keep":
          return kept(change.challenge);
        case "take":
          return take.run(change.key).changes === 1;
        case "save":
          return saved(change.passkey, change.was);
      }
    },
    prune: (beforeMs, rowsMax) => Number(prune.run(beforeMs, rowsMax).changes),
  };
}
