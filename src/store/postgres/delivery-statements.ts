/** Writes about subscribers, deliveries and accounts of surfaces, each as one statement. */
import type { ChannelNoteChange } from "../deliveries.ts";
import type { SubscriberRecord } from "../sql/delivery-queries.ts";
import type { Asked } from "./connections.ts";

/** Answers with the new `version`, or with no row when another version is stored; then nothing was written. */
export function subscriberStatement({ id, expectedVersion, doc, deliveries }: SubscriberRecord): Asked {
  const sub =
    expectedVersion === 0
      ? "INSERT INTO subscribers VALUES ($1::text, 1, $2::text) ON CONFLICT (id) DO NOTHING RETURNING version"
      : "UPDATE subscribers SET version = version + 1, doc = $2::text WHERE id = $1::text AND version = $3::bigint RETURNING version";
  const given = expectedVersion === 0 ? [id, doc] : [id, doc, expectedVersion];
  if (deliveries.length === 0) return { text: `WITH sub AS (${sub}) SELECT version FROM sub`, values: given };
  const at = given.length;
  const rows = `unnest($${at + 1}::text[], $${at + 2}::text[], $${at + 3}::integer[], $${at + 4}::bigint[], $${at + 5}::text[])`;
  const text = `WITH sub AS (${sub}), del AS (
    INSERT INTO deliveries SELECT $1::text, key, message_id, is_open, at_ms, doc
    FROM sub, ${rows} AS row (key, message_id, is_open, at_ms, doc)
    ON CONFLICT (subscriber_id, key) DO UPDATE SET message_id = excluded.message_id, is_open = excluded.is_open,
      at_ms = excluded.at_ms, doc = excluded.doc RETURNING 1)
    SELECT version, (SELECT count(*) FROM del) AS written FROM sub`;
  const columns = [
    deliveries.map(({ key }) => key),
    deliveries.map(({ messageId }) => messageId),
    deliveries.map(({ isOpen }) => isOpen),
    deliveries.map(({ atMs }) => atMs),
    deliveries.map(({ doc: body }) => body),
  ];
  return { text, values: [...given, ...columns] };
}

export const removeStatement = (id: string): Asked => ({
  text: `WITH gone AS (DELETE FROM deliveries WHERE subscriber_id = $1 RETURNING 1), sub AS
    (DELETE FROM subscribers WHERE id = $1 RETURNING 1) SELECT (SELECT count(*) FROM gone), (SELECT count(*) FROM sub)`,
  values: [id],
});

/** Answers with a row when the note is as asked for; with none where something else than what was expected is stored. */
export function noteStatement({ surface, account, key, value, untilMs, expected }: ChannelNoteChange): Asked {
  const name = [surface, account, key];
  const where = "WHERE surface = $1 AND account = $2 AND key = $3";
  if (expected === undefined)
    return value === null
      ? { text: `WITH gone AS (DELETE FROM channel_notes ${where}) SELECT 1 AS done`, values: name }
      : {
          text: `INSERT INTO channel_notes VALUES ($1, $2, $3, $4, $5) ON CONFLICT (surface, account, key) DO UPDATE SET
          value = excluded.value, until_ms = excluded.until_ms RETURNING 1 AS done`,
          values: [...name, value, untilMs],
        };
  if (expected === null)
    return {
      text: `INSERT INTO channel_notes SELECT $1, $2, $3, $4::text, $5::bigint WHERE $4::text IS NOT NULL
        ON CONFLICT (surface, account, key) DO NOTHING RETURNING 1 AS done`,
      values: [...name, value, untilMs],
    };
  return value === null
    ? { text: `DELETE FROM channel_notes ${where} AND value = $4 RETURNING 1 AS done`, values: [...name, expected] }
    : {
        text: `UPDATE channel_notes SET value = $4, until_ms = $5 ${where} AND value = $6 RETURNING 1 AS done`,
        values: [...name, value, untilMs, expected],
      };
}

export const pruneDeliveriesStatement = (beforeMs: number, rowsMax: number): Asked => ({
  text: `WITH notes AS (DELETE FROM channel_notes WHERE until_ms < $1), gone AS (DELETE FROM deliveries WHERE (subscriber_id, key) IN
    (SELECT subscriber_id, key FROM deliveries WHERE is_open = 0 AND at_ms < $1 ORDER BY at_ms LIMIT $2) RETURNING 1)
    SELECT count(*) AS rows FROM gone`,
  values: [beforeMs, rowsMax],
});
