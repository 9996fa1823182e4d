/**
 * A channel: people who are neither at the page nor in the terminal. It brings in what they send, and is handed what they
 * should see. Which surface it is, and who a person is, is settled on the gateway's side, never by what an event says.
 *
 *   vendor ─▶ receive(event): stored when it resolves, so only then acknowledge ─▶ outcome
 *   commit ─▶ deliver(batch): in order for each conversation, at least once     ─▶ receipts
 */
import type { SentAttachment } from "../../protocol/attachment.ts";
import type { MessageId, SessionId } from "../../protocol/ids.ts";
import type { Json } from "../../protocol/json.ts";
import type { Refusal } from "../../protocol/refusal.ts";

/** A conversation as one of our accounts on the surface sees it. */
export type ChannelPlace = { account: string; conversation: string };

type Happened =
  | { kind: "message"; text: string; attachments?: readonly SentAttachment[] }
  /** A button of a card: the token that it carries, and the message that it was pressed on. */
  | { kind: "click"; token: string; messageId: string }
  /**
   * The surface reports later what happened to a message. Say who read it: a bare yes of a person counts only for a card
   * that their surface has reported as read by them (PL-20).
   */
  | { kind: "receipt"; messageId: string; state: "delivered" | "read" | "failed"; detail?: string };

export type ChannelEvent = ChannelPlace &
  Happened & {
    /** The surface's own id of the event: the same one is applied once, also after a restart. */
    eventId: string;
    /** The stable id that the vendor vouches for, never a name. Not `assured`: it may be forged, so it only reads. */
    person: { id: string; assured: boolean };
  };

export type ChannelOutcome =
  | { kind: "message"; sessionId: SessionId; messageId: MessageId; queued: boolean }
  /** The answer that only the sender sees. */
  | { kind: "reply"; text: string }
  | { kind: "decision"; sessionId: SessionId; reply: Json }
  | { kind: "recorded" }
  | { kind: "refused"; refusal: Refusal }
  /** The sender is unknown or not allowed: it is logged, and nothing at all is shown. */
  | { kind: "dropped" };

/** What a conversation subscribes to: one session, or everything that waits for a person. */
export type ChannelFollows = { sessionId: string } | { operatorId: string };

export type ChannelIo = {
  /** Resolves when the event is stored; only then may it be acknowledged to the vendor. */
  receive(event: ChannelEvent): Promise<ChannelOutcome>;
  follow(place: ChannelPlace, follows: ChannelFollows): Promise<void>;
  unfollow(place: ChannelPlace): Promise<void>;
};

export type DrawnCard = {
  cardId: string;
  revisionHash: string;
  payload: Json;
  /** The token is all that a button may carry. */
  buttons: readonly { action: string; token: string }[];
};

/**
 * `maybeSent`: an earlier attempt ended without a known result. A channel that cannot recognise a repetition marks the
 * message as a possible one.
 */
export type DeliveryItem =
  | { kind: "text"; key: string; sessionId: SessionId; payload: Json; maybeSent: boolean }
  | { kind: "card"; op: "send"; key: string; sessionId: SessionId; card: DrawnCard; maybeSent: boolean }
  | { kind: "card"; op: "edit"; key: string; sessionId: SessionId; card: DrawnCard; messageId: string }
  /** The card is over: what is left of it has no buttons. `payload`: how it ended, where that is known. */
  | { kind: "card"; op: "close"; key: string; sessionId: SessionId; messageId: string; payload?: Json };

export type DeliveryBatch = { place: ChannelPlace; items: readonly DeliveryItem[]; signal: AbortSignal };

/** `maybe-sent`: left in doubt on purpose. `failed`: never to be tried again. */
export type DeliveryReceipt = {
  key: string;
  state: "sent" | "edited" | "maybe-sent" | "failed";
  messageId?: string | undefined;
  detail?: string | undefined;
};

/** Receipts of the first items, in their order; `stopped` is about the next one, which is tried again later. */
export type DeliveryResult = {
  receipts: readonly DeliveryReceipt[];
  stopped?: { why: string; retryAfterMs?: number | undefined; maybeSent?: boolean | undefined } | undefined;
};

export type Channel = {
  /** The name of the surface: `telegram`. */
  id: string;
  /** The gateway has started: begin to receive. What it throws is counted against the plugin. */
  start(io: ChannelIo): void | Promise<void>;
  /** A throw means that it is unknown what was sent. */
  deliver(batch: DeliveryBatch): Promise<DeliveryResult>;
  /** Closes sockets and timers. */
  stop?(): void | Promise<void>;
};
