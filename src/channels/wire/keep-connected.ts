/**
 * A connection that is opened again when it is lost, later after each failure.
 *
 *   connect (rejects: start fails) ─▶ open ─▶ closed ─▶ connect ─▶ …   until it is called off
 */
import { backoffMs, pause } from "./pause.ts";

/** A connection that did not even stand for so long counts as a failure: a vendor that closes each one is not asked without end. */
const SHORT_MS = 5_000;

type Connected = { closed: Promise<unknown> };

export type Connecting = {
  /** Resolves when the vendor has accepted us. */
  connect(): Promise<Connected>;
  report(problem: string | undefined): void;
  signal: AbortSignal;
};

/** Resolves when the first connection stands; `ended` when it was called off. */
export async function keepConnected(parts: Connecting): Promise<{ ended: Promise<void> }> {
  const first = await parts.connect();
  return { ended: goOn(first, parts) };
}

async function goOn(first: Connected, { connect, report, signal }: Connecting): Promise<void> {
  let socket: Connected | undefined = first;
  let [failures, sinceMs] = [0, performance.now()];
  while (!signal.aborted) {
    if (socket !== undefined) {
      await socket.closed;
      failures = performance.now() - sinceMs < SHORT_MS ? failures + 1 : 0;
      await pause(backoffMs(Math.max(failures, 1)), signal);
    }
    if (signal.aborted) return;
    try {
      socket = await connect();
      sinceMs = performance.now();
      report(undefined);
    } catch (error) {
      if (signal.aborted) return;
      socket = undefined;
      failures += 1;
      report(error instanceof Error ? error.message : String(error));
      await pause(backoffMs(failures), signal);
    }
  }
}
