/** The reads that SQLite and PostgreSQL share: same tables, same words, same order. */
import type { AuditRow } from "../../protocol/audit.ts";
import type { SessionId } from "../../protocol/ids.ts";
import { type NumberedArtifact, listArtifacts } from "../list/artifact-list.ts";
import type { AuditHead } from "../audit/audit-chain.ts";
import { verifyChain } from "../audit/audit-verify.ts";
import { pageLimit } from "../list/page.ts";
import { type ListKey, listSessions, type RowFilter } from "../list/session-list.ts";
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
import type { DamageLog } from "../damage-log.ts";
import { fromStored } from "../stored-json.ts";
import type { OpenOrder } from "../order-lane.ts";
import { storedEffect } from "../stored-effect.ts";
import { tokenColumns } from "./serialise.ts";
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

export function sqlReads(query: Query, damage: DamageLog): SqlReads {
  return {
    ...sessionReads(query, damage),
    ...eventReads(query, damage),
    ...artifactReads(query, damage),
    ...workReads(query, damage),
    ...tokenReads(query, damage),
    ...auditReads(query),
  };
}

function sessionReads(query: Query, damage: DamageLog): Pick<SqlReads, "session" | "sessions" | "sessionModes"> {
  return {
    async session(id) {
      const [row] = await query<SessionDocument>(sql`SELECT version, doc, checksum FROM sessions WHERE id = ${id}`);
      return row === undefined ? undefined : storedSession(id, row, damage);
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

export type SessionDocument = { version: number; doc: string; checksum: number | null };

export function storedSession(id: SessionId, row: SessionDocument, damage: DamageLog): StoredSession {
  const { version, doc, checksum } = row;
  damage.check({ table: "sessions", name: id, checksum, columns: [id, version, doc] });
  return { session: fromStored<StoredSession["session"]>(doc), version };
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

type EventColumns = Omit<StoredEvent, "event"> & { body: string; checksum: number | null };

const EVENT_COLUMNS = sql`cursor, session_id AS "sessionId", at_ms AS "atMs", body, checksum`;

function eventReads(
  query: Query,
  damage: DamageLog,
): Pick<SqlReads, "events" | "eventsBefore" | "lastCursor" | "entries"> {
  function storedEvent({ body, checksum, ...row }: EventColumns): StoredEvent {
    const columns = [row.sessionId, row.atMs, body];
    damage.check({ table: "events", name: `${row.cursor} of ${row.sessionId}`, checksum, columns });
    return { ...row, event: fromStored<StoredEvent["event"]>(body) };
  }

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

type ArtifactColumns = Omit<StoredArtifact, "body"> & { seq: number; body: string; checksum: number | null };

function numberedArtifact({ seq, body, ...rest }: ArtifactColumns): NumberedArtifact {
  const { checksum: _checksum, ...row } = rest;
  return { seq, artifact: { ...row, body: fromStored<StoredArtifact["body"]>(body) } };
}

const ARTIFACT_COLUMNS = sql`seq, session_id AS "sessionId", kind, id, digest, body, at_ms AS "atMs", checksum`;

/** Without a damage log nothing is compared: the audit chain compares documents in its own way. */
function artifactReads(query: Query, damage?: DamageLog): Pick<SqlReads, "artifacts" | "artifact"> {
  function checked(row: ArtifactColumns): NumberedArtifact {
    const { sessionId, kind, id, digest, body, atMs, checksum } = row;
    const columns = [kind, id, sessionId, digest, body, atMs];
    damage?.check({ table: "artifacts", name: `${kind} ${id}`, checksum, columns });
    return numberedArtifact(row);
  }

  return {
    artifacts: ({ kind, sessionId, ...page }) =>
      listArtifacts(async (below, limit) => {
        const whose = sessionId === undefined ? sql`` : sql`session_id = ${sessionId} AND`;
        const rows = await query<ArtifactColumns>(
          sql`SELECT ${ARTIFACT_COLUMNS} FROM artifacts WHERE kind = ${kind} AND ${whose}
            seq < ${below ?? Number.MAX_SAFE_INTEGER} ORDER BY seq DESC LIMIT ${limit}`,
        );
        return rows.map(checked);
      }, page),
    async artifact(kind, id) {
      const [row] = await query<ArtifactColumns>(
        sql`SELECT ${ARTIFACT_COLUMNS} FROM artifacts WHERE kind = ${kind} AND id = ${id}`,
      );
      return row === undefined ? undefined : checked(row).artifact;
    },
  };
}

type EffectColumns = Omit<PendingEffect, "effect"> & { body: string; checksum: number | null };
type TimerColumns = {
  sessionId: DueTimer["sessionId"];
  key: string;
  atMs: number;
  body: string;
  checksum: number | null;
};

type OpenColumns = Omit<OpenOrder, "work"> & { body: string };

function openOrders(rows: OpenColumns[]): OpenOrder[] {
  return rows.flatMap(({ body, ...row }) => {
    const work = storedEffect(body);
    return work.kind === "perform" ? [{ ...row, work }] : [];
  });
}

/** A damaged row is not acted on, and must not keep the others from being read: it stays, and health names it. */
function workReads(
  query: Query,
  damage: DamageLog,
): Pick<SqlReads, "pendingEffects" | "openOrders" | "dueTimers" | "nextTimerAtMs"> {
  const isSoundEffect = ({ id, sessionId, body, checksum }: EffectColumns): boolean =>
    damage.isSound({ table: "outbox", name: `${id} of ${sessionId}`, checksum, columns: [sessionId, body] });
  const isSoundTimer = ({ sessionId, key, atMs, body, checksum }: TimerColumns): boolean =>
    damage.isSound({
      table: "timers",
      name: `${key} of ${sessionId}`,
      checksum,
      columns: [sessionId, key, atMs, body],
    });
  return {
    async pendingEffects({ id, limit }) {
      const rows = await query<EffectColumns>(
        sql`SELECT id, session_id AS "sessionId", body, checksum FROM outbox WHERE id > ${id} ORDER BY id
          LIMIT ${pageLimit(limit)}`,
      );
      return rows
        .filter(isSoundEffect)
        .map(({ id: number, sessionId, body }) => ({ id: number, sessionId, effect: storedEffect(body) }));
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
        sql`SELECT session_id AS "sessionId", key, at_ms AS "atMs", body, checksum FROM timers WHERE at_ms <= ${atMs} ORDER BY at_ms
          LIMIT ${pageLimit(limit)}`,
      );
      return rows
        .filter(isSoundTimer)
        .map(({ sessionId, body }) => ({ sessionId, timer: fromStored<DueTimer["timer"]>(body) }));
    },
    async nextTimerAtMs() {
      const [row] = await query<{ atMs: number | null }>(sql`SELECT min(at_ms) AS "atMs" FROM timers`);
      return row?.atMs ?? undefined;
    },
  };
}

type TokenColumns = Omit<OperatorToken, "scopes" | "device"> & {
  scopes: string;
  device: string | null;
  checksum: number | null;
};

function tokenOf({ scopes, device, ...rest }: TokenColumns): OperatorToken {
  const { checksum: _checksum, ...token } = rest;
  const login = device === null ? null : fromStored<Device>(device);
  return { ...token, scopes: fromStored<OperatorToken["scopes"]>(scopes), device: login };
}

/** A token whose row is damaged is nobody's: it is left out, so that it proves nothing. */
function tokenReads(query: Query, damage: DamageLog): Pick<SqlReads, "tokens"> {
  const isSound = ({ checksum, ...token }: TokenColumns): boolean =>
    damage.isSound({ table: "tokens", name: token.id, checksum, columns: tokenColumns(token) });
  return {
    async tokens() {
      const found = await query<TokenColumns>(
        sql`SELECT id, name, token_hash AS "tokenHash", scopes, created_at_ms AS "createdAtMs",
          revoked_at_ms AS "revokedAtMs", device, checksum FROM tokens ORDER BY created_at_ms, id`,
      );
      return found.filter(isSound).map(tokenOf);
    },
  };
}

const ofSession = (id: string | undefined): Statement => (id === undefined ? sql`` : sql`session_id = ${id} AND`);

function auditReads(query: Query): Pick<SqlReads, "auditRows" | "auditRowsBefore" | "verifyAudit"> {
  const columns = sql`seq, at_ms AS "atMs", session_id AS "sessionId", actor, body, prev_hash AS "prevHash", hash`;
  const rows = (afterSeq: number, limit: number, whose = sql``): Promise<AuditRow[]> =>
    query<AuditRow>(sql`SELECT ${columns} FROM audit WHERE ${whose} seq > ${afterSeq} ORDER BY seq LIMIT ${limit}`);
  return {
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
