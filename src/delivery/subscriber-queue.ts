/**
 * One piece of work at a time for each subscriber. Waking one that is working makes it look again; one that waits for a
 * moment is woken at that moment, or by an earlier `wake`.
 */
import type { Clock } from "../engine/clock.ts";

/** After an unexpected failure the subscriber is tried again after this time. */
const FAILED_RETRY_MS = 1_000;
/** Batches in one go, so that a subscriber far behind does not run for ever. */
const STEPS_MAX = 1_000;

/** `rest`: nothing to do; a moment: not before then. */
export type Next = "rest" | "more" | { atMs: number };

export type SubscriberQueue = {
  wake(id: string): void;
  /** Begins nothing new; resolves when nothing is under way. */
  stop(): Promise<void>;
};

export type QueueParts = {
  clock: Clock;
  step(id: string): Promise<Next>;
  report(error: unknown, id: string): void;
};

export function createSubscriberQueue({ clock, step, report }: QueueParts): SubscriberQueue {
  const running = new Map<string, Promise<void>>();
  const again = new Set<string>();
  const alarms = new Map<string, () => void>();
  let stopped = false;

  function callOff(id: string): void {
    alarms.get(id)?.();
    alarms.delete(id);
  }

  function wakeAt(id: string, atMs: number): void {
    callOff(id);
    if (!stopped)
      alarms.set(
        id,
        clock.wakeAt(atMs, () => wake(id)),
      );
  }

  async function run(id: string): Promise<void> {
    for (let steps = 0; steps < STEPS_MAX && !stopped; steps++) {
      again.delete(id);
      const next = await step(id);
      if (typeof next === "object") return wakeAt(id, next.atMs);
      if (next === "rest" && !again.has(id)) return;
    }
    again.add(id);
  }

  function wake(id: string): void {
    if (stopped) return;
    again.add(id);
    if (running.has(id)) return;
    callOff(id);
    const work = run(id)
      .catch((error: unknown) => {
        report(error, id);
        wakeAt(id, clock.now() + FAILED_RETRY_MS);
      })
      .finally(() => {
        running.delete(id);
        if (again.has(id) && !alarms.has(id)) wake(id); // asked for between the last look and this tick
      });
    running.set(id, work);
  }

  return {
    wake,
    async stop() {
      stopped = true;
      for (const id of alarms.keys()) callOff(id);
      await Promise.allSettled(running.values());
    },
  };
}
