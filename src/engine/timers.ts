/**
 * Wakes sessions when their timers are due. The rows are the truth: one sleep for the earliest of them, and what fell
 * due while the gateway was down fires at the start. Firing is a command, so a timer that is gone fires nothing.
 */
import type { DueTimer, Store } from "../store/store.ts";
import type { Clock } from "./clock.ts";

const PAGE = 200;
const RETRY_MS = 1_000;

export type Timers = { wake(): void; stop(): Promise<void> };
export type TimersParts = {
  store: Store;
  clock: Clock;
  /** Throws when the store did not accept it, so that it is tried again. */ fire(due: DueTimer): Promise<void>;
  report(error: unknown): void;
};

export function createTimers({ store, clock, fire, report }: TimersParts): Timers {
  let callOff: (() => void) | undefined;
  let working: Promise<void> | undefined;
  let again = false;
  let stopped = false;

  async function work(): Promise<void> {
    do {
      again = false;
      for (let due = await dueNow(); due.length > 0 && !stopped; due = await dueNow()) {
        if (!(await fireAll(due))) return retry();
      }
      await sleep();
    } while (again && !stopped);
  }

  /** A timer that cannot fire holds up no other; false when some of them must be tried again. */
  async function fireAll(due: readonly DueTimer[]): Promise<boolean> {
    let allFired = true;
    for (const timer of due) {
      await fire(timer).catch((error: unknown) => {
        report(error);
        allFired = false;
      });
    }
    return allFired;
  }

  function retry(): void {
    callOff?.();
    callOff = clock.wakeAt(clock.now() + RETRY_MS, wake);
  }

  const dueNow = (): Promise<DueTimer[]> => store.dueTimers({ atMs: clock.now(), limit: PAGE });

  async function sleep(): Promise<void> {
    callOff?.();
    const nextAtMs = await store.nextTimerAtMs();
    if (nextAtMs !== undefined && !stopped) callOff = clock.wakeAt(nextAtMs, wake);
  }

  function wake(): void {
    again = true;
    if (working !== undefined || stopped) return;
    working = work()
      .catch((error: unknown) => {
        report(error);
        retry();
      })
      .finally(() => {
        working = undefined;
        if (again) wake(); // asked for between the last look and this tick
      });
  }

  return {
    wake,
    async stop() {
      stopped = true;
      callOff?.();
      await working;
    },
  };
}
