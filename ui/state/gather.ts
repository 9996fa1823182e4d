/**
 * Gathers what comes in bursts: the first is handed on at once, what follows within the pause in one go after it. A
 * thousand events a second are then a few dozen changes, and each single one is still seen without delay.
 */
export type Timing = { now(): number; later(work: () => void, delayMs: number): void };

export type Gathered<Item> = {
  add(item: Item): void;
  /** What waits, now: for whoever must not be ahead of it. */
  flush(): void;
};

const REAL: Timing = { now: () => performance.now(), later: (work, delayMs) => void setTimeout(work, delayMs) };

export function gather<Item>(
  handOn: (items: readonly Item[]) => void,
  pauseMs: number,
  { now, later }: Timing = REAL,
): Gathered<Item> {
  let waiting: Item[] = [];
  let lastAtMs = Number.NEGATIVE_INFINITY;

  function flush(): void {
    if (waiting.length === 0) return;
    const items = waiting;
    waiting = [];
    lastAtMs = now();
    handOn(items);
  }

  return {
    flush,
    add(item) {
      waiting.push(item);
      if (waiting.length > 1) return; // the one before it has seen to it
      const leftMs = lastAtMs + pauseMs - now();
      if (leftMs <= 0) flush();
      else later(flush, leftMs);
    },
  };
}
