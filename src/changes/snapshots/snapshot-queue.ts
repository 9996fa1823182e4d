/**
 * Whose turn it is in the thread of snapshots. Work of one session, or about one workspace, is done in order; work about
 * different workspaces takes turns in slices, so that nobody waits until a large workspace has been looked at.
 */
import { type Sliced, TakesTooLong } from "./sliced.ts";

/** As long as one works before the next has its turn; a slice ends when the file that it reads is read. */
const SLICE_MS = 8;
/** Work that takes turns at once; each may hold what is known of a whole workspace in memory. */
const ACTIVE_MAX = 8;
/** Of its own time, without that of others: enough for the largest workspace that is allowed on a slow disk. */
const OWN_MS_MAX = 60_000;

export type Job = {
  /** Two jobs that share a key are never under way at once, and begin in the order in which they were asked for. */
  keys: readonly string[];
  start(): Sliced<unknown>;
  done(result: unknown): void;
  failed(error: unknown): void;
};

export type QueueParts = {
  nowMs(): number;
  /** Calls back when messages that have arrived meanwhile were taken in. */
  later(turn: () => void): void;
  ownMsMax?: number;
};

type Active = { job: Job; work: Sliced<unknown>; spentMs: number };

export function createSnapshotQueue({ nowMs, later, ownMsMax = OWN_MS_MAX }: QueueParts): { add(job: Job): void } {
  let waiting: Job[] = [];
  const active: Active[] = [];
  let isScheduled = false;

  function admit(): void {
    const held = new Set(active.flatMap(({ job }) => job.keys));
    const still: Job[] = [];
    for (const job of waiting) {
      const isFree = active.length < ACTIVE_MAX && !job.keys.some((key) => held.has(key));
      if (isFree) active.push({ job, work: job.start(), spentMs: 0 });
      else still.push(job);
      for (const key of job.keys) held.add(key); // of one that waits, too: who came later does not overtake it
    }
    waiting = still;
  }
  function schedule(): void {
    if (isScheduled || (active.length === 0 && waiting.length === 0)) return;
    isScheduled = true;
    later(turn);
  }
  function turn(): void {
    isScheduled = false;
    admit();
    const one = active.shift();
    if (one !== undefined && !isFinished(one)) active.push(one);
    schedule();
  }
  function isFinished(one: Active): boolean {
    const { job, work } = one;
    const startedAtMs = nowMs();
    try {
      for (;;) {
        const slice = one.spentMs > ownMsMax ? work.throw(new TakesTooLong()) : work.next();
        if (slice.done === true) {
          job.done(slice.value);
          return true;
        }
        const tookMs = nowMs() - startedAtMs;
        if (tookMs < SLICE_MS) continue;
        one.spentMs += tookMs;
        return false;
      }
    } catch (error) {
      job.failed(error);
      return true;
    }
  }
  return {
    add(job) {
      waiting.push(job);
      schedule();
    },
  };
}
