/** When quiet hours end, by the wall clock of their time zone. */
import type { QuietHours } from "../../protocol/reach/reach.ts";

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
/** A clock that is set forward or back in between makes the first answer wrong by an hour at most. */
const LOOKS_MAX = 3;

/** The moment itself, or the end of the quiet hours that it lies in. */
export function afterQuiet(atMs: number, quiet: QuietHours | undefined): number {
  if (quiet === undefined) return atMs;
  let at = atMs;
  for (let looks = 0; looks < LOOKS_MAX; looks++) {
    const leftMs = quietMs(at, quiet);
    if (leftMs === 0) return at;
    at += leftMs;
  }
  return at;
}

function quietMs(atMs: number, { from, to, timezone }: QuietHours): number {
  const now = wallMinutes(atMs, timezone);
  const [begin, end] = [minutesOf(from), minutesOf(to)];
  const isQuiet = begin <= end ? now >= begin && now < end : now >= begin || now < end;
  if (!isQuiet) return 0;
  const left = (end - now + DAY_MINUTES) % DAY_MINUTES;
  return Math.ceil(left * MINUTE_MS);
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** Minutes since midnight, with their fraction. */
function wallMinutes(atMs: number, timezone: string): number {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone: timezone,
    hourCycle: "h23",
    hour: "2-digit",
    minute: "2-digit",
  }).formatToParts(atMs);
  const part = (type: string): number => Number(parts.find((one) => one.type === type)?.value ?? 0);
  return part("hour") * 60 + part("minute") + (((atMs % MINUTE_MS) + MINUTE_MS) % MINUTE_MS) / MINUTE_MS;
}
