/**
 * The store port. One commit is everything that one command caused, and it is all or nothing: state, events, outbox,
 * timers, artifacts, audit row and the idempotency record. `store-contract.ts` is what every adapter must pass.
 *
 * Acknowledged means fsynced: `commit` resolves only when the bytes would survive a power cut.
 */
import type { Artifact, OutboxEffect } from "../core/effect.ts";
import type { Waiting } from "../core/slice.ts";
import type { Scope } from "../protocol/actor.ts";
import type { AuditFact, AuditRow, AuditVerdict } from "../protocol/audit.ts";
import type { OperatorId, SessionId } from "../protocol/ids.ts";
import type { Json } from "../protocol/json.ts";
import type { Session, SessionEvent, Timer } from "../protocol/session.ts";
import type { BlobStore } from "./blobs.ts";
import type { CommandOwner, OwnerChange } from "./command-owners.ts";
import type { OpenOrder, OrderPort } from "./order-lane.ts";
import type { SearchChange, SearchDocument, SearchQuery } from "./search/search-documents.ts";
import type { StoreTime } from "./store-time.ts";
import type { Challenge, PresenceChange, StoredPasskey } from "./passkeys.ts";
import type {
  Delivery,
  ChannelNote,
  ChannelNoteChange,
  ChannelNoteName,
  StoredSubscriber,
  SubscriberChange,
  SurfaceAccount,
  SurfaceAccountChange,
  SurfacePerson,
} from "./deliveries.ts";

/** Idempotency records are kept at least this long; `prune` drops older ones. */
export const IDEMPOTENCY_KEPT_MS = 48 * 3_600_000;
/** No page is larger; asking for one throws, because cutting it short in silence would hide what is missing. */
export const PAGE_MAX = 500;

export type StoredSession = { session: Session; version: number };

/** An event with its place in the one order that all clients see. `cursor` grows; it has gaps where commits failed. */
export type StoredEvent = { cursor: number; sessionId: SessionId; atMs: number; event: SessionEvent };

/** `result` is any JSON: what was answered, to be answered again. */
export type Idempotency = { principal: string; key: string; requestDigest: string; result: unknown };

export type Commit = {
  sessionId: SessionId;
  /** The version that the commit was computed from; 0 for a session that does not exist yet. */
  expectedVersion: number;
  /** Undefined deletes the session's row; its events go later, its audit rows and plans stay. Absent state changes: see `recordOnly`. */
  session: Session | undefined;
  /** Nothing changes but the idempotency record: the answer was a refusal, and its repetition must get the same one. */
  recordOnly: boolean;
  atMs: number;
  actor: string;
  events: SessionEvent[];
  outbox: OutboxEffect[];
  artifacts: Artifact[];
  audit: AuditFact[];
  waiting: Waiting | null;
  /** What mode the session is in, where it is not the normal one; absent: the normal one. */
  mode?: string | null;
  idempotency?: Idempotency;
  /** A commit that makes things safer (reject, time-out, stop) is still taken when the disk is nearly full. */
  vital: boolean;
};

export type CommitResult =
  | { status: "committed"; version: number; events: StoredEvent[] }
  /** Somebody else committed first: load again and decide again. */
  | { status: "conflict" }
  /** This key was used before for the same request: here is what was answered then. Nothing was written. */
  | { status: "replayed"; result: unknown }
  /** This key was used before for another request. Nothing was written. */
  | { status: "key-reused" }
  | { status: "failed"; failure: StoreFailure };

/**
 * The store failed: nothing was written, unless `outcome` is unknown; then a repetition under the same idempotency key
 * shows whether it was.
 */
export type StoreFailure = {
  reason: "full" | "read-only" | "unreachable" | "closed" | "damaged";
  outcome: "nothing-written" | "unknown";
  message: string;
};

/** Notice of one commit, by this process (`own`) or any other on the same store. */
export type CommitNotice = {
  sessionId: SessionId;
  version: number;
  cursors: { first: number; last: number };
  own: boolean;
};
/** Notices come in the order in which their commits became visible. */
export type CommitSubscriber = {
  onCommit(notice: CommitNotice): void;
  /** Notices may be missing before this moment: subscribers that rely on them must read again. */
  missed(): void;
  /** Text that another process published. */
  onPublished?(text: string): void;
};
export const PUBLISHED_BYTES_MAX = 7_500;

export type PendingEffect = { id: number; sessionId: SessionId; effect: OutboxEffect };
export type DueTimer = { sessionId: SessionId; timer: Timer };

export type SessionRow = {
  id: SessionId;
  agentId: string;
  kind: string;
  title: string;
  archived: boolean;
  createdAtMs: number;
  updatedAtMs: number;
  waiting: Waiting | null;
  /** Null: the normal one. */
  mode: string | null;
};

export type SessionFilter = { archived?: boolean; waiting?: boolean; search?: string };
export type Page<Item> = { items: Item[]; nextCursor: string | null };

export type StoredArtifact = {
  sessionId: SessionId;
  kind: string;
  id: string;
  digest: string;
  body: Json;
  atMs: number;
};

export type OperatorToken = {
  id: OperatorId;
  name: string;
  /** SHA-256 of the secret; the secret itself is shown once and never stored here. */
  tokenHash: string;
  scopes: Scope[];
  createdAtMs: number;
  revokedAtMs: number | null;
  /** Null for a token that an operator carries; otherwise the log-in of one browser, in the name of an operator. */
  device: Device | null;
};

export type Device = {
  operatorId: OperatorId;
  /** SHA-256 of the secret that the browser keeps for this origin; `tokenHash` is of the one in its cookie. */
  browserHash: string;
  seenAtMs: number;
  expiresAtMs: number;
  /** The log-ins that made the link of this one, nearest first; absent where an operator's own token did. */
  makers?: OperatorId[];
  /** Set when the browser logged out or was logged in anew by itself: then what it made stays. */
  left?: true;
};

/** What is sent to places outside of the gateway, and whose accounts there are. */
export type DeliveryStore = {
  /** In the order of their ids, after one of them. */
  subscribers(after: { id: string; limit: number }): Promise<StoredSubscriber[]>;
  subscriber(id: string): Promise<StoredSubscriber | undefined>;
  /** The subscriber and these deliveries together, if its version is still the expected one (0: it is new). */
  saveSubscriber(change: SubscriberChange): Promise<CommitResult>;
  /** With all of its deliveries. */
  removeSubscriber(id: string): Promise<void>;
  openDeliveries(of: { subscriberId: string; limit: number }): Promise<Delivery[]>;
  deliveryOf(message: { subscriberId: string; messageId: string }): Promise<Delivery | undefined>;
  surfaceAccount(person: SurfacePerson): Promise<SurfaceAccount | undefined>;
  /** In the order of surface, account and person; there are few. */
  surfaceAccounts(): Promise<SurfaceAccount[]>;
  channelNote(name: ChannelNoteName): Promise<ChannelNote | undefined>;
  /** Those whose key begins so, of all channels, in the order of surface, account and key. */
  channelNotes(of: { keyPrefix: string; limit: number }): Promise<ChannelNote[]>;
  saveChannelNote(change: ChannelNoteChange): Promise<CommitResult>;
  saveSurfaceAccount(
    account: SurfaceAccountChange,
    audit: { atMs: number; actor: string; facts: AuditFact[] },
  ): Promise<CommitResult>;
};

/** Which plugin each command belongs to. */
export type CommandOwnerStore = {
  /** In the order of their roots; there are few. */
  commandOwners(): Promise<CommandOwner[]>;
  /** Conflict: the recorded owner is another by now, and nothing was written. */
  saveCommandOwner(
    change: OwnerChange,
    audit: { atMs: number; actor: string; facts: AuditFact[] },
  ): Promise<CommitResult>;
};

/** Passkeys, and the challenges that they answer. */
export type PasskeyStore = {
  /** Revoked ones too, in the order in which they were made; there are few. */
  passkeys(): Promise<StoredPasskey[]>;
  challenge(key: string): Promise<Challenge | undefined>;
  /** Conflict: somebody else was first, and nothing was written. */
  changePresence(
    change: PresenceChange,
    audit: { atMs: number; actor: string; facts: AuditFact[] },
  ): Promise<CommitResult>;
};

/** Documents that are found by terms. */
export type SearchStore = {
  searchDocument(place: { owner: string; key: string }): Promise<SearchDocument | undefined>;
  /** Conflict: another version is stored by now, and nothing was written. */
  saveSearchDocument(change: SearchChange): Promise<CommitResult>;
  searchDocuments(query: SearchQuery): Promise<Page<SearchDocument>>;
};

/** How long things are kept; absent: for good. */
export type Retention = { auditMs?: number };

export type Store = OrderPort &
  DeliveryStore &
  CommandOwnerStore &
  PasskeyStore &
  BlobStore &
  SearchStore & {
    /** Of a store that has a clock of its own, by which all nodes go; absent: the clock of this machine is the store's. */
    readonly time?: StoreTime;
    /** Commits are written by another thread: what this one does meanwhile delays none of them. */
    readonly hasWriterThread?: true;
    commit(commit: Commit): Promise<CommitResult>;
    /** Facts outside any session (configuration, tokens, backups) join the same chain. */
    audit(entry: { atMs: number; actor: string; facts: AuditFact[] }): Promise<CommitResult>;

    /** Only where other processes may commit as well. */
    subscribe?(subscriber: CommitSubscriber): () => void;
    /** Sends a text to present subscribers in other processes; it is not stored. At most PUBLISHED_BYTES_MAX. */
    publish?(text: string): Promise<void>;

    session(id: SessionId): Promise<StoredSession | undefined>;
    /**
     * Newest first by last change, a page at a time; the cost of a page does not grow with the number of sessions, so a
     * page of a search may be short, even empty, while `nextCursor` says that there is more to look at.
     */
    sessions(filter: SessionFilter, page: { cursor: string | null; limit: number }): Promise<Page<SessionRow>>;
    /** How many sessions that are not archived are in each mode, the normal one left out. */
    sessionModes(): Promise<Record<string, number>>;
    /** Durable events after a cursor, oldest first, of one session or of all. */
    events(after: { cursor: number; sessionId?: SessionId; limit: number }): Promise<StoredEvent[]>;
    /** Durable events of one session before a cursor (null: the newest), oldest first, at most `limit` of the newest. */
    eventsBefore(before: { cursor: number | null; sessionId: SessionId; limit: number }): Promise<StoredEvent[]>;
    lastCursor(): Promise<number>;
    /** Transcript entries with `from < n < before`, newest last, at most `limit` of the newest. */
    entries(range: {
      sessionId: SessionId;
      from: number;
      before: number | null;
      limit: number;
    }): Promise<StoredEvent[]>;
    /** Newest first. */
    artifacts(query: {
      kind: string;
      sessionId?: SessionId;
      cursor: string | null;
      limit: number;
    }): Promise<Page<StoredArtifact>>;
    artifact(kind: string, id: string): Promise<StoredArtifact | undefined>;

    pendingEffects(after: { id: number; limit: number }): Promise<PendingEffect[]>;
    effectDone(id: number): Promise<void>;
    /** Orders that were looked at and are not done, longest open first. */
    openOrders(page: { limit: number }): Promise<OpenOrder[]>;
    /** Timers due at or before a time, earliest first. */
    dueTimers(until: { atMs: number; limit: number }): Promise<DueTimer[]>;
    nextTimerAtMs(): Promise<number | undefined>;

    tokens(): Promise<OperatorToken[]>;
    /** A revocation is final: a row that was read before it and is written after it takes nothing of it back. */
    saveToken(token: OperatorToken, audit: { atMs: number; actor: string; facts: AuditFact[] }): Promise<CommitResult>;

    auditRows(page: { afterSeq: number; limit: number; sessionId?: SessionId }): Promise<AuditRow[]>;
    /** Rows before a number (null: the newest), oldest first, at most `limit` of the newest. */
    auditRowsBefore(page: { beforeSeq: number | null; limit: number; sessionId?: SessionId }): Promise<AuditRow[]>;
    verifyAudit(): Promise<AuditVerdict>;
    /**
     * Drops what may be forgotten: idempotency records, challenges and closed deliveries that are older than they are
     * kept, the events of deleted sessions, and what `keep` sets an end to; the audit chain stays verifiable.
     */
    prune(nowMs: number, keep?: Retention): Promise<void>;
    /** A consistent copy while the gateway runs; resolves with its size. */
    backup(path: string): Promise<{ bytes: number }>;
    health(): Promise<StoreHealth>;
    close(): Promise<void>;
  };

export type StoreHealth = {
  writable: boolean;
  detail: string;
  /** What was found damaged or altered since the start; absent: nothing. */
  damage?: string;
};
