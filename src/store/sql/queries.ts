/** The reads that SQLite and PostgreSQL share: same tables, same words, same order. */
import type { AuditRow } from "../../protocol/audit.ts";
import { type NumberedArtifact, listArtifacts } from "../artifact-list.ts";
import type { AuditHead } from "../audit-chain.ts";
import { verifyChain } from "../audit-verify.ts";
import { pageLimit } from "../page.ts";
import { type ListKey, listSessions, type RowFilter } from "../session-list.ts";
import type {
  Device,
  DueTimer,
  OperatorToken,
  PendingEffect,
  SessionRow,
  Store,
  StoredArtifact,
  StoredEvent,
  StoredSession,
} from "../store.ts";
import { fromStored } from "../stored-json.ts";
import type { OpenOrder } from "../order-lane.ts";
import { storedEffect } from "../stored-effect.ts";
import { sql, type Statement } from "./statement.ts";

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- a query names the row that its columns make
export type Query = <Row>(statement: Statement) => Promise<Row[]>;

export type SqlReads = Pick<
  Store,
  | "session"
  | "sessions"
  | "sessionModes"
  | "events"
  | "eventsBefore"
  | "lastCursor"
  | "entries"
  | "artifacts"
  | "artifact"
  | "pendingEffects"
  | "openOrders"
  | "dueTimers"
  | "nextTimerAtMs"
  | "tokens"
  | "auditRows"
  | "auditRowsBefore"
  | "verifyAudit"
>;

export function sqlReads(query: Query): SqlReads {
  return {
    ...sessionReads(query),
    ...eventReads(query),
    ...artifactReads(query),
    ...workReads(query),
    ...auditReads(query),
  };
}

function sessionReads(query: Query): Pick<SqlReads, "session" | "sessions" | "sessionModes"> {
  return {
    async session(id) {
      const [row] = await query<{ version: number; doc: string }>(
        sql`SELECT version, doc FROM sessions WHERE id = ${id}`,
      );
      return row === undefined
        ? undefined
        : { session: fromStored<StoredSession["session"]>(row.doc), version: row.version };
    },
    sessions: (filter, page) =>
      listSessions(
        async (asked, below, limit) => {
          const rows = await query<SessionColumns>(sessionsBelow(asked, below, limit));
          return rows.map(sessionRow);
        },
        filter,
        page,
      ),
    async sessionModes() {
      const rows = await query<{ mode: string; count: number | string }>(
        sql`SELECT mode, count(*) AS count FROM sessions WHERE mode IS NOT NULL AND archived = 0 GROUP BY mode`,
      );
      return Object.fromEntries(rows.map(({ mode, count }) => [mode, Number(count)]));
    },
  };
}

type SessionColumns = Omit<SessionRow, "archived" | "waiting"> & { archived: number; waiting: string | null };

const sessionRow = ({ archived, waiting, ...row }: SessionColumns): SessionRow => ({
  ...row,
  archived: archived === 1,
  waiting: waiting === null ? null : fromStored<SessionRow["waiting"]>(waiting),
});

const SESSION_COLUMNS = sql`id, agent_id AS "agentId", kind, title, archived, created_at_ms AS "createdAtMs",
  updated_at_ms AS "updatedAtMs", waiting, mode`;

/** Each of these walks one index from a place downwards and stops at the limit, however many sessions there are. */
export function sessionsBelow(filter: RowFilter, below: ListKey | null, limit: number): Statement {
  const place = below ?? { updatedAtMs: Number.MAX_SAFE_INTEGER, id: "" };
  const rest = sql`(updated_at_ms, id) < (${place.updatedAtMs}, ${place.id})
    ORDER BY updated_at_ms DESC, id DESC LIMIT ${limit}`;
  if (filter.waiting === true) {
    const kept = filter.archived === undefined ? sql`` : sql`archived = ${Number(filter.archived)} AND`;
    return sql`SELECT ${SESSION_COLUMNS} FROM sessions WHERE waiting IS NOT NULL AND ${kept} ${rest}`;
  }
  const idle = filter.waiting === false ? sql`waiting IS NULL AND` : sql``;
  const where = (archived: number): Statement =>
    sql`SELECT ${SESSION_COLUMNS} FROM sessions WHERE archived = ${archived} AND ${idle} ${rest}`;
  if (filter.archived !== undefined) return where(Number(filter.archived));
  return sql`SELECT * FROM (${where(0)}) AS kept UNION ALL SELECT * FROM (${where(1)}) AS archived
    ORDER BY "updatedAtMs" DESC, id DESC LIMIT ${limit}`;
}

type EventColumns = Omit<StoredEvent, "event"> & { body: string };

const storedEvent = ({ body, ...row }: EventColumns): StoredEvent => ({
  ...row,
  event: fromStored<StoredEvent["event"]>(body),
});

const EVENT_COLUMNS = sql`cursor, session_id AS "sessionId", at_ms AS "atMs", body`;

function eventReads(query: Query): Pick<SqlReads, "events" | "eventsBefore" | "lastCursor" | "entries"> {
  return {
    async events({ cursor, sessionId, limit }) {
      const whose = sessionId === undefined ? sql`` : sql`session_id = ${sessionId} AND`;
      const rows = await query<EventColumns>(
        sql`SELECT ${EVENT_COLUMNS} FROM events WHERE ${whose} cursor > ${cursor} ORDER BY cursor
          LIMIT ${pageLimit(limit)}`,
      );
      return rows.map(storedEvent);
    },
    async eventsBefore({ cursor, sessionId, limit }) {
      const rows = await query<EventColumns>(
        sql`SELECT ${EVENT_COLUMNS} FROM events WHERE session_id = ${sessionId}
          AND cursor < ${cursor ?? Number.MAX_SAFE_INTEGER} ORDER BY cursor DESC LIMIT ${pageLimit(limit)}`,
      );
      return rows.map(storedEvent).toReversed();
    },
    async lastCursor() {
      const [row] = await query<{ cursor: number | null }>(sql`SELECT max(cursor) AS cursor FROM events`);
      return row?.cursor ?? 0;
    },
    async entries({ sessionId, from, before, limit }) {
      const rows = await query<EventColumns>(
        sql`SELECT ${EVENT_COLUMNS} FROM events WHERE session_id = ${sessionId} AND entry_n > ${from}
          AND entry_n < ${before ?? Number.MAX_SAFE_INTEGER} ORDER BY entry_n DESC LIMIT ${pageLimit(limit)}`,
      );
      return rows.map(storedEvent).toReversed();
    },
  };
}

type ArtifactColumns = Omit<StoredArtifact, "body"> & { seq: number; body: string };

const numberedArtifact = ({ seq, body, ...row }: ArtifactColumns): NumberedArtifact => ({
  seq,
  artifact: { ...row, body: fromStored<StoredArtifact["body"]>(body) },
});

const ARTIFACT_COLUMNS = sql`seq, session_id AS "sessionId", kind, id, digest, body, at_ms AS "atMs"`;

function artifactReads(query: Query): Pick<SqlReads, "artifacts" | "artifact"> {
  return {
    artifacts: ({ kind, sessionId, ...page }) =>
      listArtifacts(async (below, limit) => {
        const whose = sessionId === undefined ? sql`` : sql`session_id = ${sessionId} AND`;
        const rows = await query<ArtifactColumns>(
          sql`SELECT ${ARTIFACT_COLUMNS} FROM artifacts WHERE kind = ${kind} AND ${whose}
            seq < ${below ?? Number.MAX_SAFE_INTEGER} ORDER BY seq DESC LIMIT ${limit}`,
        );
        return rows.map(numberedArtifact);
      }, page),
    async artifact(kind, id) {
      const [row] = await query<ArtifactColumns>(
        sql`SELECT ${ARTIFACT_COLUMNS} FROM artifacts WHERE kind = ${kind} AND id = ${id}`,
      );
      return row === undefined ? undefined : numberedArtifact(row).artifact;
    },
  };
}

type EffectColumns = Omit<PendingEffect, "effect"> & { body: string };
type TimerColumns = { sessionId: DueTimer["sessionId"]; body: string };

type OpenColumns = Omit<OpenOrder, "work"> & { body: string };

function openOrders(rows: OpenColumns[]): OpenOrder[] {
  return rows.flatMap(({ body, ...row }) => {
    const work = storedEffect(body);
    return work.kind === "perform" ? [{ ...row, work }] : [];
  });
}

function workReads(query: Query): Pick<SqlReads, "pendingEffects" | "openOrders" | "dueTimers" | "nextTimerAtMs"> {
  return {
    async pendingEffects({ id, limit }) {
      const rows = await query<EffectColumns>(
        sql`SELECT id, session_id AS "sessionId", body FROM outbox WHERE id > ${id} ORDER BY id
          LIMIT ${pageLimit(limit)}`,
      );
      return rows.map(({ body, ...row }) => ({ ...row, effect: storedEffect(body) }));
    },
    async openOrders({ limit }) {
      const rows = await query<OpenColumns>(
        sql`SELECT outbox.id, outbox.session_id AS "sessionId", body, status, attempts, failures, since_ms AS "sinceMs",
          next_at_ms AS "nextAtMs", last_error AS "lastError" FROM order_lanes JOIN outbox ON outbox.id = order_id
          ORDER BY since_ms, order_id LIMIT ${pageLimit(limit)}`,
      );
      return openOrders(rows);
    },
    async dueTimers({ atMs, limit }) {
      const rows = await query<TimerColumns>(
        sql`SELECT session_id AS "sessionId", body FROM timers WHERE at_ms <= ${atMs} ORDER BY at_ms
          LIMIT ${pageLimit(limit)}`,
      );
      return rows.map(({ sessionId, body }) => ({ sessionId, timer: fromStored<DueTimer["timer"]>(body) }));
    },
    async nextTimerAtMs() {
      const [row] = await query<{ atMs: number | null }>(sql`SELECT min(at_ms) AS "atMs" FROM timers`);
      return row?.atMs ?? undefined;
    },
  };
}

type TokenColumns = Omit<OperatorToken, "scopes" | "device"> & { scopes: string; device: string | null };

const ofSession = (id: string | undefined): Statement => (id === undefined ? sql`` : sql`session_id = ${id} AND`);

function auditReads(query: Query): Pick<SqlReads, "tokens" | "auditRows" | "auditRowsBefore" | "verifyAudit"> {
  const columns = sql`seq, at_ms AS "atMs", session_id AS "sessionId", actor, body, prev_hash AS "prevHash", hash`;
  const rows = (afterSeq: number, limit: number, whose = sql``): Promise<AuditRow[]> =>
    query<AuditRow>(sql`SELECT ${columns} FROM audit WHERE ${whose} seq > ${afterSeq} ORDER BY seq LIMIT ${limit}`);
  return {
    async tokens() {
      const found = await query<TokenColumns>(
        sql`SELECT id, name, token_hash AS "tokenHash", scopes, created_at_ms AS "createdAtMs",
          revoked_at_ms AS "revokedAtMs", device FROM tokens ORDER BY created_at_ms, id`,
      );
      return found.map(({ scopes, device, ...token }) => ({
        ...token,
        scopes: fromStored<OperatorToken["scopes"]>(scopes),
        device: device === null ? null : fromStored<Device>(device),
      }));
    },
    auditRows: ({ afterSeq, limit, sessionId }) => rows(afterSeq, pageLimit(limit), ofSession(sessionId)),
    async auditRowsBefore({ beforeSeq, limit, sessionId }) {
      const found = await query<AuditRow>(
        sql`SELECT ${columns} FROM audit WHERE ${ofSession(sessionId)} seq < ${beforeSeq ?? Number.MAX_SAFE_INTEGER}
          ORDER BY seq DESC LIMIT ${pageLimit(limit)}`,
      );
      return found.toReversed();
    },
    verifyAudit: () =>
      verifyChain({
        rows,
        async head() {
          const [head] = await query<AuditHead>(sql`SELECT seq, hash FROM audit_head`);
          if (head === undefined) throw new Error("the store has no audit head");
          return head;
        },
        document: artifactReads(query).artifact,
      }),
  };
}
