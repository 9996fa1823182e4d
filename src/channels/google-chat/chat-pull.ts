/** Events by Pub/Sub: one is acknowledged when it is stored; what could not be stored is given back, with all behind it. */
import { z } from "zod";
import type { VendorIo } from "../port.ts";
import { backoffMs, pause } from "../wire/pause.ts";
import type { CallGoogle } from "./chat-api.ts";
import { chatEvent } from "./chat-event.ts";

const MESSAGES_MAX = 20;
const PULL_MS_MAX = 120_000;

const Pulled = z.object({
  receivedMessages: z
    .array(z.object({ ackId: z.string(), message: z.object({ data: z.string().default("") }) }))
    .default([]),
});
type Pulled = z.infer<typeof Pulled>["receivedMessages"];

export type Pulling = { call: CallGoogle; subscription: string; io: VendorIo; signal: AbortSignal };

/** `subscription`: its whole address. Resolves when it was called off. */
export async function pullEvents(pulling: Pulling): Promise<void> {
  const { io, signal } = pulling;
  let failures = 0;
  while (!signal.aborted) {
    try {
      await takeNext(pulling);
      if (failures > 0) io.report(undefined);
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      io.report(error instanceof Error ? error.message : String(error));
      await pause(backoffMs(failures), signal);
    }
  }
}

async function takeNext({ call, subscription, io, signal }: Pulling): Promise<void> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(PULL_MS_MAX)]);
  const json = { maxMessages: MESSAGES_MAX };
  const { receivedMessages } = await call({ url: `${subscription}:pull`, json, signal: limit }, Pulled);
  for (const [at, { ackId, message }] of receivedMessages.entries()) {
    const event = chatEvent(eventIn(message.data));
    try {
      if (event !== undefined) await io.deliver(event);
    } catch (error) {
      await giveBack(receivedMessages.slice(at), { call, subscription, io, signal });
      throw error;
    }
    await call({ url: `${subscription}:acknowledge`, json: { ackIds: [ackId] }, signal }, z.unknown());
  }
}

/** At once, instead of when their time is over. */
async function giveBack(left: Pulled, { call, subscription, signal }: Pulling): Promise<void> {
  const json = { ackIds: left.map(({ ackId }) => ackId), ackDeadlineSeconds: 0 };
  await call({ url: `${subscription}:modifyAckDeadline`, json, signal }, z.unknown());
}

function eventIn(data: string): unknown {
  try {
    return JSON.parse(Buffer.from(data, "base64").toString("utf8"));
  } catch {
    return undefined;
  }
}
