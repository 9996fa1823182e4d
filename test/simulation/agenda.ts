/** Simulated time: events happen in the order of their moments; the seed decides between those of one moment. */
import type { Random } from "../kit/random.ts";

type Event = { atMs: number; tie: number; happen: () => void; isOff: boolean };

export type Agenda = {
  /** The time outside, which is also the store's. */
  now(): number;
  /** Returns how to call the event off. */
  at(atMs: number, happen: () => void): () => void;
  after(ms: number, happen: () => void): () => void;
  /** Moves on to the next event and lets it happen; false when there is none before the given moment. */
  next(untilMs: number): boolean;
  readonly happened: number;
};

export function createAgenda(random: Random, startMs = 1_800_000_000_000): Agenda {
  const heap: Event[] = [];
  let nowMs = startMs;
  let happened = 0;

  function at(atMs: number, happen: () => void): () => void {
    const event = { atMs: Math.max(atMs, nowMs), tie: random.next(), happen, isOff: false };
    push(heap, event);
    return () => void (event.isOff = true);
  }

  return {
    now: () => nowMs,
    at,
    after: (ms, happen) => at(nowMs + ms, happen),
    next(untilMs) {
      for (let first = heap[0]; first !== undefined && first.atMs <= untilMs; first = heap[0]) {
        pop(heap);
        if (first.isOff) continue;
        nowMs = first.atMs;
        happened += 1;
        first.happen();
        return true;
      }
      nowMs = Math.max(nowMs, untilMs);
      return false;
    },
    get happened() {
      return happened;
    },
  };
}

const isBefore = (a: Event, b: Event): boolean => a.atMs < b.atMs || (a.atMs === b.atMs && a.tie < b.tie);

function push(heap: Event[], event: Event): void {
  let at = heap.push(event) - 1;
  while (at > 0) {
    const above = (at - 1) >> 1;
    const parent = heap[above];
    if (parent === undefined || !isBefore(event, parent)) break;
    heap[at] = parent;
    at = above;
  }
  heap[at] = event;
}

function pop(heap: Event[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let at = 0;
  for (;;) {
    const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]];
    const child = left !== undefined && right !== undefined && isBefore(right, left) ? right : left;
    if (child === undefined || !isBefore(child, last)) break;
    heap[at] = child;
    at = child === left ? 2 * at + 1 : 2 * at + 2;
  }
  heap[at] = last;
}
