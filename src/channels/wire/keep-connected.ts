/**
 * A connection that is opened again when it is lost, later after each failure.
 *
 *   connect (rejects: start fails) ─▶ open ─▶ closed ─▶ connect ─▶ …   until it is called off
 */
import { backoffMs, pause } from "./pause.ts";

/** Also after a connection that stood: a vendor that closes each one at once is not asked without end. */
const AGAIN_MS = 250;

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
  let failures = 0;
  while (!signal.aborted) {
    if (socket !== undefined) {
      await socket.closed;
      await pause(AGAIN_MS, signal);
    }
    if (signal.aborted) return;
    try {
      socket = await connect();
      if (failures > 0) report(undefined);
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      socket = undefined;
      failures += 1;
      report(error instanceof Error ? error.message : String(error));
      await pause(backoffMs(failures), signal);
    }
  }
}
