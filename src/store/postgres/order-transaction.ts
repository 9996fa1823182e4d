/** One step on a lane of orders. Gateways that ask about the same lane take turns, also where it has no row yet. */
import { laneOfRow } from "../sql/lane-of-row.ts";
import {
  changeLane,
  type FoundLane,
  keyPlace,
  type OrderAnswer,
  type OrderAsk,
  type OrderLane,
} from "../order-lane.ts";
import type { Connections, Rows } from "./connections.ts";

type Ask = (text: string, values?: unknown[]) => Promise<Rows>;

export async function askOrder(connections: Connections, ask: OrderAsk): Promise<OrderAnswer> {
  let answer: OrderAnswer | undefined;
  await connections.transaction(async (query) => {
    const lock = `order:${ask.sessionId}:${ask.slice}`;
    await query("SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || $1, 0))", [lock]);
    const change = changeLane(await foundLane(query, ask), ask);
    await writeLane(query, ask, change.lane);
    if (ask.kind === "done") await finish(query, ask);
    ({ answer } = change);
  });
  if (answer === undefined) throw new Error(`order ${ask.id}: the transaction gave no answer`);
  return answer;
}

/** Read after the lock is held, in a statement of its own: it sees whatever the holder before committed. */
async function foundLane(query: Ask, ask: OrderAsk): Promise<FoundLane> {
  const key = ask.kind === "claim" || ask.kind === "done" ? ask.key : null;
  const place = key === null ? { principal: "", key: "" } : keyPlace(ask, key);
  const [row] = await query(
    `SELECT EXISTS (SELECT FROM outbox WHERE id = $1) AS there,
      EXISTS (SELECT FROM idempotency WHERE principal = $2 AND key = $3) AS repeated, lane.*
      FROM (SELECT 1) AS one LEFT JOIN order_lanes AS lane ON session_id = $4 AND slice = $5`,
    [ask.id, place.principal, place.key, ask.sessionId, ask.slice],
  );
  return { isThere: row?.["there"] === true, isRepeated: row?.["repeated"] === true, lane: laneOfRow(row) };
}

async function writeLane(
  query: Ask,
  { sessionId, slice }: OrderAsk,
  lane: OrderLane | null | undefined,
): Promise<void> {
  if (lane === undefined) return;
  if (lane === null) {
    await query("DELETE FROM order_lanes WHERE session_id = $1 AND slice = $2", [sessionId, slice]);
    return;
  }
  const { orderId, status, attempts, failures, sinceMs, nextAtMs, lastError, node, leaseUntilMs } = lane;
  await query(
    `INSERT INTO order_lanes VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
      ON CONFLICT (session_id, slice) DO UPDATE SET order_id = excluded.order_id, status = excluded.status,
      attempts = excluded.attempts, failures = excluded.failures, since_ms = excluded.since_ms,
      next_at_ms = excluded.next_at_ms, last_error = excluded.last_error, node = excluded.node, lease_until_ms = excluded.lease_until_ms`,
    [sessionId, slice, orderId, status, attempts, failures, sinceMs, nextAtMs, lastError, node, leaseUntilMs],
  );
}

async function finish(query: Ask, done: Extract<OrderAsk, { kind: "done" }>): Promise<void> {
  await query("DELETE FROM outbox WHERE id = $1", [done.id]);
  if (done.key === null) return;
  const { principal, key } = keyPlace(done, done.key);
  await query(
    `INSERT INTO idempotency VALUES ($1, $2, '', 'null', $3)
      ON CONFLICT (principal, key) DO UPDATE SET at_ms = excluded.at_ms`,
    [principal, key, done.atMs],
  );
}
