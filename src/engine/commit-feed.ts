/**
 * Everything that is committed to a session, by whichever process, in one order for each session.
 *
 * Where only this process commits, subscribers get a commit at once. Where a thread writes, one that requests a turn reaches
 * them while the start of that turn is being written, so that the turn does not wait for them. Where other processes commit too, the store's notices
 * define the order: an own commit is published when its notice comes back, after the commits that came before it.
 */
import { setImmediate as otherWork } from "node:timers/promises";
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
  /** The one session, or whether it is one of those that are followed; commits that nobody follows are not read. */
  cares: SessionId | ((sessionId: SessionId) => boolean);
  onCommit(seen: SeenCommit): void;
  /** Commits may have been missed before this moment. Never called where only this process commits. */
  missed(): void;
};

export type CommitFeed = {
  /** Commits of this process, at once; with a session, only its own. */
  onCommitted(listener: (committed: Committed) => void, sessionId?: SessionId): () => void;
  /** Commits of any process, in one order for each session. */
  subscribe(subscription: CommitSubscription): () => void;
};

type OwnCommits = {
  publish(committed: Committed, version: number): void;
  /** Resolves when subscribers have everything that was published; undefined: they have it. */
  delivered(): Promise<void> | undefined;
};

export function createCommitFeed(store: Store): CommitFeed & OwnCommits {
  const audience = createAudience<(committed: Committed) => void>();
  const subscription = createCommitOrder(store);
  const deferred = createDeferredWork();
  return {
    onCommitted: audience.add,
    subscribe: subscription.subscribe,
    delivered: deferred.done,
    publish(committed, version) {
      audience.each(committed.sessionId, (listener) => listener(committed));
      if (store.hasWriterThread === true && requestsTurn(committed))
        return deferred.add(() => subscription.committed(committed, version));
      deferred.doNow(); // in the order of the commits
      subscription.committed(committed, version);
    },
  };
}

const requestsTurn = ({ events }: Committed): boolean => events.some(({ event }) => event.type === "turn.requested");

/** Work that waits, in order, until the writes that this round of the event loop leads to are with their thread. */
function createDeferredWork() {
  let waiting: (() => void)[] = [];
  let done: Promise<void> | undefined;
  function doNow(): void {
    const works = waiting;
    waiting = [];
    for (const work of works) work();
  }
  async function soon(): Promise<void> {
    await otherWork(); // the turn is started
    await otherWork(); // and its start handed over
    done = undefined;
    doNow();
  }
  return {
    add(work: () => void): void {
      waiting.push(work);
      done ??= soon();
    },
    doNow,
    done: () => done,
  };
}

/** Who follows one session is found by its id, so that a thousand running turns do not look at each other's commits. */
function createAudience<Listener>() {
  const everywhere = new Set<Listener>();
  const ofSession = new Map<SessionId, Set<Listener>>();
  return {
    add(listener: Listener, sessionId?: SessionId): () => void {
      const mine = sessionId === undefined ? everywhere : (ofSession.get(sessionId) ?? new Set());
      mine.add(listener);
      if (sessionId !== undefined) ofSession.set(sessionId, mine);
      return () => {
        mine.delete(listener);
        if (sessionId !== undefined && mine.size === 0 && ofSession.get(sessionId) === mine)
          ofSession.delete(sessionId);
      };
    },
    each(sessionId: SessionId, visit: (listener: Listener) => void): void {
      for (const listener of everywhere) visit(listener);
      for (const listener of ofSession.get(sessionId) ?? []) visit(listener);
    },
    all: (): Listener[] => [...everywhere, ...[...ofSession.values()].flatMap((some) => [...some])],
    isEmpty: (): boolean => everywhere.size === 0 && ofSession.size === 0,
  };
}

function createCommitOrder(
  store: Store,
): Pick<CommitFeed, "subscribe"> & { committed(committed: Committed, version: number): void } {
  const audience = createAudience<CommitSubscription>();
  const own = new Map<string, Committed>();
  const lanes = createLanes();
  let waiting = 0;
  let stop: (() => void) | undefined;

  function publish(seen: SeenCommit): void {
    audience.each(seen.sessionId, (one) => void (follows(one, seen.sessionId) && one.onCommit(seen)));
  }

  function missed(): void {
    own.clear();
    for (const subscription of audience.all()) subscription.missed();
  }

  function isFollowed(sessionId: SessionId): boolean {
    let found = false;
    audience.each(sessionId, (one) => void (found ||= follows(one, sessionId)));
    return found;
  }

  async function catchUp(notice: CommitNotice): Promise<void> {
    const place = placeOf(notice.sessionId, notice.version);
    const mine = own.get(place);
    own.delete(place);
    if (!isFollowed(notice.sessionId)) return;
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
      const remove = audience.add(
        subscription,
        typeof subscription.cares === "string" ? subscription.cares : undefined,
      );
      stop ??= store.subscribe?.({ onCommit, missed });
      return () => {
        remove();
        if (!audience.isEmpty()) return;
        stop?.();
        stop = undefined;
      };
    },
    committed(committed, version) {
      if (store.subscribe === undefined) return publish({ ...committed, own: true });
      if (audience.isEmpty() || committed.events.length === 0) return;
      own.set(placeOf(committed.sessionId, version), committed);
      const oldest = own.keys().next().value;
      if (own.size > OWN_MAX && oldest !== undefined) own.delete(oldest);
    },
  };
}

const follows = ({ cares }: CommitSubscription, sessionId: SessionId): boolean =>
  typeof cares === "string" ? cares === sessionId : cares(sessionId);
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
