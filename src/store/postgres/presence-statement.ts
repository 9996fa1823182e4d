/** A write about passkeys or challenges as one statement, with the audit row that belongs to it. */
import { CHALLENGES_OPEN_MAX, type PresenceChange } from "../passkeys.ts";
import { passkeyRecord } from "../sql/passkey-queries.ts";
import type { SerialisedAudit } from "../sql/serialise.ts";
import { auditParts, type Part, placing, type Put, textOf } from "./commit-statement.ts";
import type { Asked } from "./connections.ts";

/** Answers with `changed`: 0 where it was taken before, or another version is stored; then nothing was written. */
export function presenceStatement(change: PresenceChange, audit: SerialisedAudit | null): Asked {
  const { values, put } = placing();
  const parts = [
    ...presenceParts(change, put),
    ...(audit === null ? [] : auditParts(audit, put, "(SELECT count(*) FROM presence) = 1")),
  ];
  return { text: `WITH ${textOf(parts)} SELECT (SELECT count(*) FROM presence) AS changed`, values };
}

function presenceParts(change: PresenceChange, put: Put): Part[] {
  switch (change.do) {
    case "keep": {
      const { key, operatorId, atMs, doc } = change.challenge;
      const [at, owner, time] = [put(key, "text"), put(operatorId, "text"), put(atMs, "bigint")];
      const insert = `INSERT INTO challenges VALUES (${at}, ${owner}, ${time}, ${put(JSON.stringify(doc), "text")})
        ON CONFLICT (key) DO NOTHING RETURNING 1`;
      // the statement does not see its own insert, so one fewer of the others is kept
      const forget = `DELETE FROM challenges WHERE operator_id = ${owner} AND key NOT IN
        (SELECT key FROM challenges WHERE operator_id = ${owner} ORDER BY at_ms DESC, key LIMIT ${CHALLENGES_OPEN_MAX - 1})`;
      return [
        { name: "presence", text: insert },
        { name: "forgotten", text: forget },
      ];
    }
    case "take":
      return [{ name: "presence", text: `DELETE FROM challenges WHERE key = ${put(change.key, "text")} RETURNING 1` }];
    case "save": {
      const { passkey, was } = change;
      const record = passkeyRecord(passkey, was);
      const [id, doc] = [put(passkey.credentialId, "text"), put(record.doc, "text")];
      const checksum = put(record.checksum, "bigint");
      const text =
        was === 0
          ? `INSERT INTO passkeys VALUES (${id}, ${put(passkey.operatorId, "text")}, 1, ${put(passkey.createdAtMs, "bigint")}, ${doc}, ${checksum})
              ON CONFLICT (credential_id) DO NOTHING RETURNING 1`
          : `UPDATE passkeys SET version = version + 1, doc = ${doc}, checksum = ${checksum} WHERE credential_id = ${id}
              AND version = ${put(was, "bigint")} RETURNING 1`;
      return [{ name: "presence", text }];
    }
  }
}

export const pruneChallengesStatement = (beforeMs: number, rowsMax: number): Asked => ({
  text: `WITH gone AS (DELETE FROM challenges WHERE key IN
    (SELECT key FROM challenges WHERE at_ms < $1 ORDER BY at_ms LIMIT $2) RETURNING 1) SELECT count(*) AS rows FROM gone`,
  values: [beforeMs, rowsMax],
});
