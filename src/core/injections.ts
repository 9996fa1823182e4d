/** The durable queue of texts that wait for the agent's next turn (IN-01…IN-03). */
import { type Injection, INJECTIONS_MAX } from "../protocol/injection.ts";
import type { EventOf } from "../protocol/session.ts";

/** The kind of injection by which the gateway itself requests a turn, without any person. */
export const AUTO_CONTINUE = "auto_continue";

/** Same id replaces, different ids never overwrite each other; beyond the cap the lowest priority goes first, then the oldest. */
export function queueInjection(
  queue: readonly Injection[],
  injection: Injection,
): (EventOf<"injection.queued"> | EventOf<"injection.dropped">)[] {
  const queued = { type: "injection.queued", injection } as const;
  const others = queue.filter((item) => item.id !== injection.id);
  if (others.length < INJECTIONS_MAX) return [queued];
  const evicted = [...others, injection].toSorted(
    (a, b) => a.priority - b.priority || a.createdAtMs - b.createdAtMs,
  )[0];
  if (evicted === undefined || evicted.id === injection.id) {
    return [{ type: "injection.dropped", id: injection.id, reason: "evicted" }];
  }
  return [{ type: "injection.dropped", id: evicted.id, reason: "evicted" }, queued];
}

const isExpired = (injection: Injection, nowMs: number): boolean =>
  injection.expiresAtMs !== undefined && injection.expiresAtMs <= nowMs;

/** Priority descending, then age: the order in which a turn receives them. */
export function deliveryOrder(queue: readonly Injection[], nowMs: number): Injection[] {
  return queue
    .filter((injection) => !isExpired(injection, nowMs))
    .toSorted((a, b) => b.priority - a.priority || a.createdAtMs - b.createdAtMs);
}
