/**
 * What the store keeps about deliveries outside of the gateway: who subscribed to what and how far they were served,
 * which message shows which card, and which account of a surface belongs to which operator.
 */
import type { OperatorId, SessionId } from "../protocol/ids.ts";
import type { Json } from "../protocol/json.ts";

/** Closed deliveries are kept this long, for late clicks and receipts; `prune` drops older ones. */
export const DELIVERIES_KEPT_MS = 30 * 86_400_000;

/** A conversation on a surface, as one account of ours sees it: a chat of a bot, a channel of a workspace. */
export type Place = { surface: string; account: string; conversation: string };

export type Follows =
  /** `chosenAtMs`: when the first message of a conversation chose this id, under which it then creates the session. */
  | { kind: "session"; sessionId: SessionId; chosenAtMs?: number }
  /** Whatever waits for a person, in any session. `level`: only what was escalated so far because nobody answered. */
  | { kind: "operator"; operatorId: OperatorId; level?: number };

export type Subscriber = {
  id: string;
  place: Place;
  follows: Follows;
  /** Durable events up to here are delivered, or were found to have nothing to deliver. */
  cursor: number;
  /** Written before something is sent, removed with the receipts: what is named here may have been sent. */
  attempt: { node: string; untilMs: number; keys: string[] } | null;
  /** Keys of an attempt whose end nobody recorded. */
  doubted: string[];
  trouble: { sinceMs: number; tries: number; retryAtMs: number; why: string } | null;
  /** Counts of deliveries that ended in doubt, and of those that were given up. */
  counts: { maybeSent: number; failed: number };
  createdAtMs: number;
};
export type StoredSubscriber = { subscriber: Subscriber; version: number };

export type DeliveryState = "sending" | "sent" | "edited" | "maybe-sent" | "failed";

/** One thing that a subscriber was sent: a text, or a card that is edited in place while it is open. */
export type Delivery = {
  subscriberId: string;
  key: string;
  kind: "card" | "text";
  sessionId: SessionId;
  /** The surface's own name for the message; null until its receipt is there. */
  messageId: string | null;
  /** The revision of the card that was last drawn, or is being drawn. */
  revisionHash: string;
  state: DeliveryState;
  /** An open card is drawn again when it changes, and closed when it is over. */
  open: boolean;
  /** SHA-256 of the token that a button carries → its action. */
  buttons: Record<string, string>;
  /** An open card as it was last drawn, and the cursor of that moment: so that its end can be drawn too. */
  drawn?: { payload: Json; cursor: number };
  atMs: number;
  detail: string;
  /** What the surface reported later about the message. */
  receipt: { state: "delivered" | "read" | "failed"; atMs: number; detail: string } | null;
  /** Whose reading of this message the surface has reported, by their ids there; the last few of a crowd. */
  readBy?: string[];
  /** Whether the whole text of the card arrived, as its channel reported; absent where it says nothing. */
  offered?: "whole" | "part";
};

export type SubscriberChange = { subscriber: Subscriber; expectedVersion: number; deliveries: readonly Delivery[] };

/** An account of a person on a surface. */
export type SurfacePerson = { surface: string; account: string; personId: string };
export type SurfaceAccount = SurfacePerson & { operatorId: OperatorId; createdAtMs: number };
/**
 * What a channel keeps for one of its accounts: where it is in the vendor's stream, a question that was asked, who wants to
 * be paired. Expired ones may still be read for a while; `prune` drops them.
 */
export type ChannelNote = {
  surface: string;
  account: string;
  key: string;
  value: string;
  /** Null: for as long as nobody takes it away. */
  untilMs: number | null;
};
export type ChannelNoteName = Pick<ChannelNote, "surface" | "account" | "key">;
/**
 * A value of null takes the note away. `expected`: only where this is what is stored (null: where nothing is); otherwise
 * nothing changes, and the answer is a conflict.
 */
export type ChannelNoteChange = ChannelNoteName & {
  value: string | null;
  untilMs: number | null;
  expected?: string | null;
};

/** An operator of null takes the account away. */
export type SurfaceAccountChange = Omit<SurfaceAccount, "operatorId"> & { operatorId: OperatorId | null };
