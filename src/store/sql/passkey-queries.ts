/** What SQLite and PostgreSQL share about passkeys and challenges: the reads. */
import type { OperatorId } from "../../protocol/ids.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { Passkey } from "../passkeys.ts";
import type { PasskeyStore } from "../store.ts";
import { fromStored } from "../stored-json.ts";
import type { Query } from "./queries.ts";
import { sql } from "./statement.ts";

export const passkeyReads = (query: Query): Pick<PasskeyStore, "passkeys" | "challenge"> => ({
  async passkeys() {
    const rows = await query<{ version: number; doc: string }>(
      sql`SELECT version, doc FROM passkeys ORDER BY created_at_ms, credential_id`,
    );
    return rows.map(({ version, doc }) => ({ version, passkey: fromStored<Passkey>(doc) }));
  },
  async challenge(key) {
    const [row] = await query<{ operatorId: OperatorId; atMs: number; doc: string }>(
      sql`SELECT operator_id AS "operatorId", at_ms AS "atMs", doc FROM challenges WHERE key = ${key}`,
    );
    if (row === undefined) return undefined;
    return { key, operatorId: row.operatorId, atMs: row.atMs, doc: fromStored<JsonObject>(row.doc) };
  },
});
