/** The port through which connections receive events of sessions. */
import type { SessionId } from "../protocol/ids.ts";

/** One fact on its way to clients. Its payload is written out once, however many connections receive it. */
export type FeedEvent = {
  sessionId: SessionId;
  event: string;
  /** Absent on events that are not stored, such as a piece of an answer still being written. */
  cursor?: number;
  payloadText: string;
  /** The same text in pieces, where it is so large that it is better never put together. */
  payloadPieces?: readonly string[];
};

/** An event about no session in particular, which is not stored. */
export type FeedNotice = Omit<FeedEvent, "sessionId">;

/** Durable events of one session arrive in the order of their cursors. */
export type Feed = {
  subscribe(sessionId: SessionId, listener: (event: FeedEvent) => void): () => void;
  /** Durable events after a cursor, in order, then the present cards; undefined when they are more than the limits allow. */
  replay(missed: {
    afterCursor: number;
    sessionIds: readonly SessionId[];
    eventsMax: number;
    bytesMax: number;
  }): Promise<FeedEvent[] | undefined>;
  lastCursor(): Promise<number>;
  /** Notices of every change in any session, without its contents; missed ones are not sent again. */
  watch(listener: (notice: FeedNotice) => void): () => void;
  /** Events of other gateways may have been missed: listeners read again from their last cursor. */
  onGap(listener: () => void): () => void;
};
