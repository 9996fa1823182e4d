import { constants } from "node:os";

export type StopSignals = { first: Promise<void>; signal: AbortSignal; stop(): void };

/** The first SIGTERM, SIGINT or SIGHUP asks to end in good order; the second ends at once. */
export function onStopSignals(): StopSignals {
  const asked = new AbortController();
  const { promise: first, resolve } = Promise.withResolvers<void>();
  const names = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
  const listener = (name: NodeJS.Signals): void => {
    if (asked.signal.aborted) process.exit(128 + constants.signals[name]);
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
