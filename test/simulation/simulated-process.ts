/** One process of the simulation: it can be paused, crash, and has a wall clock of its own that may be wrong. */
import type { Clock } from "../../src/engine/clock.ts";
import type { Random } from "../kit/random.ts";
import type { Agenda } from "./agenda.ts";

/** The system clock looks at the time this often, so a step of the clock is noticed no later. */
const CLOCK_LOOK_MS = 1_000;
/** What waited for a paused process arrives within this time after it, in any order. */
const RESUME_MS = 5;

export type SimulatedProcess = {
  /** Unique to this start of this node. */
  readonly name: string;
  readonly clock: Clock;
  isUp(): boolean;
  /** Happens inside the process: later while it is paused, never once it has crashed. */
  deliver(afterMs: number, happen: () => void): () => void;
  pause(forMs: number): void;
  crash(): void;
  /** Moves the wall clock. */
  step(byMs: number): void;
  /** How far the wall clock is ahead of the true time. */
  readonly aheadMs: number;
};

type Sleeper = { atMs: number; wake: () => void; callOff: () => void };
type Given = { name: string; aheadMs: number; agenda: Agenda; random: Random };

export function createSimulatedProcess({ name, agenda, random, ...given }: Given): SimulatedProcess {
  const sleepers = new Set<Sleeper>();
  let { aheadMs } = given;
  let isUp = true;
  let pausedUntilMs = 0;

  function deliver(afterMs: number, happen: () => void): () => void {
    let callOff = agenda.after(afterMs, arrive);
    function arrive(): void {
      if (!isUp) return;
      if (agenda.now() < pausedUntilMs) callOff = agenda.at(pausedUntilMs + random.next() * RESUME_MS, arrive);
      else happen();
    }
    return () => callOff();
  }

  const now = (): number => Math.floor(agenda.now() + aheadMs);

  function arm(sleeper: Sleeper, looksAfterMs: number): void {
    const waitMs = Math.max(sleeper.atMs - (agenda.now() + aheadMs), looksAfterMs, 0);
    sleeper.callOff = deliver(waitMs, () => {
      if (now() < sleeper.atMs) return arm(sleeper, 0);
      sleepers.delete(sleeper);
      sleeper.wake();
    });
  }

  return {
    name,
    isUp: () => isUp,
    deliver,
    clock: {
      now,
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
