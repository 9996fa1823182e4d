/**
 * An event of a vendor → the gateway, and what came of it back to the person.
 *
 *   event ─▶ listened to? ─▶ the answer to a question of ours? ─▶ receive: stored ─▶ (acknowledge) ─▶ toast, text, question
 */
import type { ChannelEvent, ChannelIo, ChannelOutcome } from "../../plugins/sdk.ts";
import { createLanes, type Lanes } from "../../lane/lane.ts";
import type { Capabilities, VendorPort, VendorEvent } from "../port.ts";
import type { ChannelSettings } from "../protocol/settings.ts";
import { limitOf, textPages } from "../render/render-card.ts";
import { neutral } from "../render/neutral-text.ts";
import { ENGLISH } from "../texts/en.ts";
import type { AskedWords } from "./asked-words.ts";
import { createFloodLimit, isListenedTo } from "./listened-to.ts";

export type ReceiveParts = {
  account: string;
  settings: Pick<ChannelSettings, "groups" | "pairing">;
  vendor: Pick<VendorPort, "send" | "toast" | "form">;
  capabilities: Capabilities;
  io: Pick<ChannelIo, "receive">;
  asked: AskedWords;
  now(): number;
  report(error: unknown): void;
};

export type Receiving = {
  /** Resolves when the event is stored. */
  deliver(event: VendorEvent): Promise<void>;
  /** Resolves when nothing is being answered. */
  idle(): Promise<void>;
};

/** Events whose answers are remembered, so that one that comes twice is not answered twice. */
const ANSWERED_MAX = 1_000;

export function createReceiving(parts: ReceiveParts): Receiving {
  const answers: Lanes = createLanes();
  const answered = new Set<string>();
  const isFlood = createFloodLimit();
  return {
    async deliver(event) {
      if (!isListenedTo(event, parts.settings)) return;
      if (isFlood(event.person.id, parts.now()))
        return parts.report(new Error(`${event.person.id} sends more than a person can; it is dropped`));
      // what it replies to may be a question whose note is being written
      if (event.kind === "message" && event.replyTo !== undefined)
        await answers.run(event.conversation, async () => undefined);
      const outcome = await parts.io.receive(await eventFor(event, parts));
      if (answered.has(event.eventId)) return;
      answered.add(event.eventId);
      if (answered.size > ANSWERED_MAX) answered.delete([...answered][0] ?? "");
      void answers.run(event.conversation, () => answer(event, outcome, parts)).catch(parts.report);
    },
    idle: () => answers.idle(),
  };
}

async function eventFor(event: VendorEvent, { account, asked, settings }: ReceiveParts): Promise<ChannelEvent> {
  const { eventId, conversation, person, direct } = event;
  const envelope = { account, conversation, eventId, person, direct: direct && settings.pairing };
  switch (event.kind) {
    case "receipt": {
      const { messageId, state, detail } = event;
      return { ...envelope, kind: "receipt", messageId, state, ...(detail === undefined ? {} : { detail }) };
    }
    case "click": {
      const { token, messageId, text } = event;
      return { ...envelope, kind: "click", token, messageId, ...(text === undefined ? {} : { text }) };
    }
    case "message": {
      const { text, replyTo, attachments } = event;
      const words =
        replyTo === undefined
          ? undefined
          : await asked.answered({ conversation, messageId: replyTo, personId: person.id });
      if (words !== undefined && !text.startsWith("/"))
        return { ...envelope, kind: "click", token: words.token, messageId: words.messageId, text };
      return { ...envelope, kind: "message", text, ...(attachments === undefined ? {} : { attachments }) };
    }
  }
}

/** Nothing for somebody who may not: they learn not even that somebody listens. */
async function answer(event: VendorEvent, outcome: ChannelOutcome, parts: ReceiveParts): Promise<void> {
  switch (outcome.kind) {
    case "reply":
      return tell(event, outcome.text, parts);
    case "refused":
      return tell(event, outcome.refusal.message, parts);
    case "decision":
      return event.kind === "click" && event.handle !== undefined ? tell(event, ENGLISH.clickDone, parts) : undefined;
    case "asks":
      return ask(event, outcome, parts);
    case "dropped":
    case "message":
    case "recorded":
      return undefined;
  }
}

/** In the channel's own short answer where it has one and the text fits; else as a message. */
async function tell(event: VendorEvent, text: string, { vendor, capabilities, now }: ReceiveParts): Promise<void> {
  const { toast } = capabilities;
  const handle = event.kind === "receipt" ? undefined : event.handle;
  if (toast !== false && handle !== undefined && vendor.toast !== undefined) {
    if (text.length <= toast.charsMax) return vendor.toast(handle, text);
    await vendor.toast(handle, `${text.slice(0, toast.charsMax - 1)}…`);
  }
  let part = 0;
  for (const body of textPages(text, capabilities, limitOf(capabilities))) {
    const key = `answer:${event.eventId}:${part++}:${now()}`;
    await vendor.send(event.conversation, { kind: "text", body }, { key, signal: AbortSignal.timeout(SEND_MS_MAX) });
  }
}

const SEND_MS_MAX = 30_000;

type Asks = Extract<ChannelOutcome, { kind: "asks" }>;

async function ask(event: VendorEvent, { label }: Asks, parts: ReceiveParts): Promise<void> {
  if (event.kind !== "click") return;
  const { vendor, capabilities, asked, now } = parts;
  const { token, messageId, handle, conversation, person } = event;
  if (capabilities.form === "own" && vendor.form !== undefined && handle !== undefined)
    return vendor.form({ handle, title: label, label, token, messageId });
  const { format } = capabilities;
  const body = { format, text: neutral(`${label}\n${ENGLISH.clickAsks}`, format) };
  const sending = { key: `ask:${event.eventId}`, signal: AbortSignal.timeout(SEND_MS_MAX) };
  const sent = await vendor.send(conversation, { kind: "text", body, asksReply: true }, sending);
  await asked.ask({ conversation, messageId: sent.messageId }, { token, messageId, personId: person.id }, now());
  if (handle !== undefined) await vendor.toast?.(handle, ENGLISH.clickAsks);
}
