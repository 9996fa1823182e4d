/** A channel without a vendor: conversations in memory, which outlive the gateway. It knows the gateway by its port only. */
import {
  type Channel,
  type ChannelEvent,
  type ChannelIo,
  type ChannelOutcome,
  definePlugin,
  type DeliveryItem,
  type DeliveryReceipt,
  type DeliveryResult,
  type DrawnCard,
  type Plugin,
} from "../../src/plugins/sdk.ts";
import type { Json } from "../../src/protocol/json.ts";

export type FakeMessage = {
  id: string;
  /** What the sender was told about it: it may be a repetition. */
  maybeSent: boolean;
  payload: Json;
  buttons: DrawnCard["buttons"];
  edits: number;
};

export type FakeChannel = {
  plugin: Plugin;
  io(): ChannelIo;
  /** Everything in a conversation, oldest first. */
  messages(conversation?: string): FakeMessage[];
  card(conversation?: string): FakeMessage;
  /** What the vendor answers from now on; undefined: it works. */
  stopWith(stopped: DeliveryResult["stopped"], conversation?: string): void;
  /** Called after a batch was sent and before its receipts are handed back. */
  afterSend(work: (() => Promise<void>) | undefined): void;
  /** How much of a card's text its receipts say to have sent from now on; undefined: they say nothing. */
  offers(extent: DeliveryReceipt["offered"]): void;
  tries(conversation?: string): number;
  send(text: string, from?: Partial<Sent>): Promise<ChannelOutcome>;
  click(token: string, from: Partial<Sent> & { messageId: string; text?: string }): Promise<ChannelOutcome>;
  /** The vendor reports that this person has read a message. */
  read(messageId: string, from?: Partial<Sent>): Promise<ChannelOutcome>;
  stopped(): number;
};

type Sent = { person: string; assured: boolean; conversation: string; eventId: string; direct: boolean };

export function fakeChannel(id = "fake"): FakeChannel {
  const conversations = new Map<string, FakeMessage[]>();
  const faults = new Map<string, DeliveryResult["stopped"]>();
  const tries = new Map<string, number>();
  let io: ChannelIo | undefined;
  let after: (() => Promise<void>) | undefined;
  let numbers = 0;
  let stops = 0;
  let offered: DeliveryReceipt["offered"];

  const of = (conversation: string): FakeMessage[] => {
    const found = conversations.get(conversation) ?? [];
    conversations.set(conversation, found);
    return found;
  };

  const channel: Channel = {
    id,
    start: (given) => void (io = given),
    stop: () => void (stops += 1),
    async deliver({ place: { conversation }, items }) {
      tries.set(conversation, (tries.get(conversation) ?? 0) + 1);
      const fault = faults.get(conversation);
      if (fault !== undefined) return { receipts: [], stopped: fault };
      const receipts = items
        .map((item) => sendOne(item, of(conversation), () => `${id}-${++numbers}`))
        .map((receipt, at) => (items[at]?.kind === "card" ? { ...receipt, offered } : receipt));
      await after?.();
      return { receipts };
    },
  };

  const started = (): ChannelIo => {
    if (io === undefined) throw new Error("the channel was not started");
    return io;
  };
  const envelope = (from: Partial<Sent>) => envelopeOf(from, () => `event-${++numbers}`);

  return {
    plugin: definePlugin({
      id: `${id}-channel`,
      name: "Fake channel",
      description: "Conversations in memory.",
      register: (api) => api.channels.register(channel),
    }),
    io: started,
    messages: (conversation = "c1") => of(conversation),
    card(conversation = "c1") {
      const found = of(conversation).findLast(({ buttons }) => buttons.length > 0);
      if (found === undefined) throw new Error(`no card with buttons in ${conversation}`);
      return found;
    },
    stopWith: (stopped, conversation = "c1") => void faults.set(conversation, stopped),
    afterSend: (work) => void (after = work),
    offers: (extent) => void (offered = extent),
    tries: (conversation = "c1") => tries.get(conversation) ?? 0,
    send: (text, from = {}) => started().receive({ ...envelope(from), kind: "message", text } satisfies ChannelEvent),
    click: (token, { messageId, text, ...from }) =>
      started().receive({
        ...envelope(from),
        kind: "click",
        token,
        messageId,
        ...written(text),
      } satisfies ChannelEvent),
    read: (messageId, from = {}) =>
      started().receive({ ...envelope(from), kind: "receipt", messageId, state: "read" } satisfies ChannelEvent),
    stopped: () => stops,
  };
}

const envelopeOf = (from: Partial<Sent>, newId: () => string) => {
  const { person = "alice-on-fake", assured = true, conversation = "c1", eventId = newId(), direct = false } = from;
  return { account: "bot", conversation, eventId, person: { id: person, assured, name: person }, direct };
};

const written = (text: string | undefined) => (text === undefined ? {} : { text });

function sendOne(item: DeliveryItem, messages: FakeMessage[], newId: () => string): DeliveryReceipt {
  const { key } = item;
  if (item.kind === "text" || item.op === "send") {
    const shown = item.kind === "text" ? { payload: item.payload, buttons: [] } : item.card;
    const message = {
      id: newId(),
      maybeSent: item.maybeSent,
      payload: shown.payload,
      buttons: shown.buttons,
      edits: 0,
    };
    messages.push(message);
    return { key, state: "sent", messageId: message.id };
  }
  const message = messages.find(({ id }) => id === item.messageId);
  if (message === undefined) return { key, state: "failed", detail: "no such message" };
  message.buttons = item.op === "edit" ? item.card.buttons : [];
  if (item.op === "edit") message.payload = item.card.payload;
  else if (item.payload !== undefined) message.payload = item.payload;
  message.edits += 1;
  return { key, state: "edited" };
}
