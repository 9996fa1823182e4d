/** A commit as columns and JSON text: serialised once, before it travels to a thread or a server. */
import type { AuditFact } from "../../protocol/audit.ts";
import type { SessionEvent } from "../../protocol/session.ts";
import { auditBody, type Document } from "../audit-chain.ts";
import type { Commit, StoredEvent } from "../store.ts";
import { changesTimers } from "../timer-projection.ts";

export type SessionRecord = {
  agentId: string;
  kind: string;
  title: string;
  archived: number;
  createdAtMs: number;
  updatedAtMs: number;
  waiting: string | null;
  mode: string | null;
  doc: string;
};

export type SerialisedCommit = {
  sessionId: string;
  expectedVersion: number;
  recordOnly: boolean;
  atMs: number;
  /** Null deletes the row. */
  session: SessionRecord | null;
  events: string[];
  /** Beside each event: its number in the transcript, for those that are entries. */
  entryNumbers: (number | null)[];
  outbox: string[];
  artifacts: { kind: string; id: string; digest: string; body: string }[];
  /** Null leaves the session's timers as they are. */
  timers: { key: string; atMs: number; body: string }[] | null;
  audit: SerialisedAudit | null;
  idempotency: { principal: string; key: string; requestDigest: string; result: string } | null;
};

export type SerialisedAudit = { atMs: number; sessionId: string | null; actor: string; body: string };

export function serialised(commit: Commit): SerialisedCommit {
  const { sessionId, expectedVersion, recordOnly, atMs, actor, session, events, idempotency } = commit;
  return {
    sessionId,
    expectedVersion,
    recordOnly,
    atMs,
    session: session === undefined ? null : sessionRecord(commit, session),
    events: events.map((event) => JSON.stringify(event)),
    entryNumbers: events.map(entryNumber),
    outbox: commit.outbox.map((effect) => JSON.stringify(effect)),
    artifacts: commit.artifacts.map((artifact) => ({ ...artifact, body: JSON.stringify(artifact.body) })),
    timers: changesTimers(events) ? (session?.timers ?? []).map(timerRecord) : null,
    audit: serialisedAudit({ atMs, actor, facts: commit.audit, documents: documentsOf(commit) }, sessionId),
    idempotency: idempotency === undefined ? null : idempotencyRecord(idempotency),
  };
}

const documentsOf = ({ sessionId, artifacts }: Commit): Document[] =>
  artifacts.map((artifact) => ({ sessionId, ...artifact }));

export function serialisedAudit(
  { atMs, actor, facts, documents }: { atMs: number; actor: string; facts: AuditFact[]; documents?: Document[] },
  sessionId: string | null,
): SerialisedAudit | null {
  const body = auditBody(facts, documents);
  return body === undefined ? null : { atMs, sessionId, actor: plain(actor), body };
}

export function storedEvents(commit: Commit, cursors: readonly number[]): StoredEvent[] {
  const { sessionId, atMs } = commit;
  return commit.events.map((event, index) => ({ cursor: cursors[index] ?? 0, sessionId, atMs, event }));
}

function sessionRecord({ waiting, mode = null }: Commit, session: NonNullable<Commit["session"]>): SessionRecord {
  const { agentId, kind, title, archived, createdAtMs, updatedAtMs } = session;
  return {
    agentId: plain(agentId),
    kind,
    title: plain(title),
    archived: Number(archived),
    createdAtMs,
    updatedAtMs,
    waiting: waiting === null ? null : JSON.stringify(waiting),
    mode: mode === null ? null : plain(mode),
    doc: JSON.stringify(session),
  };
}

const entryNumber = (event: SessionEvent): number | null => (event.type === "entry.appended" ? event.n : null);

const timerRecord = (timer: NonNullable<Commit["session"]>["timers"][number]) => ({
  key: plain(timer.key),
  atMs: timer.atMs,
  body: JSON.stringify(timer),
});

const idempotencyRecord = (given: NonNullable<Commit["idempotency"]>) => ({
  principal: plain(given.principal),
  key: plain(given.key),
  requestDigest: given.requestDigest,
  result: JSON.stringify(given.result ?? null),
});

/** PostgreSQL takes no NUL and neither takes half of a surrogate pair; in JSON text both are escaped and stay. */
const plain = (text: string): string => text.replaceAll("\0", "\ufffd").toWellFormed();
