/**
 * What the parts around the engine need of it, by shape: the engine satisfies this without either knowing the other.
 * Whoever holds it can read a session as it is stored and order it about; nothing else.
 */
import type { Actor } from "../protocol/actor.ts";
import type { SessionId } from "../protocol/ids.ts";
import type { Json } from "../protocol/json.ts";
import type { Refusal } from "../protocol/refusal.ts";
import type { Session, SessionCommand, SessionEvent } from "../protocol/session.ts";
import type { Entry } from "../protocol/transcript-entry.ts";

export type SessionOutcome = { ok: true; reply: Json; session: Session | undefined } | { ok: false; refusal: Refusal };

/** One durable commit. `session` is undefined when the commit deleted it. */
export type SessionCommitted = {
  sessionId: SessionId;
  session: Session | undefined;
  events: readonly { event: SessionEvent }[];
  before?: Session | undefined;
};

/** With a key, the same order given twice is carried out once. `underWay`: its commit is on its way, and may still fail. */
export type OnBehalfOf = {
  actor: Actor;
  idempotency?: { key: string; requestDigest: string };
  underWay?(): void;
};

/** Commits of any process on the store. `cares`: the one session, or which ones. `missed`: some may not have arrived. */
export type SessionSubscription = {
  cares: SessionId | ((sessionId: SessionId) => boolean);
  onCommit(committed: SessionCommitted & { own: boolean }): void;
  missed(): void;
};

export type Sessions = {
  /** The session as it is stored now. */
  session(id: SessionId): Promise<Session | undefined>;
  dispatch(id: SessionId, command: SessionCommand, by: OnBehalfOf): Promise<SessionOutcome>;
  /** Commits of this process, at once; with a session, only its own. */
  onCommitted(listener: (committed: SessionCommitted) => void, sessionId?: SessionId): () => void;
  /** Commits of any process, in one order for each session. */
  subscribe(following: SessionSubscription): () => void;
};

/** Transcript entries after number `from`, oldest first; the newest ones when there are more than a page holds. */
export type History = (sessionId: SessionId, from: number) => Promise<NumberedEntry[]>;
export type NumberedEntry = { n: number; entry: Entry };

/** Time as a port: tests pass a clock that moves only when they advance it. */
export type Clock = {
  now(): number;
  /** Calls back once at or after a moment; returns how to cancel it. */
  wakeAt(atMs: number, wake: () => void): () => void;
  /** Whether the machine slept or its clock was set since the time was last compared with the store's. */
  isInDoubt?(): boolean;
};
