/** A clock that stands still until a test moves it. Wake-ups fire in the order of their times, then of their asking. */
import type { Clock } from "../engine/clock.ts";

type Sleeper = { atMs: number; order: number; wake: () => void };

export type FakeClock = Clock & {
  /** Moves on; what falls due on the way is woken at its own time, also what was asked for meanwhile. */
  advance(ms: number): void;
  /** Moves on in one leap, as after a paused process: everything that fell due is woken late, at the new time. */
  leap(ms: number): void;
  /** When the sleepers want to be woken, earliest first. */
  readonly alarms: number[];
};

export function fakeClock(startMs = 1_000_000): FakeClock {
  const sleepers = new Set<Sleeper>();
  let nowMs = startMs;
  let asked = 0;

  const inOrder = (): Sleeper[] => [...sleepers].toSorted((a, b) => a.atMs - b.atMs || a.order - b.order);

  function wakeNext(untilMs: number): boolean {
    const next = inOrder()[0];
    if (next === undefined || next.atMs > untilMs) return false;
    sleepers.delete(next);
    nowMs = Math.max(nowMs, next.atMs);
    next.wake();
    return true;
  }

  return {
    now: () => nowMs,
    wakeAt(atMs, wake) {
      const sleeper = { atMs, order: asked++, wake };
      sleepers.add(sleeper);
      return () => void sleepers.delete(sleeper);
    },
    advance(ms) {
      const untilMs = nowMs + ms;
      while (wakeNext(untilMs)) continue;
      nowMs = untilMs;
    },
    leap(ms) {
      nowMs += ms;
      while (wakeNext(nowMs)) continue;
    },
    get alarms() {
      return inOrder().map((sleeper) => sleeper.atMs);
    },
  };
}

/** Resolves when everything that can run without time passing has run. Stores in memory answer in microtasks. */
export async function quiet(): Promise<void> {
  for (let round = 0; round < QUIET_ROUNDS; round++) await new Promise((resolve) => void setImmediate(resolve));
}
const QUIET_ROUNDS = 3;
