/** The writer's statements about subscribers, deliveries and accounts of surfaces. */
import type { DatabaseSync } from "node:sqlite";
import type { ChannelNoteChange, SurfaceAccountChange } from "../deliveries.ts";
import { accountChecksum, type SubscriberRecord } from "../sql/delivery-queries.ts";
import type { Outcome } from "./jobs.ts";

export function deliveryStatements(db: DatabaseSync) {
  const insert = db.prepare("INSERT INTO subscribers VALUES (?, 1, ?) ON CONFLICT (id) DO NOTHING");
  const update = db.prepare("UPDATE subscribers SET version = version + 1, doc = ? WHERE id = ? AND version = ?");
  const remove = db.prepare("DELETE FROM subscribers WHERE id = ?");
  const removeDeliveries = db.prepare("DELETE FROM deliveries WHERE subscriber_id = ?");
  const delivery = db.prepare(
    `INSERT INTO deliveries VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (subscriber_id, key) DO UPDATE SET
      message_id = excluded.message_id, is_open = excluded.is_open, at_ms = excluded.at_ms, doc = excluded.doc`,
  );
  const prune = db.prepare(
    `DELETE FROM deliveries WHERE (subscriber_id, key) IN
      (SELECT subscriber_id, key FROM deliveries WHERE is_open = 0 AND at_ms < ? ORDER BY at_ms LIMIT ?)`,
  );
  const account = db.prepare(
    `INSERT INTO surface_accounts VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (surface, account, person_id) DO UPDATE SET
      operator_id = excluded.operator_id, created_at_ms = excluded.created_at_ms, checksum = excluded.checksum`,
  );
  const removeAccount = db.prepare("DELETE FROM surface_accounts WHERE surface = ? AND account = ? AND person_id = ?");

  const note = db.prepare(
    `INSERT INTO channel_notes VALUES (?, ?, ?, ?, ?) ON CONFLICT (surface, account, key) DO UPDATE SET
      value = excluded.value, until_ms = excluded.until_ms`,
  );
  const removeNote = db.prepare("DELETE FROM channel_notes WHERE surface = ? AND account = ? AND key = ?");
  const storedNote = db.prepare("SELECT value FROM channel_notes WHERE surface = ? AND account = ? AND key = ?");
  const pruneNotes = db.prepare("DELETE FROM channel_notes WHERE until_ms < ?");

  return {
    /** False where something else than what was expected is stored. */
    saveNote({ surface, account: ours, key, value, untilMs, expected }: ChannelNoteChange): boolean {
      if (expected !== undefined && (storedNote.get(surface, ours, key)?.["value"] ?? null) !== expected) return false;
      if (value === null) removeNote.run(surface, ours, key);
      else note.run(surface, ours, key, value, untilMs);
      return true;
    },
    save({ id, expectedVersion, doc, deliveries }: SubscriberRecord): Outcome {
      const written = expectedVersion === 0 ? insert.run(id, doc) : update.run(doc, id, expectedVersion);
      if (written.changes !== 1) return { status: "conflict" };
      for (const { key, messageId, isOpen, atMs, doc: body } of deliveries)
        delivery.run(id, key, messageId, isOpen, atMs, body);
      return { status: "committed", version: expectedVersion + 1, firstCursor: 0 };
    },
    remove(id: string): number {
      removeDeliveries.run(id);
      return Number(remove.run(id).changes);
    },
    prune(beforeMs: number, rowsMax: number): number {
      pruneNotes.run(beforeMs);
      return Number(prune.run(beforeMs, rowsMax).changes);
    },
    saveAccount(change: SurfaceAccountChange): void {
      const { surface, account: ours, personId, operatorId, createdAtMs } = change;
      if (operatorId === null) removeAccount.run(surface, ours, personId);
      else account.run(surface, ours, personId, operatorId, createdAtMs, accountChecksum({ ...change, operatorId }));
    },
  };
}
