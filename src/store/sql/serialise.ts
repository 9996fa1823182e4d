/** A commit as columns and JSON text: serialised once, before it travels to a thread or a server. */
import type { AuditFact } from "../../protocol/audit.ts";
import type { SessionEvent } from "../../protocol/session.ts";
import { keptText } from "../../protocol/kept-text.ts";
import { auditBody, type Document } from "../audit/audit-chain.ts";
import { type Checked, rowChecksum } from "../row-checksum.ts";
import type { Commit, OperatorToken, StoredEvent } from "../store.ts";
import { changesTimers } from "../timer-projection.ts";

/** The text of a session's document, or the bytes of that text. */
export type DocumentForm = string | Uint8Array;

export type SessionRecord<Form extends DocumentForm = string> = {
  agentId: string;
  kind: string;
  title: string;
  archived: number;
  createdAtMs: number;
  updatedAtMs: number;
  waiting: string | null;
  mode: string | null;
  doc: Form;
  checksum: number;
};

export type SerialisedCommit<Form extends DocumentForm = string> = {
  sessionId: string;
  expectedVersion: number;
  recordOnly: boolean;
  atMs: number;
  /** Null deletes the row. */
  session: SessionRecord<Form> | null;
  events: string[];
  /** Beside each event: its number in the transcript, for those that are entries. */
  entryNumbers: (number | null)[];
  eventChecksums: number[];
  outbox: string[];
  outboxChecksums: number[];
  artifacts: { kind: string; id: string; digest: string; body: string; checksum: number }[];
  /** Null leaves the session's timers as they are. */
  timers: { key: string; atMs: number; body: string; checksum: number }[] | null;
  audit: SerialisedAudit | null;
  idempotency: { principal: string; key: string; requestDigest: string; result: string; checksum: number } | null;
};

export type SerialisedAudit = { atMs: number; sessionId: string | null; actor: string; body: string };

/** How the document of a session is written. */
export type DocumentText<Form extends DocumentForm = string> = (session: NonNullable<Commit["session"]>) => Form;

/** From this length on a session's document is put together from kept texts; a shorter one is written in no time. */
const LARGE_CHARS = 16_384;
/** Large sessions that are remembered; the one that was not written longest is the first to be forgotten. */
const LARGE_MAX = 1_000;

/** Of one store: a session that was large when it was written last is taken for large. */
export function createDocumentText<Form extends DocumentForm = string>(
  writeLarge: DocumentText<Form | string> = keptText,
): DocumentText<Form | string> {
  const large = new Set<string>();
  return (session) => {
    const wasLarge = large.delete(session.id);
    const text = wasLarge ? writeLarge(session) : JSON.stringify(session);
    if (text.length < LARGE_CHARS) return text;
    large.add(session.id);
    const oldest = large.values().next().value;
    if (large.size > LARGE_MAX && oldest !== undefined) large.delete(oldest);
    return text;
  };
}

export function serialised(commit: Commit): SerialisedCommit;
export function serialised<Form extends DocumentForm>(
  commit: Commit,
  documentText: DocumentText<Form>,
): SerialisedCommit<Form>;
export function serialised(
  commit: Commit,
  documentText: DocumentText<DocumentForm> = JSON.stringify,
): SerialisedCommit<DocumentForm> {
  const { sessionId, expectedVersion, recordOnly, atMs, actor, session, idempotency } = commit;
  const events = commit.events.map((event) => JSON.stringify(event));
  const outbox = commit.outbox.map((effect) => JSON.stringify(effect));
  return {
    sessionId,
    expectedVersion,
    recordOnly,
    atMs,
    session: session === undefined ? null : sessionRecord(commit, session, documentText),
    events,
    entryNumbers: commit.events.map(entryNumber),
    eventChecksums: events.map((body) => rowChecksum("events", [sessionId, atMs, body])),
    outbox,
    outboxChecksums: outbox.map((body) => rowChecksum("outbox", [sessionId, body])),
    artifacts: commit.artifacts.map((artifact) => artifactRecord(commit, artifact)),
    timers: changesTimers(commit.events) ? (session?.timers ?? []).map((timer) => timerRecord(sessionId, timer)) : null,
    audit: serialisedAudit({ atMs, actor, facts: commit.audit, documents: documentsOf(commit) }, sessionId),
    idempotency: idempotency === undefined ? null : idempotencyRecord(idempotency),
  };
}

function artifactRecord({ sessionId, atMs }: Commit, { kind, id, digest, body }: Commit["artifacts"][number]) {
  const text = JSON.stringify(body);
  const checksum = rowChecksum("artifacts", [kind, id, sessionId, digest, text, atMs]);
  return { kind, id, digest, body: text, checksum };
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

function sessionRecord<Form extends DocumentForm>(
  commit: Commit,
  session: NonNullable<Commit["session"]>,
  documentText: DocumentText<Form>,
): SessionRecord<Form> {
  const { sessionId, expectedVersion, waiting, mode = null } = commit;
  const { agentId, kind, title, archived, createdAtMs, updatedAtMs } = session;
  const doc = documentText(session);
  return {
    agentId: plain(agentId),
    kind,
    title: plain(title),
    archived: Number(archived),
    createdAtMs,
    updatedAtMs,
    waiting: waiting === null ? null : JSON.stringify(waiting),
    mode: mode === null ? null : plain(mode),
    doc,
    checksum: rowChecksum("sessions", [sessionId, expectedVersion + 1, doc]),
  };
}

const entryNumber = (event: SessionEvent): number | null => (event.type === "entry.appended" ? event.n : null);

function timerRecord(sessionId: string, timer: NonNullable<Commit["session"]>["timers"][number]) {
  const [key, body] = [plain(timer.key), JSON.stringify(timer)];
  return { key, atMs: timer.atMs, body, checksum: rowChecksum("timers", [sessionId, key, timer.atMs, body]) };
}

function idempotencyRecord(given: NonNullable<Commit["idempotency"]>) {
  const { requestDigest } = given;
  const [principal, key, result] = [plain(given.principal), plain(given.key), JSON.stringify(given.result ?? null)];
  const checksum = rowChecksum("idempotency", [principal, key, requestDigest, result]);
  return { principal, key, requestDigest, result, checksum };
}

/** Orders keep a record without an answer and without a checksum. */
export function isSoundRecord(
  { principal, key }: { principal: string; key: string },
  row: Readonly<Record<string, unknown>>,
): boolean {
  const { request_digest: digest, result, checksum } = row;
  return (
    checksum === null ||
    Number(checksum) === rowChecksum("idempotency", [principal, key, String(digest), String(result)])
  );
}

type TokenRow = Omit<OperatorToken, "scopes" | "device"> & { scopes: string; device: string | null };

/** In the order of the table. */
export const tokenColumns = (row: TokenRow): Checked[] => [
  row.id,
  row.name,
  row.tokenHash,
  row.scopes,
  row.createdAtMs,
  row.revokedAtMs,
  row.device,
];

export function tokenRecord({ scopes, device, ...token }: OperatorToken): { columns: Checked[]; checksum: number } {
  const deviceText = device === null ? null : JSON.stringify(device);
  const columns = tokenColumns({ ...token, scopes: JSON.stringify(scopes), device: deviceText });
  return { columns, checksum: rowChecksum("tokens", columns) };
}

/** PostgreSQL takes no NUL and neither takes half of a surrogate pair; in JSON text both are escaped and stay. */
const plain = (text: string): string => text.replaceAll("\0", "\ufffd").toWellFormed();
