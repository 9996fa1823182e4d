/**
 * One commit as one statement: a single round trip, all or nothing. Only the parts that a commit has are in its text.
 *
 *   prior ──▶ ses ──▶ idem ──▶ ev · eff · art · timers ──▶ head ──▶ aud ──▶ word to all gateways
 *
 * The arrows are data dependencies, so they are also the order in which rows are locked: the session first, the head of
 * the audit chain, where all sessions meet, last. A version that has passed matches no row, and then nothing follows. A
 * key that somebody else is using at this moment fails the whole statement with a unique violation.
 */
import { accountChecksum } from "../sql/delivery-queries.ts";
import { tokenRecord } from "../sql/serialise.ts";
import type { SerialisedAudit, SerialisedCommit, SessionRecord } from "../sql/serialise.ts";
import type { OwnerChange } from "../command-owners.ts";
import type { SurfaceAccountChange } from "../deliveries.ts";
import type { OperatorToken } from "../store.ts";
import type { Asked } from "./connections.ts";

/** `form` distinguishes the ways in which a part of one name is written. */
export type Part = { name: string; text: string; form?: string };

/** Collects values and hands out their places. */
export function placing() {
  const values: unknown[] = [];
  return { values, put: (value: unknown, type: string): string => `$${values.push(value)}::${type}` };
}
export type Put = ReturnType<typeof placing>["put"];

/** Answers with `version` (null: nothing was written), `cursors`, and `digest` and `result` of an earlier use of the key. */
export function commitStatement(commit: SerialisedCommit, { publisher, isTimed }: CommitManner): Asked {
  const { values, put } = placing();
  const id = put(commit.sessionId, "text");
  const atMs = put(commit.atMs, "bigint");
  const keyed = commit.idempotency !== null;
  const gate = keyed ? "idem" : "ses";
  const given = { commit, put, id, atMs, gate };
  const session = sessionPart(given, isTimed ? `AND ${onTime(atMs)}` : "");
  const parts = [
    ...(keyed ? [prior(commit, put), session, remember(given)] : [session]),
    ...rowParts(given),
    ...(commit.audit === null ? [] : auditParts(commit.audit, put, chainGate(given))),
    ...(commit.events.length > 0 ? [word(given, publisher)] : []),
  ];
  const text = `WITH ${textOf(parts)} SELECT ${answersTo(commit)}`;
  return { name: `${nameOf(parts)}${isTimed ? ",t" : ""}`, text, values };
}

/** Beside the session: only those that the commit has. */
const rowParts = (given: Given): Part[] => {
  const { commit } = given;
  return [
    ...(commit.events.length > 0 ? [events(given)] : []),
    ...(commit.outbox.length > 0 ? [outbox(given)] : []),
    ...(commit.artifacts.length > 0 ? [artifacts(given)] : []),
    ...(commit.timers === null ? [] : timers(given, commit.timers)),
    ...(commit.session === null && commit.expectedVersion > 0 ? [deleted(given)] : []),
  ];
};

export type CommitManner = {
  publisher: Publisher;
  /** Whether a commit that was decided by another time than the server's is refused. */
  isTimed: boolean;
};

/** Longer than a commit is on its way; whoever was paused for longer must decide again, with the time that it is then. */
export const COMMIT_AGE_MS_MAX = 5_000;
export const onTime = (atMs: string): string =>
  `abs(extract(epoch FROM clock_timestamp()) * 1000 - ${atMs}) < ${COMMIT_AGE_MS_MAX}`;

const answersTo = ({ events: { length }, idempotency }: SerialisedCommit): string =>
  [
    "(SELECT version FROM ses) AS version",
    // PostgreSQL skips a CTE that nobody reads, so the notice is selected
    ...(length > 0
      ? ["(SELECT array_agg(cursor ORDER BY cursor) FROM ev) AS cursors", "(SELECT count(*) FROM word) AS told"]
      : []),
    ...(idempotency === null
      ? []
      : ["(SELECT request_digest FROM prior) AS digest", "(SELECT result FROM prior) AS result"]),
  ].join(", ");

/** The sender of the notice, and its channel. */
export type Publisher = { node: string; channel: string };

/** The server delivers the notice when the commit is visible, to every listener, in the order of commits. */
function word({ put, id }: Given, { node, channel }: Publisher): Part {
  const said = [put(node, "text"), id, "version", "low", "high"].join(" || ' ' || ");
  const text = `SELECT pg_notify(${put(channel, "text")}, ${said})
    FROM ses, (SELECT min(cursor) AS low, max(cursor) AS high FROM ev) AS cursors`;
  return { name: "word", text };
}

type Given = { commit: SerialisedCommit; put: Put; id: string; atMs: string; gate: string };

export const textOf = (parts: Part[]): string => parts.map(({ name, text }) => `${name} AS (${text})`).join(", ");
/** Names end at 63 characters; all parts together stay below that. */
const nameOf = (parts: Part[]): string => `hp:${parts.map(({ name, form }) => form ?? name).join(",")}`;

function prior({ idempotency }: SerialisedCommit, put: Put): Part {
  const [principal, key] = [put(idempotency?.principal, "text"), put(idempotency?.key, "text")];
  const text = `SELECT request_digest, result FROM idempotency WHERE principal = ${principal} AND key = ${key}`;
  return { name: "prior", text };
}

function sessionPart(given: Given, timed: string): Part {
  const { commit, put, id } = given;
  const unused = `${timed} ${commit.idempotency === null ? "" : "AND NOT EXISTS (SELECT FROM prior)"}`;
  const version = (): string => put(commit.expectedVersion, "bigint");
  if (commit.session !== null && commit.expectedVersion === 0) return insertSession(commit.session, given, unused);
  if (commit.session !== null) {
    const { title, archived, updatedAtMs, waiting, doc, mode, checksum } = commit.session;
    const text = `UPDATE sessions SET version = version + 1, title = ${put(title, "text")},
      archived = ${put(archived, "integer")}, updated_at_ms = ${put(updatedAtMs, "bigint")},
      waiting = ${put(waiting, "text")}, doc = ${put(doc, "text")}, mode = ${put(mode, "text")},
      checksum = ${put(checksum, "bigint")} WHERE id = ${id} AND version = ${version()} ${unused} RETURNING version`;
    return { name: "ses", form: "update", text };
  }
  if (commit.expectedVersion === 0)
    return {
      name: "ses",
      form: "none",
      text: `SELECT 1 AS version WHERE NOT EXISTS (SELECT FROM sessions WHERE id = ${id}) ${unused}`,
    };
  const text = `DELETE FROM sessions WHERE id = ${id} AND version = ${version()} ${unused} RETURNING version + 1 AS version`;
  return { name: "ses", form: "delete", text };
}

function insertSession(row: SessionRecord, { put, id }: Given, unused: string): Part {
  const { agentId, kind, title, archived, createdAtMs, updatedAtMs, waiting, doc, mode, checksum } = row;
  const texts = [agentId, kind, title].map((value) => put(value, "text"));
  const times = [createdAtMs, updatedAtMs].map((value) => put(value, "bigint"));
  const rest = [waiting, doc, mode].map((value) => put(value, "text"));
  const columns = [id, 1, ...texts, put(archived, "integer"), ...times, ...rest, put(checksum, "bigint")];
  const text = `INSERT INTO sessions SELECT ${columns.join(", ")} WHERE true ${unused}
    ON CONFLICT (id) DO NOTHING RETURNING version`;
  return { name: "ses", form: "insert", text };
}

function remember({ commit, put, atMs }: Given): Part {
  const { idempotency } = commit;
  const columns = [idempotency?.principal, idempotency?.key, idempotency?.requestDigest, idempotency?.result];
  const places = columns.map((value) => put(value, "text"));
  const row = [...places, atMs, put(idempotency?.checksum, "bigint")].join(", ");
  return { name: "idem", text: `INSERT INTO idempotency SELECT ${row} FROM ses RETURNING 1` };
}

function events({ commit, put, id, atMs, gate }: Given): Part {
  const checksums = put(commit.eventChecksums, "bigint[]");
  const rows = `unnest(${put(commit.events, "text[]")}, ${put(commit.entryNumbers, "bigint[]")}, ${checksums})`;
  const text = `INSERT INTO events (session_id, at_ms, entry_n, body, checksum)
    SELECT ${id}, ${atMs}, n, body, checksum FROM ${gate}, ${rows} WITH ORDINALITY AS row (body, n, checksum, place)
    ORDER BY place
    RETURNING cursor`;
  return { name: "ev", text };
}

function outbox({ commit, put, id, gate }: Given): Part {
  const columns = `${put(commit.outbox, "text[]")}, ${put(commit.outboxChecksums, "bigint[]")}`;
  const rows = `unnest(${columns}) WITH ORDINALITY AS row (body, checksum, place)`;
  const text = `INSERT INTO outbox (session_id, body, checksum)
    SELECT ${id}, body, checksum FROM ${gate}, ${rows} ORDER BY place`;
  return { name: "eff", text };
}

function artifacts({ commit, put, id, atMs, gate }: Given): Part {
  const column = (name: "kind" | "id" | "digest" | "body"): string =>
    put(
      commit.artifacts.map((artifact) => artifact[name]),
      "text[]",
    );
  const checksums = put(
    commit.artifacts.map(({ checksum }) => checksum),
    "bigint[]",
  );
  const rows = `unnest(${column("kind")}, ${column("id")}, ${column("digest")}, ${column("body")}, ${checksums})`;
  const text = `INSERT INTO artifacts (kind, id, session_id, digest, body, at_ms, checksum)
    SELECT kind, row.id, ${id}, digest, body, ${atMs}, checksum
    FROM ${gate}, ${rows} WITH ORDINALITY AS row (kind, id, digest, body, checksum, place) ORDER BY place
    ON CONFLICT (kind, id) DO NOTHING RETURNING 1`;
  return { name: "art", text };
}

/** Its events are removed later. */
const deleted = ({ id, atMs, gate }: Given): Part => ({
  name: "gone",
  text: `INSERT INTO deleted_sessions SELECT ${id}, ${atMs} FROM ${gate}
    ON CONFLICT (session_id) DO UPDATE SET at_ms = excluded.at_ms`,
});

/** Two statements on disjoint rows: within one statement a row cannot be deleted and inserted again. */
function timers({ put, id, gate }: Given, wanted: NonNullable<SerialisedCommit["timers"]>): Part[] {
  const keys = put(
    wanted.map(({ key }) => key),
    "text[]",
  );
  const times = put(
    wanted.map(({ atMs }) => atMs),
    "bigint[]",
  );
  const bodies = put(
    wanted.map(({ body }) => body),
    "text[]",
  );
  const checksums = put(
    wanted.map(({ checksum }) => checksum),
    "bigint[]",
  );
  return [
    {
      name: "kept",
      text: `INSERT INTO timers SELECT ${id}, key, at_ms, body, checksum
        FROM ${gate}, unnest(${keys}, ${times}, ${bodies}, ${checksums}) AS row (key, at_ms, body, checksum)
        ON CONFLICT (session_id, key) DO UPDATE SET at_ms = excluded.at_ms, body = excluded.body,
        checksum = excluded.checksum`,
    },
    {
      name: "cleared",
      text: `DELETE FROM timers WHERE session_id = ${id} AND key <> ALL (${keys}) AND (SELECT count(*) FROM ${gate}) = 1`,
    },
  ];
}

/** The chain waits for what else may wait for others, so that nobody holds its head while waiting. */
const chainGate = ({ commit, gate }: Given): string =>
  commit.artifacts.length === 0
    ? `(SELECT count(*) FROM ${gate}) = 1`
    : `(SELECT count(*) FROM ${gate}) = 1 AND (SELECT count(*) FROM art) >= 0`;

export function auditParts({ atMs, sessionId, actor, body }: SerialisedAudit, put: Put, when: string): Part[] {
  const [at, session] = [put(atMs, "bigint"), put(sessionId, "text")];
  const [author, facts] = [put(actor, "text"), put(body, "text")];
  const hashed = ["hash", "(seq + 1)::text", `${at}::text`, `coalesce(${session}, '')`, author, facts].join(
    " || E'\\n' || ",
  );
  return [
    {
      name: "head",
      text: `UPDATE audit_head SET seq = seq + 1, prev_hash = hash,
        hash = encode(sha256(convert_to(${hashed}, 'UTF8')), 'hex') WHERE ${when} RETURNING seq, prev_hash, hash`,
    },
    {
      name: "aud",
      text: `INSERT INTO audit SELECT seq, ${at}, ${session}, ${author}, ${facts}, prev_hash, hash FROM head`,
    },
  ];
}

/** A refusal that is written down: nothing but the record. Answers with `recorded` and the session's `version`. */
export function recordStatement(commit: SerialisedCommit): Asked {
  const { values, put } = placing();
  const given = { commit, put, id: put(commit.sessionId, "text"), atMs: put(commit.atMs, "bigint"), gate: "ses" };
  const version = { name: "ses", text: `SELECT (SELECT version FROM sessions WHERE id = ${given.id}) AS version` };
  const record = remember(given);
  const once = {
    name: "idem",
    text: record.text.replace("RETURNING", "ON CONFLICT (principal, key) DO NOTHING RETURNING"),
  };
  const parts = commit.idempotency === null ? [version] : [version, once];
  const recorded = commit.idempotency === null ? "1" : "(SELECT count(*) FROM idem)";
  const text = `WITH ${textOf(parts)} SELECT ${recorded} AS recorded, coalesce((SELECT version FROM ses), 0) AS version`;
  return { name: `hp:record,${parts.length}`, text, values };
}

export function auditStatement(audit: SerialisedAudit, token?: OperatorToken): Asked {
  const { values, put } = placing();
  const parts = [...(token === undefined ? [] : [tokenPart(token, put)]), ...auditParts(audit, put, "true")];
  return { name: nameOf(parts), text: `WITH ${textOf(parts)} SELECT 1`, values };
}

export function tokenStatement(token: OperatorToken): Asked {
  const { values, put } = placing();
  return { text: `WITH ${textOf([tokenPart(token, put)])} SELECT 1`, values };
}

export function accountStatement(account: SurfaceAccountChange, audit: SerialisedAudit | null): Asked {
  const { values, put } = placing();
  const parts = [accountPart(account, put), ...(audit === null ? [] : auditParts(audit, put, "true"))];
  return { text: `WITH ${textOf(parts)} SELECT 1`, values };
}

function accountPart(change: SurfaceAccountChange, put: Put): Part {
  const { surface, account, personId, operatorId, createdAtMs } = change;
  const [on, ours, person] = [surface, account, personId].map((value) => put(value, "text"));
  const text =
    operatorId === null
      ? `DELETE FROM surface_accounts WHERE surface = ${on} AND account = ${ours} AND person_id = ${person}`
      : `INSERT INTO surface_accounts
          VALUES (${on}, ${ours}, ${person}, ${put(operatorId, "text")}, ${put(createdAtMs, "bigint")},
            ${put(accountChecksum({ ...change, operatorId }), "bigint")})
          ON CONFLICT (surface, account, person_id) DO UPDATE SET operator_id = excluded.operator_id,
          created_at_ms = excluded.created_at_ms, checksum = excluded.checksum`;
  return { name: "account", text };
}

/** Answers with `changed`: 0 where the recorded owner is another than the change was computed from. */
export function ownerStatement(change: OwnerChange, audit: SerialisedAudit | null): Asked {
  const { values, put } = placing();
  const parts = [
    ownerPart(change, put),
    ...(audit === null ? [] : auditParts(audit, put, "(SELECT count(*) FROM owner) = 1")),
  ];
  return { text: `WITH ${textOf(parts)} SELECT (SELECT count(*) FROM owner) AS changed`, values };
}

function ownerPart({ root, name, pluginId, sinceMs, was }: OwnerChange, put: Put): Part {
  const at = put(root, "text");
  if (pluginId === null) {
    const text = `DELETE FROM command_owners WHERE root = ${at} AND plugin_id = ${put(was, "text")} RETURNING 1`;
    return { name: "owner", text };
  }
  const [called, plugin, since] = [put(name, "text"), put(pluginId, "text"), put(sinceMs, "bigint")];
  const text =
    was === null
      ? `INSERT INTO command_owners VALUES (${at}, ${called}, ${plugin}, ${since}) ON CONFLICT (root) DO NOTHING RETURNING 1`
      : `UPDATE command_owners SET name = ${called}, plugin_id = ${plugin}, since_ms = ${since}
          WHERE root = ${at} AND plugin_id = ${put(was, "text")} RETURNING 1`;
  return { name: "owner", text };
}

function tokenPart(token: OperatorToken, put: Put): Part {
  const { columns, checksum } = tokenRecord(token);
  const types = ["text", "text", "text", "text", "bigint", "bigint", "text"];
  const values = columns.map((value, index) => put(value, types[index] ?? "text"));
  const text = `INSERT INTO tokens VALUES (${values.join(", ")}, ${put(checksum, "bigint")}) ON CONFLICT (id) DO UPDATE SET
    name = excluded.name, token_hash = excluded.token_hash, scopes = excluded.scopes,
    revoked_at_ms = excluded.revoked_at_ms, device = excluded.device, checksum = excluded.checksum
    WHERE tokens.revoked_at_ms IS NULL OR (excluded.revoked_at_ms IS NOT NULL AND (tokens.device::jsonb -> 'left') IS NOT NULL)`; // a revocation is final, as in memory-store.ts
  return { name: "token", text };
}
