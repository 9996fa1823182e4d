/** One row of `order_lanes`, as every SQL adapter reads it. */
import type { OrderLane } from "../order-lane.ts";

export function laneOfRow(row: Readonly<Record<string, unknown>> | undefined): OrderLane | undefined {
  if (row === undefined || row["order_id"] === null) return undefined;
  return {
    orderId: Number(row["order_id"]),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the adapters write nothing else there
    status: String(row["status"]) as OrderLane["status"],
    attempts: Number(row["attempts"]),
    failures: Number(row["failures"]),
    sinceMs: Number(row["since_ms"]),
    nextAtMs: Number(row["next_at_ms"]),
    lastError: String(row["last_error"]),
    node: String(row["node"]),
    leaseUntilMs: Number(row["lease_until_ms"]),
  };
}
