/**
 * One process of the simulation: it can be paused and crash, its wall clock may be wrong and be set anew, and its counter
 * runs a little too fast or too slow. It goes by the time of the store, as a gateway does.
 */
import type { Clock } from "../../src/engine/clock.ts";
import {
  type LocalTime,
  machineTime,
  type ServerTime,
  serverTime,
  type StoreTime,
} from "../../src/store/store-time.ts";
import type { Random } from "../kit/random.ts";
import type { Agenda } from "./agenda.ts";
import type { Link } from "./link.ts";

/** A clock looks at the time this often, so a step of it is noticed no later. */
const CLOCK_LOOK_MS = 1_000;
/** What waited for a paused process arrives within this time after it, in any order. */
const RESUME_MS = 5;
/** Counters drift by less than the gateway assumes. */
const DRIFT_MAX = 0.0002;
const READ_TIME_EVERY_MS = 8_000;
const FIRST_READING_MS = 2;

export type SimulatedProcess = {
  /** Unique to this start of this node. */
  readonly name: string;
  readonly clock: Clock;
  isUp(): boolean;
  /** Happens inside the process: later while it is paused, never once it has crashed. */
  deliver(afterMs: number, happen: () => void): () => void;
  pause(forMs: number): void;
  crash(): void;
  /** Sets the wall clock. */
  step(byMs: number): void;
  /** How far the wall clock is ahead of the true time. */
  readonly aheadMs: number;
};

type Sleeper = { atMs: number; wake: () => void; callOff: () => void };
type Given = {
  name: string;
  aheadMs: number;
  agenda: Agenda;
  random: Random;
  /** To a store with a clock of its own; absent: the machine's clock is the store's. */
  link?: Link | undefined;
};

export function createSimulatedProcess({ name, agenda, random, link, ...given }: Given): SimulatedProcess {
  const sleepers = new Set<Sleeper>();
  const rate = 1 + (2 * random.next() - 1) * DRIFT_MAX;
  const startedMs = agenda.now();
  let { aheadMs } = given;
  let isUp = true;
  let pausedUntilMs = 0;
  const local: LocalTime = {
    wallMs: () => agenda.now() + aheadMs,
    monotonicMs: () => (agenda.now() - startedMs) * rate,
  };

  function deliver(afterMs: number, happen: () => void): () => void {
    let callOff = agenda.after(afterMs, arrive);
    function arrive(): void {
      if (!isUp) return;
      if (agenda.now() < pausedUntilMs) callOff = agenda.at(pausedUntilMs + random.next() * RESUME_MS, arrive);
      else happen();
    }
    return () => callOff();
  }

  const time = link === undefined ? machineTime(local) : timeOfServer(local, { agenda, random, link, deliver });

  function arm(sleeper: Sleeper, looksAfterMs: number): void {
    const waitMs = Math.max(sleeper.atMs - time.nowMs(), looksAfterMs, 0);
    sleeper.callOff = deliver(waitMs, () => {
      if (time.nowMs() < sleeper.atMs) return arm(sleeper, 1);
      sleepers.delete(sleeper);
      sleeper.wake();
    });
  }

  return {
    name,
    isUp: () => isUp,
    deliver,
    clock: {
      now: time.nowMs,
      ...(time.isInDoubt === undefined ? {} : { isInDoubt: time.isInDoubt }),
      wakeAt(atMs, wake) {
        const sleeper: Sleeper = { atMs, wake, callOff: () => undefined };
        sleepers.add(sleeper);
        arm(sleeper, 0);
        return () => {
          sleepers.delete(sleeper);
          sleeper.callOff();
        };
      },
    },
    pause: (forMs) => void (pausedUntilMs = Math.max(pausedUntilMs, agenda.now() + forMs)),
    crash() {
      isUp = false;
      sleepers.clear();
    },
    step(byMs) {
      aheadMs += byMs;
      for (const sleeper of sleepers) {
        sleeper.callOff();
        arm(sleeper, random.next() * CLOCK_LOOK_MS);
      }
    },
    get aheadMs() {
      return aheadMs;
    },
  };
}

type Reading = Pick<Given, "agenda" | "random"> & { link: Link; deliver: SimulatedProcess["deliver"] };

/** Reads the store's clock again and again; what is lost on the way is not read. */
function timeOfServer(local: LocalTime, { agenda, random, link, deliver }: Reading): StoreTime {
  const cameAtMs = local.monotonicMs();
  const first = { serverMs: agenda.now() - FIRST_READING_MS / 2, askedAtMs: cameAtMs - FIRST_READING_MS, cameAtMs };
  const time: ServerTime = serverTime(local, first);
  function read(): void {
    deliver(random.next() * READ_TIME_EVERY_MS, read);
    if (link.isCut) return;
    const askedAtMs = local.monotonicMs();
    agenda.after(random.next() * link.latencyMs, () => {
      const serverMs = agenda.now();
      deliver(random.next() * link.latencyMs, () => {
        time.read({ serverMs, askedAtMs, cameAtMs: local.monotonicMs() });
      });
    });
  }
  read();
  return time;
}
