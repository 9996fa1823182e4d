/**
 * The tables and how they came to be. A step is never edited once released: a change is a new step at the end. All steps
 * that a state lacks run in one transaction with the new number, so a kill leaves either the old state or the new one.
 */
export type Dialect = "sqlite" | "postgres";
type Migration = Record<Dialect, string>;

/** A browser's log-in is a token with more to it: whose it is, until when, and the hash of its second secret. */
const DEVICES = "ALTER TABLE tokens ADD COLUMN device text";

/** New terms go into the index itself: while they wait beside it, the planner reads the whole table instead. */
const SEARCH_INDEX_AT_ONCE = `
  ALTER INDEX search_documents_terms SET (fastupdate = off);
  SELECT gin_clean_pending_list('search_documents_terms'::regclass);
`;

/** Places outside of the gateway: who follows what, what they were sent, and whose accounts they are. */
function deliveryTables(dialect: Dialect): string {
  const postgres = dialect === "postgres";
  const id = postgres ? 'text COLLATE "C"' : "TEXT";
  const long = postgres ? "bigint" : "INTEGER";
  const clustered = postgres ? "" : "WITHOUT ROWID";
  return `
    CREATE TABLE subscribers (id ${id} PRIMARY KEY, version ${long} NOT NULL, doc text NOT NULL);
    CREATE TABLE deliveries (
      subscriber_id ${id} NOT NULL, key ${id} NOT NULL, message_id text, is_open integer NOT NULL,
      at_ms ${long} NOT NULL, doc text NOT NULL, PRIMARY KEY (subscriber_id, key)
    );
    CREATE INDEX deliveries_open ON deliveries (subscriber_id, key) WHERE is_open = 1;
    CREATE INDEX deliveries_message ON deliveries (subscriber_id, message_id) WHERE message_id IS NOT NULL;
    CREATE INDEX deliveries_closed ON deliveries (at_ms) WHERE is_open = 0;
    CREATE TABLE surface_accounts (
      surface ${id} NOT NULL, account ${id} NOT NULL, person_id ${id} NOT NULL, operator_id text NOT NULL,
      created_at_ms ${long} NOT NULL, PRIMARY KEY (surface, account, person_id)
    ) ${clustered};
  `;
}

/** The mode stands beside the session, so that a list of many need not read each; those of before get theirs from it. */
function sessionModes(dialect: Dialect): string {
  const stored =
    dialect === "postgres"
      ? // PostgreSQL reads no JSON with an escaped NUL or half of a surrogate pair
        `regexp_replace(doc, '\\\\u(0000|d[89a-f][0-9a-f]{2})', '\\\\ufffd', 'gi')::json #>> '{slices,planMode,now,mode}'`
      : "CASE WHEN json_valid(doc) THEN json_extract(doc, '$.slices.planMode.now.mode') END";
  return `
    ALTER TABLE sessions ADD COLUMN mode text;
    UPDATE sessions SET mode = NULLIF(${stored}, 'normal');
    CREATE INDEX sessions_mode ON sessions (mode) WHERE mode IS NOT NULL;
  `;
}

const MIGRATIONS: readonly Migration[] = [
  { sqlite: firstTables("sqlite"), postgres: firstTables("postgres") },
  { sqlite: DEVICES, postgres: DEVICES },
  { sqlite: orderLanes("sqlite"), postgres: orderLanes("postgres") },
  { sqlite: deliveryTables("sqlite"), postgres: deliveryTables("postgres") },
  { sqlite: sessionModes("sqlite"), postgres: sessionModes("postgres") },
  { sqlite: commandOwners("sqlite"), postgres: commandOwners("postgres") },
  { sqlite: passkeyTables("sqlite"), postgres: passkeyTables("postgres") },
  { sqlite: checksums("sqlite"), postgres: checksums("postgres") },
  { sqlite: deletedSessions("sqlite"), postgres: deletedSessions("postgres") },
  { sqlite: channelNotes("sqlite"), postgres: channelNotes("postgres") },
  { sqlite: blobTable("sqlite"), postgres: blobTable("postgres") },
  { sqlite: searchTables("sqlite"), postgres: searchTables("postgres") },
  { sqlite: "", postgres: SEARCH_INDEX_AT_ONCE },
];

export const SCHEMA_VERSION = MIGRATIONS.length;

/** A store that was moved is a copy of the past: what was decided, revoked and carried out since stands in the other one. */
export function refuseMoved(moved: unknown): void {
  if (typeof moved !== "string") return;
  throw new Error(
    `This store was moved (${moved}): what was decided and revoked since is not in it, so no gateway may use it. ` +
      "Name the new store in the configuration, or move this one away. To go back to what it held then, and lose the rest: holdpoint restore FILE.",
  );
}

/** What a state of this age still needs, in order. Zero is an empty state. */
export function migrationsFrom(version: number, dialect: Dialect): string[] {
  if (version > SCHEMA_VERSION)
    throw new Error(
      `This state was written by a newer Holdpoint (its format is ${version}, this one knows up to ${SCHEMA_VERSION}). ` +
        "Nothing was changed. Start the newer version again, or restore a backup that this version made.",
    );
  return MIGRATIONS.slice(version).map((step) => step[dialect]);
}

/** The state of each lane of orders. The outbox stays as it was, because most of its rows are no orders. */
function orderLanes(dialect: Dialect): string {
  const postgres = dialect === "postgres";
  const id = postgres ? 'text COLLATE "C"' : "TEXT";
  const long = postgres ? "bigint" : "INTEGER";
  return `
    CREATE TABLE order_lanes (
      session_id ${id} NOT NULL, slice text NOT NULL, order_id ${long} NOT NULL, status text NOT NULL,
      attempts ${long} NOT NULL, failures ${long} NOT NULL, since_ms ${long} NOT NULL, next_at_ms ${long} NOT NULL, last_error text NOT NULL,
      node text NOT NULL, lease_until_ms ${long} NOT NULL, PRIMARY KEY (session_id, slice)
    ) ${postgres ? "" : "WITHOUT ROWID"};
  `;
}

/** Which plugin each command belongs to. */
function commandOwners(dialect: Dialect): string {
  const postgres = dialect === "postgres";
  return `
    CREATE TABLE command_owners (
      root ${postgres ? 'text COLLATE "C"' : "TEXT"} PRIMARY KEY, name text NOT NULL, plugin_id text NOT NULL,
      since_ms ${postgres ? "bigint" : "INTEGER"} NOT NULL
    ) ${postgres ? "" : "WITHOUT ROWID"};
  `;
}

/** Rows of before have none, and get one when they are next written. */
function checksums(dialect: Dialect): string {
  const tables = ["sessions", "events", "outbox", "timers", "artifacts", "idempotency", "tokens", "passkeys"];
  const type = dialect === "postgres" ? "bigint" : "INTEGER";
  return [...tables, "surface_accounts"].map((table) => `ALTER TABLE ${table} ADD COLUMN checksum ${type};`).join("\n");
}

/** Sessions whose events are still to be removed. Those that earlier versions deleted are found by their last event. */
function deletedSessions(dialect: Dialect): string {
  const postgres = dialect === "postgres";
  return `
    CREATE TABLE deleted_sessions (
      session_id ${postgres ? 'text COLLATE "C"' : "TEXT"} PRIMARY KEY, at_ms ${postgres ? "bigint" : "INTEGER"} NOT NULL
    ) ${postgres ? "" : "WITHOUT ROWID"};
    CREATE INDEX deleted_sessions_age ON deleted_sessions (at_ms);
    INSERT INTO deleted_sessions SELECT session_id, max(at_ms) FROM events
      WHERE NOT EXISTS (SELECT 1 FROM sessions WHERE id = session_id) GROUP BY session_id;
  `;
}

/** What channels keep for their accounts at vendors. */
function channelNotes(dialect: Dialect): string {
  const postgres = dialect === "postgres";
  const id = postgres ? 'text COLLATE "C"' : "TEXT";
  return `
    CREATE TABLE channel_notes (
      surface ${id} NOT NULL, account ${id} NOT NULL, key ${id} NOT NULL, value text NOT NULL,
      until_ms ${postgres ? "bigint" : "INTEGER"}, PRIMARY KEY (surface, account, key)
    ) ${postgres ? "" : "WITHOUT ROWID"};
    CREATE INDEX channel_notes_key ON channel_notes (key);
  `;
}

/** Passkeys of operators, and the challenges that wait to be answered with one. */
function passkeyTables(dialect: Dialect): string {
  const postgres = dialect === "postgres";
  const id = postgres ? 'text COLLATE "C"' : "TEXT";
  const long = postgres ? "bigint" : "INTEGER";
  return `
    CREATE TABLE passkeys (
      credential_id ${id} PRIMARY KEY, operator_id ${id} NOT NULL, version ${long} NOT NULL,
      created_at_ms ${long} NOT NULL, doc text NOT NULL
    );
    CREATE TABLE challenges (
      key ${id} PRIMARY KEY, operator_id ${id} NOT NULL, at_ms ${long} NOT NULL, doc text NOT NULL
    );
    CREATE INDEX challenges_of ON challenges (operator_id, at_ms);
    CREATE INDEX challenges_age ON challenges (at_ms);
  `;
}

/** Bytes that plugins keep for a while. */
function blobTable(dialect: Dialect): string {
  const postgres = dialect === "postgres";
  const id = postgres ? 'text COLLATE "C"' : "TEXT";
  const long = postgres ? "bigint" : "INTEGER";
  return `
    CREATE TABLE blobs (
      owner ${id} NOT NULL, key ${id} NOT NULL, session_id ${id} NOT NULL, until_ms ${long} NOT NULL, body text NOT NULL,
      PRIMARY KEY (owner, key)
    );
    CREATE INDEX blobs_of_session ON blobs (session_id);
    CREATE INDEX blobs_age ON blobs (until_ms);
  `;
}

/** Documents that are found by their terms; `place` is their time and a number, newest last. */
function searchTables(dialect: Dialect): string {
  const columns = "version bigint NOT NULL, body text NOT NULL";
  return dialect === "postgres"
    ? `
    CREATE TABLE search_documents (
      place bigint PRIMARY KEY, owner text COLLATE "C" NOT NULL, key text COLLATE "C" NOT NULL, ${columns},
      terms tsvector NOT NULL, UNIQUE (owner, key)
    );
    CREATE INDEX search_documents_terms ON search_documents USING gin (terms);
  `
    : `
    CREATE TABLE search_documents (
      place INTEGER PRIMARY KEY, owner TEXT NOT NULL, key TEXT NOT NULL, ${columns.replace("bigint", "INTEGER")},
      UNIQUE (owner, key)
    );
    CREATE VIRTUAL TABLE search_terms USING fts5(terms, content='', contentless_delete=1, detail=none, tokenize='ascii', prefix='2 4 6');
  `;
}

/**
 * One form for both. Ids compare byte by byte in both, JSON is text in both (a jsonb would lose NULs and the order of
 * keys), and times are integers.
 */
function firstTables(dialect: Dialect): string {
  const postgres = dialect === "postgres";
  const id = postgres ? 'text COLLATE "C"' : "TEXT";
  const long = postgres ? "bigint" : "INTEGER";
  const cursor = postgres ? "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY" : "INTEGER PRIMARY KEY";
  const neverReused = postgres ? cursor : "INTEGER PRIMARY KEY AUTOINCREMENT"; // rows of these tables are deleted
  const clustered = postgres ? "" : "WITHOUT ROWID";
  const zeros = postgres ? "repeat('0', 64)" : "hex(zeroblob(32))";
  return `
    CREATE TABLE sessions (
      id ${id} PRIMARY KEY, version ${long} NOT NULL, agent_id text NOT NULL, kind text NOT NULL, title text NOT NULL,
      archived integer NOT NULL, created_at_ms ${long} NOT NULL, updated_at_ms ${long} NOT NULL, waiting text,
      doc text NOT NULL
    );
    CREATE INDEX sessions_listed ON sessions (archived, updated_at_ms, id);
    CREATE INDEX sessions_waiting ON sessions (updated_at_ms, id) WHERE waiting IS NOT NULL;

    CREATE TABLE events (
      cursor ${cursor}, session_id ${id} NOT NULL, at_ms ${long} NOT NULL, entry_n ${long}, body text NOT NULL
    );
    CREATE INDEX events_of_session ON events (session_id, cursor);
    CREATE INDEX events_entries ON events (session_id, entry_n) WHERE entry_n IS NOT NULL;

    CREATE TABLE outbox (id ${neverReused}, session_id ${id} NOT NULL, body text NOT NULL);

    CREATE TABLE timers (
      session_id ${id} NOT NULL, key text NOT NULL, at_ms ${long} NOT NULL, body text NOT NULL,
      PRIMARY KEY (session_id, key)
    ) ${clustered};
    CREATE INDEX timers_due ON timers (at_ms);

    CREATE TABLE artifacts (
      seq ${cursor}, kind text NOT NULL, id ${id} NOT NULL, session_id ${id} NOT NULL, digest text NOT NULL,
      body text NOT NULL, at_ms ${long} NOT NULL, UNIQUE (kind, id)
    );
    CREATE INDEX artifacts_of_kind ON artifacts (kind, seq);
    CREATE INDEX artifacts_of_session ON artifacts (session_id, kind, seq);

    CREATE TABLE idempotency (
      principal text NOT NULL, key text NOT NULL, request_digest text NOT NULL, result text NOT NULL,
      at_ms ${long} NOT NULL, PRIMARY KEY (principal, key)
    ) ${clustered};
    CREATE INDEX idempotency_age ON idempotency (at_ms);

    CREATE TABLE tokens (
      id ${id} PRIMARY KEY, name text NOT NULL, token_hash text NOT NULL, scopes text NOT NULL,
      created_at_ms ${long} NOT NULL, revoked_at_ms ${long}
    );

    CREATE TABLE audit (
      seq ${long} PRIMARY KEY, at_ms ${long} NOT NULL, session_id ${id}, actor text NOT NULL, body text NOT NULL,
      prev_hash text NOT NULL, hash text NOT NULL
    );
    CREATE INDEX audit_of_session ON audit (session_id, seq) WHERE session_id IS NOT NULL;
    CREATE TABLE audit_head (seq ${long} NOT NULL, hash text NOT NULL, prev_hash text NOT NULL);
    INSERT INTO audit_head VALUES (0, ${zeros}, ${zeros});
  `;
}
