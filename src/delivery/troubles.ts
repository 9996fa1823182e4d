/** Deliveries that somebody should see to, as lines for people. */
import type { Subscriber } from "../store/deliveries.ts";

/** What is tried again within this time is no news. */
const STUCK_MS = 60_000;
const LINES_MAX = 100;

export type Troubles = {
  note(subscriber: Subscriber): void;
  clear(id: string): void;
  lines(nowMs: number): string[];
};

export function createTroubles(): Troubles {
  const known = new Map<string, Subscriber>();
  return {
    note: (subscriber) => void known.set(subscriber.id, subscriber),
    clear: (id) => void known.delete(id),
    lines: (nowMs) => [...known.values()].flatMap((subscriber) => stuckLine(subscriber, nowMs)).slice(0, LINES_MAX),
  };
}

/** Nothing for one that is well, or whose trouble is young. */
export function stuckLine({ id, trouble, doubted, counts }: Subscriber, nowMs: number): string[] {
  if (trouble === null || nowMs - trouble.sinceMs < STUCK_MS) return [];
  const since = new Date(trouble.sinceMs).toISOString();
  const unsure = doubted.length === 0 ? "" : ` ${doubted.length} may have been sent.`;
  const failed = counts.failed === 0 ? "" : ` ${counts.failed} were given up.`;
  return [`Delivery to ${id} has failed since ${since} (${trouble.tries} tries): ${trouble.why}.${unsure}${failed}`];
}
