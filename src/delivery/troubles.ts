/** Deliveries that need an operator's attention, as lines for people. */
import type { Subscriber } from "../store/deliveries.ts";

/** Trouble that is younger than this is not reported. */
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

/** Empty for a subscriber without trouble, or whose trouble is recent. */
export function stuckLine({ id, trouble, doubted, counts }: Subscriber, nowMs: number): string[] {
  if (trouble === null || nowMs - trouble.sinceMs < STUCK_MS) return [];
  const since = new Date(trouble.sinceMs).toISOString();
  const unsure = doubted.length === 0 ? "" : ` ${doubted.length} may have been sent.`;
  const failed = counts.failed === 0 ? "" : ` ${counts.failed} were given up.`;
  return [`Delivery to ${id} has failed since ${since} (${trouble.tries} tries): ${trouble.why}.${unsure}${failed}`];
}
