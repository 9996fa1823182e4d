import type { SessionId } from "../protocol/ids.ts";

/** One fact on its way to clients. Its payload is written out once, however many connections receive it. */
export type FeedEvent = {
  sessionId: SessionId;
  event: string;
  /** Absent on what is gone when nobody listens, such as a piece of an answer still being written. */
  cursor?: number;
  payloadText: string;
};

/** About no session in particular, and gone when nobody listens. */
export type FeedNotice = Omit<FeedEvent, "sessionId">;

/** Where connections hear about sessions. Durable events of one session arrive in the order of their cursors. */
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
  /** Word of every change in any session, without its contents; what was missed is not sent again. */
  watch(listener: (notice: FeedNotice) => void): () => void;
  /** Events of other gateways may have been missed: whoever listens reads again from the last cursor they had. */
  onGap(listener: () => void): () => void;
};
