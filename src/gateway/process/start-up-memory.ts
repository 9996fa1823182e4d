/**
 * Loading code leaves about 17 MB of garbage that nothing would collect while the gateway idles. It is given back once,
 * a moment after the start, when no turn runs that the pause would hold up. What is left is moved together, because a page
 * with one live object on it is not given back; later collections choose for themselves again. Code is loaded once in a
 * process: a second gateway in it has left no such garbage, and a full collection would stop the first one.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

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

function collectAll(): void {
  setFlagsFromString("--expose-gc");
  setFlagsFromString("--compact-on-every-full-gc");
  const collect: unknown = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  if (typeof collect === "function") collect({ type: "major", execution: "sync", flavor: "last-resort" });
  setFlagsFromString("--no-compact-on-every-full-gc");
}
