import type { SessionId } from "../protocol/ids.ts";
import type { StoredSession } from "../store/store.ts";

/** Sessions kept in memory, so that a busy one is not parsed from disk for each command. */
const SESSIONS_CACHED_MAX = 2_000;

export type SessionCache = {
  get(id: SessionId): StoredSession | undefined;
  set(id: SessionId, stored: StoredSession): void;
  delete(id: SessionId): void;
};

/** Least recently used goes first: a Map remembers insertion order, and every use inserts anew. */
export function createSessionCache(max = SESSIONS_CACHED_MAX): SessionCache {
  const kept = new Map<SessionId, StoredSession>();
  return {
    get(id) {
      const found = kept.get(id);
      if (found !== undefined) {
        kept.delete(id);
        kept.set(id, found);
      }
      return found;
    },
    set(id, stored) {
      kept.delete(id);
      kept.set(id, stored);
      const oldest = kept.keys().next().value;
      if (kept.size > max && oldest !== undefined) kept.delete(oldest);
    },
    delete: (id) => void kept.delete(id),
  };
}
