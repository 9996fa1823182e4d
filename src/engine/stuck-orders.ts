/** Orders that need an operator: no worker takes them, they fail again and again, or they never end. */
import type { OpenOrder } from "../store/order-lane.ts";
import type { Store } from "../store/store.ts";
import type { StuckOrder } from "../protocol/wire/stuck-order.ts";
import { PERFORM_MS_MAX } from "./perform-order.ts";

/** A plugin that is switched off and on again, or comes late at the start, is no reason to alarm anybody. */
const NO_WORKER_MS = 60_000;
const FAILURES = 3;
/**
 * Counts as stuck when put off this often and for this long; a worker that names a far time is asked seldom and does
 * not count.
 */
const PUT_OFF_TIMES = 10;
const PUT_OFF_MS = 3_600_000;
const LOOKED_AT_MAX = 500;

export async function stuckOrders(store: Pick<Store, "openOrders">, nowMs: number): Promise<StuckOrder[]> {
  const open = await store.openOrders({ limit: LOOKED_AT_MAX });
  return open.filter((order) => isStuck(order, nowMs)).map(shown);
}

function isStuck({ status, attempts, failures, sinceMs, work }: OpenOrder, nowMs: number): boolean {
  if (failures >= FAILURES) return true;
  switch (status) {
    case "no-worker":
      return nowMs - (work.atMs ?? sinceMs) >= NO_WORKER_MS;
    case "performing":
      return nowMs - sinceMs >= PERFORM_MS_MAX;
    case "later":
      return attempts >= PUT_OFF_TIMES && nowMs - sinceMs >= PUT_OFF_MS;
    case "failed":
      return false; // not often enough yet
  }
}

const shown = ({ sessionId, work, status, attempts, sinceMs, lastError }: OpenOrder): StuckOrder => ({
  sessionId,
  slice: work.slice,
  order: typeof work.order.do === "string" ? work.order.do : "",
  status,
  sinceMs: work.atMs ?? sinceMs,
  attempts,
  lastError,
});
