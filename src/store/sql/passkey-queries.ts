/** What SQLite and PostgreSQL share about passkeys and challenges: the reads. */
import type { OperatorId } from "../../protocol/ids.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { Passkey } from "../passkeys.ts";
import type { PasskeyStore } from "../store.ts";
import type { DamageLog } from "../damage-log.ts";
import { rowChecksum } from "../row-checksum.ts";
import { fromStored } from "../stored-json.ts";
import type { Query } from "./queries.ts";
import { sql } from "./statement.ts";

type PasskeyColumns = { id: string; version: number; doc: string; checksum: number | null };

/** A passkey whose row is damaged is left out, so that it proves nobody. */
export const passkeyReads = (query: Query, damage: DamageLog): Pick<PasskeyStore, "passkeys" | "challenge"> => ({
  async passkeys() {
    const rows = await query<PasskeyColumns>(
      sql`SELECT credential_id AS id, version, doc, checksum FROM passkeys ORDER BY created_at_ms, credential_id`,
    );
    return rows
      .filter(({ id, version, doc, checksum }) =>
        damage.isSound({ table: "passkeys", name: id, checksum, columns: [id, version, doc] }),
      )
      .map(({ version, doc }) => ({ version, passkey: fromStored<Passkey>(doc) }));
  },
  async challenge(key) {
    const [row] = await query<{ operatorId: OperatorId; atMs: number; doc: string }>(
      sql`SELECT operator_id AS "operatorId", at_ms AS "atMs", doc FROM challenges WHERE key = ${key}`,
    );
    if (row === undefined) return undefined;
    return { key, operatorId: row.operatorId, atMs: row.atMs, doc: fromStored<JsonObject>(row.doc) };
  },
});

export function passkeyRecord(passkey: Passkey, was: number): { doc: string; checksum: number } {
  const doc = JSON.stringify(passkey);
  return { doc, checksum: rowChecksum("passkeys", [passkey.credentialId, was + 1, doc]) };
}
