/** Lanes of orders in the open transaction: there is one writer, so nobody comes in between reading and writing. */
import { laneOfRow } from "../../sql/lane-of-row.ts";
import type { DatabaseSync } from "node:sqlite";
import { changeLane, keyPlace, type OrderAnswer, type OrderAsk, type OrderLane } from "../../order-lane.ts";

export function orderStatements(db: DatabaseSync) {
  const row = db.prepare("SELECT 1 FROM outbox WHERE id = ?");
  const removeRow = db.prepare("DELETE FROM outbox WHERE id = ?");
  const known = db.prepare("SELECT 1 FROM idempotency WHERE principal = ? AND key = ?");
  const remember = db.prepare(
    `INSERT INTO idempotency VALUES (?, ?, '', 'null', ?, NULL)
      ON CONFLICT (principal, key) DO UPDATE SET at_ms = excluded.at_ms`,
  );
  const read = db.prepare("SELECT * FROM order_lanes WHERE session_id = ? AND slice = ?");
  const write = db.prepare("INSERT OR REPLACE INTO order_lanes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  const remove = db.prepare("DELETE FROM order_lanes WHERE session_id = ? AND slice = ?");

  function save(sessionId: string, slice: string, lane: OrderLane): void {
    const { orderId, status, attempts, failures, sinceMs, nextAtMs, lastError, node, leaseUntilMs } = lane;
    write.run(sessionId, slice, orderId, status, attempts, failures, sinceMs, nextAtMs, lastError, node, leaseUntilMs);
  }

  return {
    apply(ask: OrderAsk): OrderAnswer {
      const { sessionId, slice } = ask;
      const key = ask.kind === "claim" || ask.kind === "done" ? ask.key : null;
      const place = key === null ? undefined : keyPlace(ask, key);
      const isRepeated = place !== undefined && known.get(place.principal, place.key) !== undefined;
      const found = { isThere: row.get(ask.id) !== undefined, isRepeated, lane: laneOfRow(read.get(sessionId, slice)) };
      const { answer, lane } = changeLane(found, ask);
      if (lane === null) remove.run(sessionId, slice);
      else if (lane !== undefined) save(sessionId, slice, lane);
      if (ask.kind === "done") {
        removeRow.run(ask.id);
        if (place !== undefined) remember.run(place.principal, place.key, ask.atMs);
      }
      return answer;
    },
  };
}
