/** An answer to somebody who has just written or pressed: tried again for a while, since it stands in no outbox. */
import type { ChannelsHouse } from "./house.ts";
import { type Out, SendError, type Sent, type VendorPort } from "../port.ts";

const SEND_MS_MAX = 30_000;
const TRIES_MAX = 4;
const RETRY_FIRST_MS = 1_000;
/** Nobody waits longer than this for an answer; a vendor that wants more does not get it. */
const WAIT_MS_MAX = 60_000;

export type AnswerParts = {
  vendor: Pick<VendorPort, "send">;
  clock: ChannelsHouse["clock"];
  /** Aborted when the account stops. */
  stopping: AbortSignal;
};

export type Answering = { conversation: string; out: Out; key: string };

/** What may have been sent is not sent again. */
export async function sendAnswer({ conversation, out, key }: Answering, parts: AnswerParts): Promise<Sent> {
  const { vendor, stopping } = parts;
  for (let tries = 1; ; tries += 1) {
    try {
      return await vendor.send(conversation, out, { key, signal: AbortSignal.timeout(SEND_MS_MAX) });
    } catch (error) {
      const waitMs = waitAfter(error, tries);
      if (waitMs === undefined || stopping.aborted) throw error;
      await pause(waitMs, parts);
    }
  }
}

function waitAfter(error: unknown, tries: number): number | undefined {
  if (!(error instanceof SendError) || error.retry === "never" || error.maybeSent || tries >= TRIES_MAX)
    return undefined;
  const waitMs = error.afterMs ?? RETRY_FIRST_MS * 2 ** (tries - 1);
  return waitMs > WAIT_MS_MAX ? undefined : waitMs;
}

function pause(waitMs: number, { clock, stopping }: AnswerParts): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const callOff = clock.wakeAt(clock.now() + waitMs, resolve);
  stopping.addEventListener("abort", () => resolve(), { once: true });
  return promise.finally(callOff);
}
