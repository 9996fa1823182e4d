/** Connections to the server, each wait with an end. */
import { Pool, type PoolClient, types } from "pg";

const CONNECTIONS_MAX = 10;

/** The server gives up on a statement first, so that most of what hangs comes back with a certain answer. */
export type Limits = { connectMsMax: number; statementMsMax: number; replyMsMax: number };
export const SERVING: Limits = { connectMsMax: 5_000, statementMsMax: 5_000, replyMsMax: 8_000 };
/**
 * For a store that is being opened: nobody waits for an answer yet, the first connection to a database builds the
 * server's caches of it, and another gateway may hold the lock for the migrations.
 */
export const OPENING: Limits = { connectMsMax: 30_000, statementMsMax: 30_000, replyMsMax: 33_000 };
const IDLE_MS_MAX = 30_000;
/** Every statement walks an index, and planning one anew each time takes longer than running it. */
const PLANNING = "-c plan_cache_mode=force_generic_plan -c enable_seqscan=off";

export type PostgresOptions = {
  url: string;
  /** Everything is kept in this schema, which is created when it does not exist. */
  schema?: string;
};

export type Rows = Record<string, unknown>[];
export type Asked = {
  text: string;
  values: unknown[];
  /** Statements with a name are planned once per connection. */ name?: string;
};

/** `sent`: whether the server may have executed the statement although no answer arrived. */
export class ConnectionError extends Error {
  override name = "ConnectionError";
  readonly sent: boolean;
  constructor(sent: boolean, cause: unknown) {
    super(`PostgreSQL cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.sent = sent;
  }
}

export type Connections = {
  query(asked: Asked): Promise<Rows>;
  /** Several statements in one transaction on one connection. */
  transaction(work: (query: (text: string, values?: unknown[]) => Promise<Rows>) => Promise<void>): Promise<void>;
  close(): Promise<void>;
};

export function openConnections(url: string, schema: string, limits: Limits = SERVING): Connections {
  const pool = new Pool({
    connectionString: url,
    options: `-c search_path=${schema} ${PLANNING}`,
    application_name: "holdpoint",
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: limits.connectMsMax,
    idleTimeoutMillis: IDLE_MS_MAX,
    statement_timeout: limits.statementMsMax,
    idle_in_transaction_session_timeout: limits.replyMsMax,
    query_timeout: limits.replyMsMax,
    keepAlive: true,
    types: {
      getTypeParser: (oid, format) => (oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format)),
    },
  });
  pool.on("error", () => undefined); // an idle connection broke: the pool has dropped it and opens another when needed
  // while it is checked out nobody else listens: the running query fails with the same error, and so does every later one
  pool.on("connect", (client) => void client.on("error", () => undefined));
  const underWay = new Set<Promise<unknown>>();

  async function withClient<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    const client = await pool.connect().catch((error: unknown) => {
      throw new ConnectionError(false, error);
    });
    try {
      const result = await work(client);
      client.release();
      return result;
    } catch (error) {
      const answered = sqlState(error) !== undefined && !isEnding(error);
      client.release(!answered); // a connection in doubt is never used again
      throw answered ? error : new ConnectionError(true, error);
    }
  }

  async function tracked<Result>(work: Promise<Result>): Promise<Result> {
    underWay.add(work);
    try {
      return await work;
    } finally {
      underWay.delete(work);
    }
  }

  return {
    query: (asked) => tracked(withClient(async (client) => (await client.query<Rows[number]>(asked)).rows)),
    transaction: (work) =>
      tracked(
        withClient(async (client) => {
          await client.query("BEGIN");
          try {
            await work(async (text, values) => (await client.query<Rows[number]>(text, values)).rows);
            await client.query("COMMIT");
          } catch (error) {
            await client.query("ROLLBACK");
            throw error;
          }
        }),
      ),
    async close() {
      await Promise.allSettled(underWay);
      if (!pool.ended && !pool.ending) await pool.end();
    },
  };
}

/** The five characters with which the server says what is wrong; absent when it said nothing. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  return /^[0-9A-Z]{5}$/.test(error.code) ? error.code : undefined;
}

/** The server ends the connection (shutdown, crash, an administrator): what became of the statement is not said. */
const isEnding = (error: unknown): boolean => /^(?:08|57P)/.test(sqlState(error) ?? "");
