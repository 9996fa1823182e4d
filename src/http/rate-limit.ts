/** A bucket of requests that fills at a steady rate and holds one second's worth. */
export type RateLimit = {
  /** Takes one; false when there is none. */
  take(): boolean;
  /** How long until there is one again. */
  waitMs(): number;
};

export function createRateLimit(perSecond: number, now: () => number): RateLimit {
  let left = perSecond;
  let filledAtMs = now();

  function fill(): void {
    const atMs = now();
    left = Math.min(perSecond, left + (Math.max(0, atMs - filledAtMs) * perSecond) / 1_000);
    filledAtMs = atMs;
  }

  return {
    take() {
      fill();
      if (left < 1) return false;
      left -= 1;
      return true;
    },
    waitMs() {
      fill();
      return left >= 1 ? 0 : Math.ceil(((1 - left) * 1_000) / perSecond);
    },
  };
}
