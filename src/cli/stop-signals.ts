/** Stop signals of the process: the first asks for an orderly end, the second ends it at once. */
import { constants } from "node:os";

export type StopSignals = { first: Promise<void>; signal: AbortSignal; stop(): void };

/** npm, launchers and terminals often deliver one signal twice: to the process group, and forwarded by the parent. */
const ECHO_MS = 500;

/** The first SIGTERM, SIGINT or SIGHUP asks to end in good order; the second ends at once. */
export function onStopSignals(): StopSignals {
  const asked = new AbortController();
  let askedAtMs = 0;
  const { promise: first, resolve } = Promise.withResolvers<void>();
  const names = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
  const listener = (name: NodeJS.Signals): void => {
    if (asked.signal.aborted && performance.now() - askedAtMs < ECHO_MS) return;
    if (asked.signal.aborted) process.exit(128 + constants.signals[name]);
    askedAtMs = performance.now();
    asked.abort();
    resolve();
  };
  for (const name of names) process.on(name, listener);
  return {
    first,
    signal: asked.signal,
    stop() {
      for (const name of names) process.off(name, listener);
    },
  };
}
