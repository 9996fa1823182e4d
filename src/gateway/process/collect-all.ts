/**
 * Collects all garbage at once. What is left is moved together, because a page with one live object on it is not given back;
 * later collections choose for themselves again.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

export function collectAll(): void {
  setFlagsFromString("--expose-gc");
  setFlagsFromString("--compact-on-every-full-gc");
  const collect: unknown = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  if (typeof collect === "function") collect({ type: "major", execution: "sync", flavor: "last-resort" });
  setFlagsFromString("--no-compact-on-every-full-gc");
}
