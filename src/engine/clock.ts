/** Time as a port: tests pass a clock that moves only when they advance it. */
import type { StoreTime } from "../store/store-time.ts";

export type Clock = {
  now(): number;
  /** Calls back once at or after a moment; returns how to cancel it. */
  wakeAt(atMs: number, wake: () => void): () => void;
  /** Whether the machine slept or its clock was set since the time was last compared with the store's. */
  isInDoubt?(): boolean;
};

/** setTimeout does not count the time that a machine sleeps, so the clock is looked at this often meanwhile. */
const TIMEOUT_MS_MAX = 1_000;

/** A clock that goes by the time of the store, whatever becomes of the machine's own. */
export const clockOf = ({ nowMs, isInDoubt }: Omit<StoreTime, "skewMs">): Clock => ({
  now: nowMs,
  ...(isInDoubt === undefined ? {} : { isInDoubt }),
  wakeAt(atMs, wake) {
    let timer: NodeJS.Timeout;
    const arm = (): void => {
      const waitMs = Math.max(0, atMs - nowMs());
      timer = setTimeout(() => (nowMs() >= atMs ? wake() : arm()), Math.min(waitMs, TIMEOUT_MS_MAX));
      timer.unref();
    };
    arm();
    return () => clearTimeout(timer);
  },
});

/** The machine's clock as it is: for what keeps no promises by it. */
export const systemClock: Clock = clockOf({ nowMs: () => Date.now() });
