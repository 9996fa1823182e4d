/**
 * Many commits as one statement: one round trip, one transaction, one word with the head of the audit chain. Each of them
 * is of another session and under another key.
 *
 *   wanted ──▶ ses ──▶ gate ──▶ idem · ev · eff · art · timers ──▶ head ──▶ chain ──▶ aud
 *
 * A commit that cannot be written at once (its version has passed, its key was used, somebody holds its session) is left
 * out, writes nothing and is not in the answer; whoever sent it asks for it alone and learns why. `gate` says for each
 * place whether it is written, as an array: a join would be planned for a number of rows that nobody knows beforehand.
 */
import type { SerialisedCommit } from "../sql/serialise.ts";
import { type CommitManner, onTime, type Part, placing, type Publisher, type Put, textOf } from "./commit-statement.ts";
import type { Asked } from "./connections.ts";

/** Whether a group may hold it: a session is created or changed. Deletions and mere records are rare and go alone. */
export const isGroupable = ({ recordOnly, session }: SerialisedCommit): boolean => !recordOnly && session !== null;

/** Answers with `id`, `version` and `cursors` of each commit that was written. */
export function groupStatement(commits: readonly SerialisedCommit[], { publisher, isTimed }: CommitManner): Asked {
  const { values, put } = placing();
  const rows = rowParts(commits, put);
  const parts = [wanted(commits, put), sessions(isTimed), GATE, REMEMBER, ...rows, ...auditParts(commits, put)];
  const hasEvents = rows.some(({ name }) => name === "ev");
  const text = `WITH RECURSIVE ${textOf(parts)} ${hasEvents ? answerWithNotices(publisher, put) : ANSWER}`;
  const optional = parts.flatMap(({ name }) => (OPTIONAL.has(name) ? [name] : []));
  return { name: `hp:group,${optional.join(",")}${isTimed ? ",t" : ""}`, text, values };
}

/** What some groups have and others have not; the text follows from it. */
const OPTIONAL = new Set(["ev", "eff", "art", "kept", "aud"]);

/** Columns of rows that travel as arrays: the type on the server, and where it stands in a row. */
type Columns<Row> = Readonly<Record<string, readonly [type: string, of: (row: Row) => unknown]>>;

function listed<Row>(rows: readonly Row[], put: Put, columns: Columns<Row>): string {
  const arrays = Object.values(columns).map(([type, of]) => put(rows.map(of), `${type}[]`));
  return `unnest(${arrays.join(", ")}) WITH ORDINALITY AS row (${Object.keys(columns).join(", ")}, place)`;
}

const WON = "(SELECT won FROM gate)[n]";

/** Sessions that somebody else holds are skipped, so that a group never waits for one of its commits. */
function wanted(commits: readonly SerialisedCommit[], put: Put): Part {
  const rows = listed(commits, put, {
    id: ["text", ({ sessionId }) => sessionId],
    version: ["bigint", ({ expectedVersion }) => expectedVersion],
    at_ms: ["bigint", ({ atMs }) => atMs],
    agent_id: ["text", ({ session }) => session?.agentId],
    kind: ["text", ({ session }) => session?.kind],
    title: ["text", ({ session }) => session?.title],
    archived: ["integer", ({ session }) => session?.archived],
    created_at_ms: ["bigint", ({ session }) => session?.createdAtMs],
    updated_at_ms: ["bigint", ({ session }) => session?.updatedAtMs],
    waiting: ["text", ({ session }) => session?.waiting],
    doc: ["text", ({ session }) => session?.doc],
    mode: ["text", ({ session }) => session?.mode],
    checksum: ["bigint", ({ session }) => session?.checksum],
    principal: ["text", ({ idempotency }) => idempotency?.principal],
    key: ["text", ({ idempotency }) => idempotency?.key],
    digest: ["text", ({ idempotency }) => idempotency?.requestDigest],
    result: ["text", ({ idempotency }) => idempotency?.result],
    key_checksum: ["bigint", ({ idempotency }) => idempotency?.checksum],
  });
  const text = `SELECT row.*, row.place::integer AS n, stored.version AS stored, prior.used FROM ${rows}
    LEFT JOIN LATERAL (SELECT version FROM sessions WHERE sessions.id = row.id FOR NO KEY UPDATE SKIP LOCKED) AS stored ON true
    LEFT JOIN LATERAL (SELECT true AS used FROM idempotency
      WHERE idempotency.principal = row.principal AND idempotency.key = row.key LIMIT 1) AS prior ON true`;
  return { name: "wanted", text };
}

/** Written as if all were new: a row that is there is found by its id, without a join. Its lock keeps it from being deleted. */
function sessions(isTimed: boolean): Part {
  const text = `INSERT INTO sessions
    SELECT id, version + 1, agent_id, kind, title, archived, created_at_ms, updated_at_ms, waiting, doc, mode, checksum
    FROM wanted WHERE used IS NULL AND coalesce(stored, 0) = version ${isTimed ? `AND ${onTime("at_ms")}` : ""} ORDER BY id
    ON CONFLICT (id) DO UPDATE SET version = excluded.version, title = excluded.title, archived = excluded.archived,
      updated_at_ms = excluded.updated_at_ms, waiting = excluded.waiting, doc = excluded.doc, mode = excluded.mode,
      checksum = excluded.checksum WHERE sessions.version = excluded.version - 1
    RETURNING id, version`;
  return { name: "ses", text };
}

const GATE: Part = {
  name: "gate",
  text: `SELECT array_agg(is_won ORDER BY n) AS won FROM (SELECT max(n) AS n, count(*) = 2 AS is_won
    FROM (SELECT id COLLATE "C" AS id, n FROM wanted UNION ALL SELECT id, NULL FROM ses) AS either GROUP BY id) AS each`,
};

const REMEMBER: Part = {
  name: "idem",
  text: `INSERT INTO idempotency SELECT principal, key, digest, result, at_ms, key_checksum FROM wanted
    WHERE key IS NOT NULL AND ${WON} ORDER BY principal, key RETURNING 1`,
};

/** One row of a commit, with the commit's place in the group. */
type Of<Row> = Row & { n: number; commit: SerialisedCommit };

function rowsOf<Row extends object>(
  commits: readonly SerialisedCommit[],
  of: (commit: SerialisedCommit) => readonly Row[],
): Of<Row>[] {
  return commits.flatMap((commit, index) => of(commit).map((row) => ({ ...row, n: index + 1, commit })));
}

const PLACE = {
  n: ["integer", ({ n }: Of<object>) => n],
  session_id: ["text", ({ commit }: Of<object>) => commit.sessionId],
  at_ms: ["bigint", ({ commit }: Of<object>) => commit.atMs],
} as const;

function rowParts(commits: readonly SerialisedCommit[], put: Put): Part[] {
  return [events(commits, put), outbox(commits, put), artifacts(commits, put), ...timers(commits, put)].filter(
    (part) => part !== undefined,
  );
}

function events(commits: readonly SerialisedCommit[], put: Put): Part | undefined {
  const rows = rowsOf(commits, (commit) => commit.events.map((body, index) => ({ body, index })));
  if (rows.length === 0) return undefined;
  const from = listed(rows, put, {
    ...PLACE,
    entry_n: ["bigint", ({ commit, index }) => commit.entryNumbers[index]],
    body: ["text", ({ body }) => body],
    checksum: ["bigint", ({ commit, index }) => commit.eventChecksums[index]],
  });
  const text = `INSERT INTO events (session_id, at_ms, entry_n, body, checksum)
    SELECT session_id, at_ms, entry_n, body, checksum FROM ${from} WHERE ${WON} ORDER BY place
    RETURNING session_id, cursor`;
  return { name: "ev", text };
}

function outbox(commits: readonly SerialisedCommit[], put: Put): Part | undefined {
  const rows = rowsOf(commits, (commit) => commit.outbox.map((body, index) => ({ body, index })));
  if (rows.length === 0) return undefined;
  const from = listed(rows, put, {
    ...PLACE,
    body: ["text", ({ body }) => body],
    checksum: ["bigint", ({ commit, index }) => commit.outboxChecksums[index]],
  });
  const text = `INSERT INTO outbox (session_id, body, checksum)
    SELECT session_id, body, checksum FROM ${from} WHERE ${WON} ORDER BY place`;
  return { name: "eff", text };
}

function artifacts(commits: readonly SerialisedCommit[], put: Put): Part | undefined {
  const rows = rowsOf(commits, (commit) => commit.artifacts);
  if (rows.length === 0) return undefined;
  const from = listed(rows, put, {
    ...PLACE,
    kind: ["text", ({ kind }) => kind],
    id: ["text", ({ id }) => id],
    digest: ["text", ({ digest }) => digest],
    body: ["text", ({ body }) => body],
    checksum: ["bigint", ({ checksum }) => checksum],
  });
  const text = `INSERT INTO artifacts (kind, id, session_id, digest, body, at_ms, checksum)
    SELECT kind, id, session_id, digest, body, at_ms, checksum FROM ${from} WHERE ${WON} ORDER BY place
    ON CONFLICT (kind, id) DO NOTHING RETURNING 1`;
  return { name: "art", text };
}

/** Two statements on disjoint rows: within one statement a row cannot be deleted and inserted again. */
function timers(commits: readonly SerialisedCommit[], put: Put): Part[] {
  const changing = rowsOf(commits, ({ timers: wantedTimers }) => (wantedTimers === null ? [] : [{ wantedTimers }]));
  if (changing.length === 0) return [];
  const kept = listed(
    rowsOf(commits, (commit) => commit.timers ?? []),
    put,
    {
      ...PLACE,
      key: ["text", ({ key }) => key],
      due_ms: ["bigint", ({ atMs }) => atMs],
      body: ["text", ({ body }) => body],
      checksum: ["bigint", ({ checksum }) => checksum],
    },
  );
  const cleared = listed(changing, put, {
    ...PLACE,
    keys: ["text", ({ wantedTimers }) => JSON.stringify(wantedTimers.map(({ key }) => key))],
  });
  const ids = put(
    changing.map(({ commit }) => commit.sessionId),
    "text[]",
  );
  return [
    {
      name: "kept",
      text: `INSERT INTO timers SELECT session_id, key, due_ms, body, checksum FROM ${kept} WHERE ${WON}
        ON CONFLICT (session_id, key) DO UPDATE SET at_ms = excluded.at_ms, body = excluded.body,
        checksum = excluded.checksum`,
    },
    {
      name: "cleared",
      // the ids stand there twice so that only timers of these sessions are looked at, however the join is planned
      text: `DELETE FROM timers USING ${cleared} WHERE timers.session_id = ANY (${ids})
        AND timers.session_id = row.session_id AND NOT row.keys::jsonb ? timers.key AND ${WON}`,
    },
  ];
}

/** The head is taken when nothing else is left to wait for, and held until the group is on the disk. */
function auditParts(commits: readonly SerialisedCommit[], put: Put): Part[] {
  const rows = rowsOf(commits, ({ audit }) => (audit === null ? [] : [audit]));
  if (rows.length === 0) return [];
  const from = listed(rows, put, {
    n: ["integer", ({ n }) => n],
    at_ms: ["bigint", ({ atMs }) => atMs],
    session_id: ["text", ({ sessionId }) => sessionId],
    actor: ["text", ({ actor }) => actor],
    body: ["text", ({ body }) => body],
  });
  const hashed = ["at_ms::text", "coalesce(session_id, '')", "actor", "body"].join(" || E'\\n' || ");
  const waited = ["idem", ...(commits.some(({ artifacts: { length } }) => length > 0) ? ["art"] : [])];
  const after = waited.map((name) => `AND (SELECT count(*) FROM ${name}) >= 0`).join(" ");
  return [
    {
      name: "facts",
      text: `SELECT count(*)::integer AS total, array_agg(${hashed} ORDER BY place) AS hashed,
        ${["at_ms", "session_id", "actor", "body"].map(column).join(", ")} FROM ${from} WHERE ${WON}`,
    },
    {
      name: "head",
      text: `SELECT seq, hash FROM audit_head WHERE (SELECT total FROM facts) > 0 ${after} FOR NO KEY UPDATE`,
    },
    {
      name: "chain (i, seq, prev_hash, hash)",
      text: `SELECT 0, seq, '', hash FROM head UNION ALL SELECT i + 1, seq + 1, hash,
        encode(sha256(convert_to(hash || E'\\n' || (seq + 1)::text || E'\\n' || (SELECT hashed FROM facts)[i + 1], 'UTF8')), 'hex')
        FROM chain WHERE i < (SELECT total FROM facts)`,
    },
    {
      name: "moved",
      text: `UPDATE audit_head SET seq = last.seq, prev_hash = last.prev_hash, hash = last.hash
        FROM (SELECT * FROM chain ORDER BY i DESC LIMIT 1) AS last`,
    },
    {
      name: "aud",
      text: `INSERT INTO audit SELECT row.* FROM facts,
        (SELECT array_agg(seq ORDER BY i) AS seq, array_agg(prev_hash ORDER BY i) AS prev_hash,
          array_agg(hash ORDER BY i) AS hash FROM chain WHERE i > 0) AS links,
        unnest(links.seq, at_ms, session_id, actor, body, links.prev_hash, links.hash) AS row`,
    },
  ];
}

const column = (name: string): string => `array_agg(${name} ORDER BY place) AS ${name}`;

const ANSWER = "SELECT id, version, NULL AS cursors FROM ses";

/** Notices go out in the order of cursors, when the transaction is visible. */
function answerWithNotices({ node, channel }: Publisher, put: Put): string {
  const notice = [put(node, "text"), "id", "version", "cursors[1]", "cursors[cardinality(cursors)]"].join(
    " || ' ' || ",
  );
  return `SELECT id, version, cursors, CASE WHEN cursors IS NOT NULL THEN pg_notify(${put(channel, "text")}, ${notice}) END
    FROM (SELECT id, max(version) AS version, array_agg(cursor ORDER BY cursor) FILTER (WHERE cursor IS NOT NULL) AS cursors
      FROM (SELECT id, version, NULL::bigint AS cursor FROM ses UNION ALL SELECT session_id, NULL, cursor FROM ev) AS each
      GROUP BY id) AS written ORDER BY cursors[1]`;
}
