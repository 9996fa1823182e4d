/**
 * Decides what to do about a job whose time has come, perhaps long ago. Pure: the same job at the same moment has the
 * same answer, so it may be asked twice.
 */
import { CATCH_UP_MAX, type Job } from "./protocol/schedule.ts";
import type { Occurrences } from "./occurrences.ts";

/** A little late is on time: a busy machine must not make a job miss its day. */
const GRACE_MS = 60_000;
/** Beyond it times that passed are no longer counted one by one. */
const COUNTED_MAX = 1_000;

export type Planned = {
  /** The time that is used now. */
  useMs: number | null;
  /** Times that passed and are not made up for. */
  skipped: number;
  why: string;
  /** As the schedule says it, without the job's jitter. */
  nextAtMs: number | null;
};

type Due = { dueAtMs: number; nowMs: number; times: Occurrences };

export function planDue(
  job: Pick<Job, "catchUp" | "catchUpMax" | "offsetMs">,
  { dueAtMs, nowMs, times }: Due,
): Planned {
  const { offsetMs } = job;
  const all = [dueAtMs - offsetMs, ...timesSince({ dueAtMs: dueAtMs - offsetMs, nowMs: nowMs - offsetMs, times })];
  const next = times.after(nowMs - offsetMs);
  const newest = all.at(-1) ?? dueAtMs;
  if (job.catchUp === "all") {
    const kept = all.slice(-job.catchUpMax);
    return { useMs: kept[0] ?? newest, skipped: all.length - kept.length, why: DOWN, nextAtMs: kept[1] ?? next };
  }
  const isLate = nowMs - (newest + offsetMs) > GRACE_MS;
  if (job.catchUp === "skip" && isLate) return { useMs: null, skipped: all.length, why: DOWN, nextAtMs: next };
  return { useMs: newest, skipped: all.length - 1, why: DOWN, nextAtMs: next };
}

/** Mostly none. Where they are too many to count, the newest take the place of the last that were counted. */
function timesSince({ dueAtMs, nowMs, times }: Due): number[] {
  const found: number[] = [];
  for (let ms = times.after(dueAtMs); ms !== null && ms <= nowMs; ms = times.after(ms)) {
    found.push(ms);
    if (found.length >= COUNTED_MAX) {
      return [...found.slice(0, -CATCH_UP_MAX), ...times.lastUntil(nowMs, CATCH_UP_MAX)];
    }
  }
  return found;
}

const DOWN = "The gateway was down or busy.";
