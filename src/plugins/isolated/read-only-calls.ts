/**
 * Which calls of a plugin's process may only read. What the process asks for names the call in which it asks, also when
 * that has been answered; so a call is remembered beyond its end.
 */
import type { ReadOnlyRun } from "../read-only-run.ts";

/** Beyond it the oldest are forgotten, and what is asked in a call as old as that is refused as if it only read. */
const REMEMBERED_MAX = 10_000;
const FORGOTTEN: ReadOnlyRun = { cause: "a call that ended long ago" };

export type ReadOnlyCalls = {
  began(n: number, run: ReadOnlyRun | undefined): void;
  of(n: number | undefined): ReadOnlyRun | undefined;
};

export function createReadOnlyCalls(): ReadOnlyCalls {
  const runs = new Map<number, ReadOnlyRun | undefined>();
  let last = 0;
  let forgottenUpTo = 0;
  return {
    began(n, run) {
      if (n <= last) {
        runs.clear(); // a new process counts from the beginning
        forgottenUpTo = 0;
      }
      last = n;
      runs.set(n, run);
      const [oldest] = runs.keys();
      if (runs.size <= REMEMBERED_MAX || oldest === undefined) return;
      runs.delete(oldest);
      forgottenUpTo = oldest;
    },
    of(n) {
      if (n === undefined || runs.has(n)) return n === undefined ? undefined : runs.get(n);
      return n <= forgottenUpTo ? FORGOTTEN : undefined;
    },
  };
}
