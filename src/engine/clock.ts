/** Time as a port: tests pass a clock that moves only when they advance it. */
export type Clock = {
  now(): number;
  /** Calls back once at or after a moment; returns how to cancel it. */
  wakeAt(atMs: number, wake: () => void): () => void;
};

/** setTimeout does not count the time that a machine sleeps, so the wall clock is looked at this often meanwhile. */
const TIMEOUT_MS_MAX = 1_000;

export const systemClock: Clock = {
  now: () => Date.now(),
  wakeAt(atMs, wake) {
    let timer: NodeJS.Timeout;
    const arm = (): void => {
      const waitMs = Math.max(0, atMs - Date.now());
      timer = setTimeout(() => (Date.now() >= atMs ? wake() : arm()), Math.min(waitMs, TIMEOUT_MS_MAX));
      timer.unref();
    };
    arm();
    return () => clearTimeout(timer);
  },
};
