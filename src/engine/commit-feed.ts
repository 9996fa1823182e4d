/**
 * Everything that is committed to a session, by whichever process, in one order for each session.
 *
 * Where only this process commits, a commit is published at once. Where other processes commit too, the store's notices
 * define the order: an own commit is published when its notice comes back, after the commits that came before it.
 */
import type { LoggedLine } from "../core/step.ts";
import type { SessionId } from "../protocol/ids.ts";
import type { Store, StoredEvent, CommitNotice } from "../store/store.ts";
import type { Session } from "../protocol/session.ts";
import { createLanes } from "../lane/lane.ts";

/** Own commits whose notice is on its way; those beyond the limit are read from the store like another process's. */
const OWN_MAX = 1_000;
/** Notices that wait for reads. A process that falls behind further starts over instead. */
const WAITING_MAX = 10_000;
const PAGE = 500;

export type Committed = {
  sessionId: SessionId;
  session: Session | undefined;
  events: StoredEvent[];
  /** The session before the commit; absent for a new one, and where another process changed it. */
  before?: Session | undefined;
  /** Lines for the log that the commit asks for; absent where another process committed, which logs them itself. */
  logged?: readonly LoggedLine[];
};
export type SeenCommit = Committed & { own: boolean };
export type CommitSubscription = {
  /** Commits of sessions for which every subscriber answers false are not read. */
  cares(sessionId: SessionId): boolean;
  onCommit(seen: SeenCommit): void;
  /** Commits may have been missed before this moment. Never called where only this process commits. */
  missed(): void;
};

export type CommitFeed = {
  /** Commits of this process, at once. */
  onCommitted(listener: (committed: Committed) => void): () => void;
  /** Commits of any process, in one order for each session. */
  subscribe(subscription: CommitSubscription): () => void;
};

export function createCommitFeed(store: Store): CommitFeed & { publish(committed: Committed, version: number): void } {
  const listeners = new Set<(committed: Committed) => void>();
  const subscription = createCommitOrder(store);
  return {
    onCommitted(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    subscribe: subscription.subscribe,
    publish(committed, version) {
      for (const listener of listeners) listener(committed);
      subscription.committed(committed, version);
    },
  };
}

function createCommitOrder(
  store: Store,
): Pick<CommitFeed, "subscribe"> & { committed(committed: Committed, version: number): void } {
  const all = new Set<CommitSubscription>();
  const own = new Map<string, Committed>();
  const lanes = createLanes();
  let waiting = 0;
  let stop: (() => void) | undefined;

  function publish(seen: SeenCommit): void {
    for (const subscription of all) if (subscription.cares(seen.sessionId)) subscription.onCommit(seen);
  }

  function missed(): void {
    own.clear();
    for (const subscription of all) subscription.missed();
  }

  async function catchUp(notice: CommitNotice): Promise<void> {
    const place = placeOf(notice.sessionId, notice.version);
    const mine = own.get(place);
    own.delete(place);
    if (![...all].some(({ cares }) => cares(notice.sessionId))) return;
    publish({ ...(mine ?? (await read(store, notice))), own: notice.own });
  }

  function onCommit(notice: CommitNotice): void {
    if (waiting >= WAITING_MAX) return missed();
    waiting += 1;
    void lanes
      .run(notice.sessionId, () => catchUp(notice))
      .catch(missed) // the store does not answer; by the time it does, nobody knows what else was missed
      .finally(() => void (waiting -= 1));
  }

  return {
    subscribe(subscription) {
      all.add(subscription);
      stop ??= store.subscribe?.({ onCommit, missed });
      return () => {
        all.delete(subscription);
        if (all.size > 0) return;
        stop?.();
        stop = undefined;
      };
    },
    committed(committed, version) {
      if (store.subscribe === undefined) return publish({ ...committed, own: true });
      if (all.size === 0 || committed.events.length === 0) return;
      own.set(placeOf(committed.sessionId, version), committed);
      const oldest = own.keys().next().value;
      if (own.size > OWN_MAX && oldest !== undefined) own.delete(oldest);
    },
  };
}

const placeOf = (sessionId: SessionId, version: number): string => `${sessionId} ${version}`;

/** The session may have moved on since: subscribers want its present state. */
async function read(store: Store, { sessionId, cursors }: CommitNotice): Promise<Committed> {
  const events: StoredEvent[] = [];
  for (let after = cursors.first - 1; after < cursors.last;) {
    const page = await store.events({ cursor: after, sessionId, limit: PAGE });
    events.push(...page.filter(({ cursor }) => cursor <= cursors.last));
    after = page.at(-1)?.cursor ?? cursors.last;
  }
  return { sessionId, session: (await store.session(sessionId))?.session, events };
}
