/**
 * Collects all garbage of this thread at once. What is left is moved together, because a page with one live object on it is not given back;
 * later collections choose for themselves again. Flags are those of all threads: where another one takes the name away in between,
 * there is no collection.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

export function collectAll(): void {
  setFlagsFromString("--expose-gc");
  setFlagsFromString("--compact-on-every-full-gc");
  const collect: unknown = runInNewContext("globalThis.gc");
  setFlagsFromString("--no-expose-gc");
  if (typeof collect === "function") collect({ type: "major", execution: "sync", flavor: "last-resort" });
  setFlagsFromString("--no-compact-on-every-full-gc");
}
