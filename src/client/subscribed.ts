/** The sessions a client listens to, each with the last durable event it saw: enough to go on after any interruption. */
import type { SessionId } from "../protocol/ids.ts";

type Followed = { cursor: number | undefined; onMissed: (() => void) | undefined };

export type Subscribed = {
  follow(sessionId: SessionId, followed: Followed): void;
  forget(sessionId: SessionId): void;
  /** False for an event that was seen before: it may arrive by replay and live. */
  isNew(sessionId: unknown, cursor: number | undefined): boolean;
  /** Where a subscription begins; one that could not go on from the old cursor begins anew. */
  reached(sessionId: SessionId, start: { cursor: number; resumed: boolean }): void;
  entries(): [SessionId, Followed][];
};

export function createSubscribed(): Subscribed {
  const followed = new Map<SessionId, Followed>();
  const find = (sessionId: unknown): Followed | undefined => {
    const known = [...followed.keys()].find((id) => id === sessionId);
    return known === undefined ? undefined : followed.get(known);
  };
  return {
    follow: (sessionId, item) => void followed.set(sessionId, item),
    forget: (sessionId) => void followed.delete(sessionId),
    isNew(sessionId, cursor) {
      const item = find(sessionId);
      if (item === undefined || cursor === undefined) return true;
      if (cursor <= (item.cursor ?? 0)) return false;
      item.cursor = cursor;
      return true;
    },
    reached(sessionId, { cursor, resumed }) {
      const item = followed.get(sessionId);
      if (item !== undefined) item.cursor = resumed ? Math.max(item.cursor ?? 0, cursor) : cursor;
    },
    entries: () => [...followed],
  };
}
