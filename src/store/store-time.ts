/**
 * The time of the store, by which leases, timers and deadlines go on every node. A machine's own clock may be set wrong or
 * be set anew at any moment, so only its counter is used to get from one reading of the store's clock to the next.
 */

/** The two clocks of a machine. */
export type LocalTime = {
  /** What the time is, which people and programs may set. */
  wallMs(): number;
  /** Counts up from some moment, and nobody can set it. It may stand still while the machine sleeps. */
  monotonicMs(): number;
};

export const localTime: LocalTime = { wallMs: () => Date.now(), monotonicMs: () => performance.now() };

export type StoreTime = {
  nowMs(): number;
  /** How far the clock of this machine is ahead of the store's; negative where it is behind. */
  skewMs(): number;
  /** Whether the machine slept or its clock was set since the store's was last read; then this time may be wrong. */
  isInDoubt?(): boolean;
};

/** A clock that was set back is met at this speed, so that time never runs backwards and no wait is held up. */
const CATCHING_UP = 0.5;

/** For a store on this machine: its clock, which is followed when it is set ahead and is met slowly when it is set back. */
export function machineTime(local: LocalTime): StoreTime {
  let lastMs = local.wallMs();
  let countedMs = local.monotonicMs();

  function nowMs(): number {
    const wallMs = local.wallMs();
    const passedMs = Math.max(0, local.monotonicMs() - countedMs);
    countedMs += passedMs;
    const wasBehind = wallMs - passedMs < lastMs;
    lastMs = Math.max(wallMs, lastMs + (wasBehind ? passedMs * CATCHING_UP : 0));
    return Math.floor(lastMs);
  }
  return { nowMs, skewMs: () => Math.min(0, local.wallMs() - nowMs()) };
}

/** One reading of a server's clock, and when it was asked for and came by this machine's counter. */
export type TimeReading = { serverMs: number; askedAtMs: number; cameAtMs: number };

export type ServerTime = Required<StoreTime> & { read(reading: TimeReading): void };

/** No counter of a machine is less exact than this. */
const DRIFT = 0.0005;
/** A smaller correction backwards is waited out, so that time stands still for a moment instead of running backwards. */
const STANDS_STILL_MS_MAX = 1_000;
const DOUBT_MS = 500;

/**
 * For a store on a server. A reading is exact to half of the time that it took, and becomes less exact with time; a new
 * one counts when it is more exact than the last one is by now, or contradicts it.
 */
export function serverTime(local: LocalTime, first: TimeReading): ServerTime {
  let offsetMs = offsetOf(first);
  let readAtMs = first.cameAtMs;
  let exactToMs = exactness(first);
  let apartMs = local.wallMs() - local.monotonicMs();
  let lastMs = -Infinity;

  const inexactMs = (): number => exactToMs + Math.max(0, local.monotonicMs() - readAtMs) * DRIFT;

  function nowMs(): number {
    const ms = local.monotonicMs() + offsetMs;
    if (ms > lastMs || lastMs - ms > STANDS_STILL_MS_MAX) lastMs = ms;
    return Math.floor(lastMs);
  }
  return {
    nowMs,
    skewMs: () => Math.round(local.wallMs() - nowMs()),
    // its clock and its counter went apart
    isInDoubt: () => Math.abs(local.wallMs() - local.monotonicMs() - apartMs) > DOUBT_MS,
    read(reading) {
      const contradicts = Math.abs(offsetOf(reading) - offsetMs) > exactness(reading) + inexactMs();
      apartMs = local.wallMs() - local.monotonicMs();
      if (!contradicts && exactness(reading) > inexactMs()) return;
      offsetMs = offsetOf(reading);
      exactToMs = exactness(reading);
      readAtMs = reading.cameAtMs;
    },
  };
}

const offsetOf = ({ serverMs, askedAtMs, cameAtMs }: TimeReading): number => serverMs - (askedAtMs + cameAtMs) / 2;
const exactness = ({ askedAtMs, cameAtMs }: TimeReading): number => (cameAtMs - askedAtMs) / 2;
