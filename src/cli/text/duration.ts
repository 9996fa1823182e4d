/** Durations in words: "23 h 59 min", "4 min", "2 h ago". */
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** "23 h 59 min", "4 min", "12 s": as exact as a person needs it. */
export function duration(ms: number): string {
  const left = Math.max(ms, 0);
  if (left >= 2 * DAY_MS) return `${Math.floor(left / DAY_MS)} days`;
  if (left >= HOUR_MS) {
    const minutes = Math.floor((left % HOUR_MS) / MINUTE_MS);
    return minutes === 0 ? `${Math.floor(left / HOUR_MS)} h` : `${Math.floor(left / HOUR_MS)} h ${minutes} min`;
  }
  if (left >= MINUTE_MS) return `${Math.floor(left / MINUTE_MS)} min`;
  return `${Math.floor(left / 1000)} s`;
}

/** "2 h ago", "just now". */
export const ago = (ms: number): string => (ms < 5_000 ? "just now" : `${duration(ms)} ago`);
