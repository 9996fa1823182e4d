/** One clock for everything that shows a time: a page with a hundred countdowns still wakes once a second. */
import { cell, type Readable } from "../state/cell.ts";

const TICK_MS = 1_000;

function createClock(): Readable<number> {
  const now = cell(Date.now());
  let listeners = 0;
  let timer: ReturnType<typeof setInterval> | undefined;
  return {
    get: () => (listeners === 0 ? Date.now() : now.get()),
    subscribe(listener) {
      listeners += 1;
      now.set(Date.now());
      timer ??= setInterval(() => now.set(Date.now()), TICK_MS);
      const stop = now.subscribe(listener);
      return () => {
        stop();
        listeners -= 1;
        if (listeners > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}

export const clock: Readable<number> = createClock();
