/** Recently used sessions in memory, in front of the store. */
import type { SessionId } from "../protocol/ids.ts";
import type { Session } from "../protocol/session.ts";
import type { Store, StoredSession } from "../store/store.ts";

/** Sessions kept in memory, so that a busy one is not parsed from disk for each command. */
const SESSIONS_CACHED_MAX = 2_000;

/**
 * Reads the store through memory. Only a session's own lane may `load` into it, so an old read never replaces a newer
 * commit.
 */
export type SessionCache = {
  peek(id: SessionId): StoredSession | undefined;
  load(id: SessionId): Promise<StoredSession | undefined>;
  keep(id: SessionId, session: Session | undefined, version: number): void;
  forget(id: SessionId): void;
};

/** Least recently used goes first: a Map remembers insertion order, and every use inserts anew. */
export function createSessionCache({
  store,
  shared,
  max = SESSIONS_CACHED_MAX,
}: {
  store: Store;
  shared: boolean;
  max?: number;
}): SessionCache {
  const kept = new Map<SessionId, StoredSession>();

  function peek(id: SessionId): StoredSession | undefined {
    const found = kept.get(id);
    if (found !== undefined) put(id, found);
    return found;
  }

  function put(id: SessionId, stored: StoredSession): void {
    kept.delete(id);
    kept.set(id, stored);
    const oldest = kept.keys().next().value;
    if (kept.size > max && oldest !== undefined) kept.delete(oldest);
  }

  return {
    peek,
    async load(id) {
      const found = peek(id);
      if (found !== undefined) return found;
      const stored = await store.session(id);
      if (stored !== undefined && !shared) put(id, stored);
      return stored;
    },
    keep(id, session, version) {
      if (session === undefined) kept.delete(id);
      else if (!shared) put(id, { session, version }); // another process may commit next, and no notice of it arrives here
    },
    forget: (id) => void kept.delete(id),
  };
}
