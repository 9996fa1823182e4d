/** The subscribers in memory, so that a commit without subscribers costs nothing. */
import type { SessionId } from "../protocol/ids.ts";
import type { Follows, Place } from "../store/deliveries.ts";
import type { StoredEvent } from "../store/store.ts";

/** What waits for a person is state of a slice; these are the events by which it comes and goes. */
const MAY_WAIT: ReadonlySet<string> = new Set(["slice.changed", "session.created", "session.reset", "session.deleted"]);

export type Followers = {
  put(id: string, follows: Follows, place: Place): void;
  remove(id: string): void;
  cares(sessionId: SessionId): boolean;
  /** The subscribers that a commit concerns. */
  of(sessionId: SessionId, events: readonly StoredEvent[]): string[];
  all(surface?: string): string[];
};

export function createFollowers(): Followers {
  const known = new Map<string, { follows: Follows; surface: string }>();
  const ofSession = new Map<SessionId, Set<string>>();
  const ofOperators = new Set<string>();

  function remove(id: string): void {
    const follows = known.get(id)?.follows;
    known.delete(id);
    ofOperators.delete(id);
    if (follows?.kind !== "session") return;
    const ids = ofSession.get(follows.sessionId);
    ids?.delete(id);
    if (ids?.size === 0) ofSession.delete(follows.sessionId);
  }

  return {
    put(id, follows, { surface }) {
      remove(id);
      known.set(id, { follows, surface });
      if (follows.kind === "operator") return void ofOperators.add(id);
      const ids = ofSession.get(follows.sessionId) ?? new Set();
      ofSession.set(follows.sessionId, ids.add(id));
    },
    remove,
    cares: (sessionId) => ofOperators.size > 0 || ofSession.has(sessionId),
    of(sessionId, events) {
      const waiting = ofOperators.size > 0 && events.some(({ event }) => MAY_WAIT.has(event.type));
      return [...(ofSession.get(sessionId) ?? []), ...(waiting ? ofOperators : [])];
    },
    all: (surface) => [...known].flatMap(([id, one]) => (surface === undefined || one.surface === surface ? [id] : [])),
  };
}
