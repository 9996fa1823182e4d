/**
 * The store without a disk, for tests and for `holdpoint/testing`. Same rules as the others: everything that goes in or
 * comes out is a copy, so nobody can change a stored state by holding on to it.
 */
import type { Waiting } from "../../core/slice.ts";
import type { AuditFact, AuditRow } from "../../protocol/audit.ts";
import type { Session } from "../../protocol/session.ts";
import { type NumberedArtifact, listArtifacts } from "../list/artifact-list.ts";
import { type AuditHead, auditBody, chained, type Document, EMPTY_CHAIN } from "../audit/audit-chain.ts";
import { verifyChain } from "../audit/audit-verify.ts";
import type { CommandOwner, OwnerChange } from "../command-owners.ts";
import { CHALLENGES_KEPT_MS } from "../passkeys.ts";
import { pageLimit } from "../list/page.ts";
import type { DeliveryStore, PasskeyStore } from "../store.ts";
import { type ListKey, listSessions, type RowFilter } from "../list/session-list.ts";
import type {
  Commit,
  CommitResult,
  DueTimer,
  Idempotency,
  OperatorToken,
  PendingEffect,
  SessionRow,
  SearchStore,
  Store,
  StoredEvent,
  StoredSession,
} from "../store.ts";
import { IDEMPOTENCY_KEPT_MS } from "../store.ts";
import {
  changeLane,
  keyPlace,
  type OpenOrder,
  type OrderAnswer,
  type OrderAsk,
  type OrderLane,
  type OrderPort,
  orderPort,
} from "../order-lane.ts";
import { storedEffect } from "../stored-effect.ts";
import { fromStored } from "../stored-json.ts";
import { changesTimers } from "../timer-projection.ts";
import type { BlobStore } from "../blobs.ts";
import { type BlobMemory, blobPort, emptyBlobs, pruneBlobs } from "./memory-blobs.ts";
import { emptySearch, saveSearchDocument, type SearchMemory, searchReads } from "./memory-search.ts";
import { changePresence, emptyPasskeys, type PasskeyMemory, passkeyReads } from "./memory-passkeys.ts";
import {
  type DeliveryMemory,
  deliveryReads,
  emptyDeliveries,
  pruneDeliveries,
  saveSubscriber,
  setNote,
  setAccount,
} from "./memory-deliveries.ts";
import { DELETED_KEPT_MS, lastToTrim, REMOVED_KINDS, removedFact, RETENTION_ACTOR, trimmedFact } from "../retention.ts";

/** What a disk would hold. Handing the same one to a second store is what opening it again is for the others. */
export type Memory = DeliveryMemory &
  BlobMemory &
  SearchMemory &
  PasskeyMemory & {
    sessions: Map<string, StoredSession & { waiting: Waiting | null; mode: string | null }>;
    events: StoredEvent[];
    outbox: PendingEffect[];
    effects: number;
    /** By session and slice. */
    lanes: Map<string, OrderLane>;
    timers: DueTimer[];
    artifacts: NumberedArtifact[];
    idempotency: Map<string, Idempotency & { atMs: number }>;
    tokens: Map<string, OperatorToken>;
    owners: Map<string, CommandOwner>;
    audit: AuditRow[];
    head: AuditHead;
    /** When each was deleted. */
    deleted: Map<string, number>;
    /** The last audit row that was trimmed. */
    trimmed: AuditHead;
  };

export const emptyMemory = (): Memory => ({
  sessions: new Map(),
  events: [],
  outbox: [],
  effects: 0,
  lanes: new Map(),
  timers: [],
  artifacts: [],
  idempotency: new Map(),
  tokens: new Map(),
  deleted: new Map(),
  trimmed: EMPTY_CHAIN,
  owners: new Map(),
  audit: [],
  head: EMPTY_CHAIN,
  ...emptyDeliveries(),
  ...emptyPasskeys(),
  ...emptyBlobs(),
  ...emptySearch(),
});

export function openMemoryStore(memory: Memory = emptyMemory()): Store {
  let closed = false;
  const unlessClosed = async (work: () => CommitResult): Promise<CommitResult> => (closed ? CLOSED : work());
  return {
    ...reads(memory),
    ...deliveryReads(memory),
    ...passkeyReads(memory),
    saveSubscriber: (change) => unlessClosed(() => saveSubscriber(memory, change)),
    saveChannelNote: (note) =>
      unlessClosed(() => {
        if (!setNote(memory, note)) return { status: "conflict" };
        return { status: "committed", version: 0, events: [] };
      }),
    saveSurfaceAccount: (account, entry) =>
      unlessClosed(() => {
        setAccount(memory, account);
        return appendAudit(memory, { ...entry, sessionId: null });
      }),
    commit: (commit) => unlessClosed(() => commitTo(memory, copy(commit))),
    audit: (entry) => unlessClosed(() => appendAudit(memory, { ...entry, sessionId: null })),
    saveToken: (token, entry) =>
      unlessClosed(() => {
        memory.tokens.set(token.id, keepRevoked(memory.tokens.get(token.id), copy(token)));
        return appendAudit(memory, { ...entry, sessionId: null });
      }),
    saveCommandOwner: (change, entry) =>
      unlessClosed(() =>
        setOwner(memory, change) ? appendAudit(memory, { ...entry, sessionId: null }) : { status: "conflict" },
      ),
    changePresence: (change, entry) =>
      unlessClosed(() =>
        changePresence(memory, change) ? appendAudit(memory, { ...entry, sessionId: null }) : { status: "conflict" },
      ),
    async effectDone(id) {
      if (!closed) memory.outbox = memory.outbox.filter((pending) => pending.id !== id);
    },
    ...orderPort(async (ask) => {
      if (closed) throw new Error(CLOSED.failure.message);
      return askOrder(memory, ask);
    }),
    ...blobPort(memory, () => closed),
    ...searchReads(memory),
    saveSearchDocument: (change) => unlessClosed(() => saveSearchDocument(memory, change)),
    async prune(nowMs, keep = {}) {
      pruneBlobs(memory, nowMs);
      for (const [place, { atMs }] of memory.idempotency)
        if (atMs < nowMs - IDEMPOTENCY_KEPT_MS) memory.idempotency.delete(place);
      for (const [key, { atMs }] of memory.challenges)
        if (atMs < nowMs - CHALLENGES_KEPT_MS) memory.challenges.delete(key);
      pruneDeliveries(memory, nowMs);
      purgeDeleted(memory, nowMs);
      if (keep.auditMs !== undefined) trimAudit(memory, nowMs, nowMs - keep.auditMs);
    },
    async backup() {
      throw new Error("A store in memory has nothing to back up. Use a state folder or PostgreSQL.");
    },
    health: async () => ({ writable: !closed, detail: closed ? "closed" : "in memory: nothing survives a restart" }),
    async close() {
      closed = true;
    },
  };
}

const CLOSED: Extract<CommitResult, { status: "failed" }> = {
  status: "failed",
  failure: { reason: "closed", outcome: "nothing-written", message: "The store is closed." },
};

function commitTo(memory: Memory, commit: Commit): CommitResult {
  const { idempotency, sessionId } = commit;
  const known = idempotency === undefined ? undefined : memory.idempotency.get(placeOf(idempotency));
  if (known !== undefined) {
    if (known.requestDigest !== idempotency?.requestDigest) return { status: "key-reused" };
    return { status: "replayed", result: copy(known.result) };
  }
  const version = memory.sessions.get(sessionId)?.version ?? 0;
  if (!commit.recordOnly && version !== commit.expectedVersion) return { status: "conflict" };
  if (idempotency !== undefined) memory.idempotency.set(placeOf(idempotency), { ...idempotency, atMs: commit.atMs });
  if (commit.recordOnly) return { status: "committed", version, events: [] };
  return { status: "committed", version: version + 1, events: copy(write(memory, commit, version + 1)) };
}

/** All of it, or an exception before the first line: nothing here can fail half-way. */
function write(memory: Memory, commit: Commit, version: number): StoredEvent[] {
  const { sessionId, session, atMs, waiting, mode = null } = commit;
  if (session === undefined) {
    memory.sessions.delete(sessionId);
    memory.deleted.set(sessionId, atMs);
  } else memory.sessions.set(sessionId, { session, version, waiting, mode });
  const first = (memory.events.at(-1)?.cursor ?? 0) + 1;
  const events = commit.events.map((event, index) => ({ cursor: first + index, sessionId, atMs, event }));
  memory.events.push(...events);
  for (const effect of commit.outbox) memory.outbox.push({ id: ++memory.effects, sessionId, effect });
  for (const artifact of commit.artifacts) addArtifact(memory, { seq: 0, artifact: { sessionId, ...artifact, atMs } });
  if (changesTimers(commit.events)) {
    const others = memory.timers.filter((due) => due.sessionId !== sessionId);
    memory.timers = [...others, ...(session?.timers ?? []).map((timer) => ({ sessionId, timer }))];
  }
  const documents = commit.artifacts.map((artifact) => ({ sessionId, ...artifact }));
  appendAudit(memory, { atMs, actor: commit.actor, facts: commit.audit, documents, sessionId });
  return events;
}

function addArtifact({ artifacts }: Memory, { artifact }: NumberedArtifact): void {
  const there = artifacts.some((old) => old.artifact.kind === artifact.kind && old.artifact.id === artifact.id);
  if (!there) artifacts.push({ seq: artifacts.length + 1, artifact }); // the first one is kept
}

function setOwner({ owners }: Memory, { pluginId, was, ...owned }: OwnerChange): boolean {
  if ((owners.get(owned.root)?.pluginId ?? null) !== was) return false;
  if (pluginId === null) owners.delete(owned.root);
  else owners.set(owned.root, { ...owned, pluginId });
  return true;
}

type Entry = { atMs: number; actor: string; sessionId: string | null; facts: AuditFact[]; documents?: Document[] };

function appendAudit(memory: Memory, { facts, documents, ...entry }: Entry): CommitResult {
  const body = auditBody(facts, documents);
  if (body !== undefined) {
    const row = chained(memory.head, { ...entry, body });
    memory.audit.push(row);
    memory.head = { seq: row.seq, hash: row.hash };
  }
  return { status: "committed", version: 0, events: [] };
}

function purgeDeleted(memory: Memory, nowMs: number): void {
  const newest = memory.events.at(-1);
  for (const [sessionId, atMs] of memory.deleted) {
    if (atMs >= nowMs - DELETED_KEPT_MS) continue;
    memory.deleted.delete(sessionId);
    if (memory.sessions.has(sessionId)) continue;
    memory.events = memory.events.filter((row) => row.sessionId !== sessionId || row === newest);
    const goes = ({ artifact }: NumberedArtifact): boolean =>
      artifact.sessionId === sessionId && REMOVED_KINDS.includes(artifact.kind);
    const gone = memory.artifacts.filter(goes).map(({ artifact }) => artifact);
    memory.artifacts = memory.artifacts.filter((item) => !goes(item));
    if (gone.length > 0)
      appendAudit(memory, { atMs: nowMs, actor: RETENTION_ACTOR, sessionId, facts: [removedFact(gone)] });
  }
}

function trimAudit(memory: Memory, atMs: number, beforeMs: number): void {
  const last = lastToTrim(memory.audit, beforeMs, memory.trimmed);
  if (last === undefined) return;
  appendAudit(memory, { atMs, actor: RETENTION_ACTOR, sessionId: null, facts: [trimmedFact(last)] });
  memory.audit = memory.audit.filter(({ seq }) => seq > last.seq);
  memory.trimmed = last;
}

const ofSession = (sessionId: string | undefined) => (row: { sessionId: string | null }) =>
  sessionId === undefined || row.sessionId === sessionId;

type Writes =
  | "commit"
  | "audit"
  | "saveToken"
  | "saveCommandOwner"
  | "effectDone"
  | keyof OrderPort
  | "prune"
  | "backup";
type Reads = Omit<
  Store,
  Writes | "health" | "close" | keyof DeliveryStore | keyof PasskeyStore | keyof BlobStore | keyof SearchStore
>;

function reads(memory: Memory): Reads {
  return {
    async session(id) {
      const found = memory.sessions.get(id);
      return found === undefined ? undefined : copy({ session: found.session, version: found.version });
    },
    sessions: (filter, page) => listSessions(async (...asked) => rowsBelow(memory, ...asked), filter, page),
    sessionModes: async () => modesIn(memory),
    events: async ({ cursor, sessionId, limit }) =>
      copy(memory.events.filter((row) => row.cursor > cursor && ofSession(sessionId)(row)).slice(0, pageLimit(limit))),
    eventsBefore: async ({ cursor, sessionId, limit }) => {
      const before = memory.events.filter((row) => row.cursor < (cursor ?? Infinity) && ofSession(sessionId)(row));
      return copy(before.slice(-pageLimit(limit)));
    },
    commandOwners: async () => copy([...memory.owners.values()].toSorted((a, b) => (a.root < b.root ? -1 : 1))),
    lastCursor: async () => memory.events.at(-1)?.cursor ?? 0,
    entries: async ({ sessionId, from, before, limit }) => {
      const inRange = memory.events.filter(
        ({ event, ...row }) =>
          event.type === "entry.appended" &&
          row.sessionId === sessionId &&
          event.n > from &&
          event.n < (before ?? Infinity),
      );
      return copy(inRange.slice(-pageLimit(limit)));
    },
    artifacts: ({ kind, sessionId, ...page }) =>
      listArtifacts(async (below, limit) => {
        const rows = memory.artifacts.filter(
          ({ seq, artifact }) => artifact.kind === kind && ofSession(sessionId)(artifact) && seq < (below ?? Infinity),
        );
        return copy(rows.toReversed().slice(0, limit));
      }, page),
    artifact: async (kind, id) =>
      copy(memory.artifacts.find(({ artifact }) => artifact.kind === kind && artifact.id === id)?.artifact),
    pendingEffects: async ({ id, limit }) =>
      memory.outbox
        .filter((pending) => pending.id > id)
        .slice(0, pageLimit(limit))
        .map(readBack),
    openOrders: async ({ limit }) => copy(openOrders(memory)).slice(0, pageLimit(limit)),
    dueTimers: async ({ atMs, limit }) =>
      copy(byTime(memory.timers.filter(({ timer }) => timer.atMs <= atMs)).slice(0, pageLimit(limit))),
    nextTimerAtMs: async () => byTime(memory.timers)[0]?.timer.atMs,
    tokens: async () => copy([...memory.tokens.values()]),
    auditRows: async ({ afterSeq, limit, sessionId }) =>
      copy(memory.audit.filter((row) => row.seq > afterSeq && ofSession(sessionId)(row)).slice(0, pageLimit(limit))),
    auditRowsBefore: async ({ beforeSeq, limit, sessionId }) => {
      const before = memory.audit.filter((row) => row.seq < (beforeSeq ?? Infinity) && ofSession(sessionId)(row));
      return copy(before.slice(-pageLimit(limit)));
    },
    verifyAudit: () =>
      verifyChain({
        rows: async (afterSeq, limit) => memory.audit.filter((row) => row.seq > afterSeq).slice(0, limit),
        head: async () => memory.head,
        document: async (kind, id) =>
          memory.artifacts.find(({ artifact }) => artifact.kind === kind && artifact.id === id)?.artifact,
      }),
  };
}

/** As the other stores read it, rows of earlier versions included. */
const readBack = ({ effect, ...row }: PendingEffect): PendingEffect => ({
  ...row,
  effect: storedEffect(JSON.stringify(effect)),
});

function askOrder(memory: Memory, ask: OrderAsk): OrderAnswer {
  const lanePlace = JSON.stringify([ask.sessionId, ask.slice]);
  const key = ask.kind === "claim" || ask.kind === "done" ? ask.key : null;
  const place = key === null ? undefined : keyPlace(ask, key);
  const isThere = memory.outbox.some(({ id }) => id === ask.id);
  const isRepeated = place !== undefined && memory.idempotency.has(placeOf(place));
  const { answer, lane } = changeLane({ isThere, isRepeated, lane: memory.lanes.get(lanePlace) }, ask);
  if (lane === null) memory.lanes.delete(lanePlace);
  else if (lane !== undefined) memory.lanes.set(lanePlace, lane);
  if (ask.kind === "done") {
    memory.outbox = memory.outbox.filter(({ id }) => id !== ask.id);
    const record = { requestDigest: "", result: null, atMs: ask.atMs };
    if (place !== undefined) memory.idempotency.set(placeOf(place), { ...place, ...record });
  }
  return answer;
}

function openOrders({ lanes, outbox }: Memory): OpenOrder[] {
  return [...lanes.values()]
    .flatMap(({ orderId, node: _node, leaseUntilMs: _leaseUntilMs, ...lane }): OpenOrder[] => {
      const row = outbox.find(({ id }) => id === orderId);
      const work = row === undefined ? undefined : readBack(row).effect;
      if (row === undefined || work?.kind !== "perform") return [];
      return [{ ...lane, id: row.id, sessionId: row.sessionId, work }];
    })
    .toSorted((a, b) => a.sinceMs - b.sinceMs || a.id - b.id);
}

function rowsBelow({ sessions }: Memory, filter: RowFilter, ...[below, limit]: [ListKey | null, number]): SessionRow[] {
  return [...sessions.values()]
    .map(({ session, ...beside }) => rowOf(session, beside))
    .filter((row) => filter.archived === undefined || row.archived === filter.archived)
    .filter((row) => filter.waiting === undefined || (row.waiting !== null) === filter.waiting)
    .filter((row) => below === null || compare(row, below) > 0)
    .toSorted(compare)
    .slice(0, limit);
}

function rowOf(session: Session, { waiting, mode }: Pick<SessionRow, "waiting" | "mode">): SessionRow {
  const { id, agentId, kind, title, archived, createdAtMs, updatedAtMs } = session;
  return copy({ id, agentId, kind, title, archived, createdAtMs, updatedAtMs, waiting, mode });
}

function modesIn({ sessions }: Memory): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { session, mode } of sessions.values())
    if (mode !== null && !session.archived) counts[mode] = (counts[mode] ?? 0) + 1;
  return counts;
}

/** Last changed first; the id decides between equals, as the other stores' indexes do. */
function compare(a: ListKey, b: ListKey): number {
  if (a.updatedAtMs !== b.updatedAtMs) return b.updatedAtMs - a.updatedAtMs;
  if (a.id === b.id) return 0;
  return a.id < b.id ? 1 : -1;
}

const byTime = (timers: DueTimer[]): DueTimer[] => timers.toSorted((a, b) => a.timer.atMs - b.timer.atMs);
const placeOf = ({ principal, key }: Pick<Idempotency, "principal" | "key">): string =>
  JSON.stringify([principal, key]);

/** Through JSON, as a disk would: what JSON drops is dropped here too. */
const copy = <Value>(value: Value): Value => (value === undefined ? value : fromStored(JSON.stringify(value)));

/** A revocation is final: who writes a row that was read before it changes nothing. One who had left can still be revoked. */
function keepRevoked(stored: OperatorToken | undefined, token: OperatorToken): OperatorToken {
  const isFinal = stored !== undefined && stored.revokedAtMs !== null;
  const endsMore = token.revokedAtMs !== null && stored?.device?.left === true;
  return isFinal && !endsMore ? stored : token;
}
