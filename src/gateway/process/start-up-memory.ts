/**
 * Loading code leaves about 17 MB of garbage that nothing would collect while the gateway idles. It is given back once,
 * a moment after the start, when no turn runs that the pause would hold up. Code is loaded once in a process: a second gateway in it has left no such garbage, and a full collection would stop the first one.
 */
import { collectAll } from "../../store/sqlite/collect-all.ts";

const AFTER_START_MS = 500;
/** A gateway that is busy for longer than this collects by itself. */
const LOOKS_MAX = 20;
let isGivenBack = false;

export function giveBackStartUpMemory(isBusy: () => boolean): void {
  if (isGivenBack) return;
  isGivenBack = true;
  whenIdle(isBusy, LOOKS_MAX);
}

function whenIdle(isBusy: () => boolean, looksLeft: number): void {
  if (looksLeft === 0) return;
  setTimeout(() => (isBusy() ? whenIdle(isBusy, looksLeft - 1) : collectAll()), AFTER_START_MS).unref();
}
