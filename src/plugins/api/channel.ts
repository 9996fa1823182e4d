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
  /**
   * A button of a card: the token that it carries, and the message that it was pressed on. `text`: what the person wrote for
   * a button that asks for words.
   */
  | { kind: "click"; token: string; messageId: string; text?: string }
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
    person: { id: string; assured: boolean; name?: string };
    /** Only this person and we read here. Absent: others may, so nobody is offered to be paired. */
    direct?: boolean;
  };

export type ChannelOutcome =
  | { kind: "message"; sessionId: SessionId; messageId: MessageId; queued: boolean }
  /** The answer that only the sender sees. */
  | { kind: "reply"; text: string }
  | { kind: "decision"; sessionId: SessionId; reply: Json }
  /** The button needs words: ask for them, and send the click again with its `text`. Nothing was changed. */
  | { kind: "asks"; label: string; charsMax: number }
  | { kind: "recorded" }
  | { kind: "refused"; refusal: Refusal }
  /** The sender is unknown or not allowed: it is logged, and nothing at all is shown. */
  | { kind: "dropped" };

/** What a conversation subscribes to: one session, or what waits for a person; with a level only what was escalated so far. */
export type ChannelFollows = { sessionId: string } | { operatorId: string; level?: number };

export type ChannelIo = {
  /** Resolves when the event is stored; only then may it be acknowledged to the vendor. */
  receive(event: ChannelEvent): Promise<ChannelOutcome>;
  /** Whether a message of this person would be taken: to be asked before anything large is loaded for them. */
  mayWrite(account: string, person: ChannelEvent["person"]): Promise<boolean>;
  follow(place: ChannelPlace, follows: ChannelFollows): Promise<void>;
  unfollow(place: ChannelPlace): Promise<void>;
  /** What the channel keeps for an account; what has expired reads as undefined. */
  notes: {
    get(account: string, key: string): Promise<string | undefined>;
    /** Null takes it away. */
    set(account: string, key: string, note: { value: string; untilMs?: number } | null): Promise<void>;
    /** Sets a note that is not there yet; false where it is: of several that do so at once, one does. */
    add(account: string, key: string, note: { value: string; untilMs?: number }): Promise<boolean>;
  };
  /**
   * Asks to be the gateway that serves this account. Several gateways may share one store, and then one at a time does; where
   * there is only one it is that one. Resolves when it was asked for once.
   */
  hold(account: string): Promise<AccountHold>;
  /** The account can send again: what waited for it is delivered. */
  resume(account: string): void;
  /** Where the page shows a session; undefined while the page has no address that others could open. */
  pageOf(sessionId: SessionId): string | undefined;
};

/** Which gateway serves an account of a channel. */
export type AccountHold = {
  /** Whether it is this one, for certain. */
  isHere(): boolean;
  /** What the gateway that serves it is called; undefined where there is only one, or where it is not known. */
  holder(): string | undefined;
  /** Called when it begins or ceases to be this one. */
  onChange(listener: () => void): void;
  /** Gives it back, so that another gateway can take it at once. */
  release(): Promise<void>;
};

/**
 * Who sends for an account. `here`: this gateway and no other; `elsewhere`: another one, or nobody yet; `anywhere`: whichever
 * gateway comes first.
 */
export type Serving = "here" | "elsewhere" | "anywhere";

export type DrawnCard = {
  cardId: string;
  revisionHash: string;
  payload: Json;
  /** The token is all that a button may carry. */
  buttons: readonly { action: string; token: string; asksText?: true }[];
};

/** A request that a vendor sent to the address of one of the channel's accounts, as it came. */
export type ChannelRequest = {
  method: string;
  /** Below the account's address. */
  path: string;
  query?: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Uint8Array;
};
export type ChannelAnswer = { status: number; body: string; headers?: Readonly<Record<string, string>> };

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
  /** Of a card: whether its whole text was sent. A plan of which only a part arrived is approved by none of its buttons. */
  offered?: "whole" | "part" | undefined;
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
  /** Asked before each delivery; absent: `anywhere`. After `elsewhere` nothing is delivered until `resume`. */
  serves?(account: string): Serving;
  /** Answers a vendor at `/hooks/<channel>/<account>`; it must prove who asks before it reads anything. */
  webhook?(account: string, request: ChannelRequest): Promise<ChannelAnswer>;
  /** Closes sockets and timers. */
  stop?(): void | Promise<void>;
};
