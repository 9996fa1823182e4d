/** Waits a moment for a connection that was lost: as a rule it is back soon, and what waits need not be tried again. */
import { SendError } from "../port.ts";
import { pause } from "./pause.ts";

const CONNECT_MS_MAX = 5_000;

export async function whenConnected<Connection>(
  standing: Promise<Connection>,
  title: string,
  signal: AbortSignal,
): Promise<Connection> {
  const waiting = new AbortController();
  const late = pause(CONNECT_MS_MAX, AbortSignal.any([signal, waiting.signal]));
  const open = await Promise.race([standing, late]);
  waiting.abort();
  if (open === undefined) throw new SendError(`${title} is not connected.`, { retry: "later" });
  return open;
}
