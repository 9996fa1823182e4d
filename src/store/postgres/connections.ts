/** Connections to the server, each wait with an end. */
import { Pool, type PoolClient, types } from "pg";
import { type Refusal, RefusalError } from "../../protocol/refusal.ts";
import type { LocalTime } from "../store-time.ts";

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
  /** The clocks of this machine. Given, the store has the server's time, and refuses a commit that was decided by another. */
  local?: LocalTime;
  /** For a server that is not there yet; absent: it must be. */
  patience?: Patience;
  /** Called when the server has fallen silent or refuses connections, and when it answers again. */
  onReach?(isReached: boolean): void;
};

export type Patience = {
  /** How long is waited altogether; 0: it must be there. */
  waitMs: number;
  /** How long one attempt may take. */
  connectMsMax: number;
  /** Called once, when there is something to wait for. */
  onWaiting(why: string): void;
};

export type Rows = Record<string, unknown>[];
export type Asked = {
  text: string;
  values: unknown[];
  /** Statements with a name are planned once per connection. */ name?: string;
};

/** `sent`: whether the server may have executed the statement although no answer arrived. */
export class ConnectionError extends RefusalError {
  override name = "ConnectionError";
  readonly sent: boolean;
  constructor(sent: boolean, cause: unknown) {
    super(UNREACHABLE, { cause });
    this.message = `PostgreSQL cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`;
    this.sent = sent;
  }
}

/** For clients, who need not know where the server is. Whoever reads may have written before, so the outcome is open. */
const UNREACHABLE: Refusal = {
  code: "STORE_UNAVAILABLE",
  message: "PostgreSQL cannot be reached. The gateway connects again by itself; then send the same request again.",
  retry: true,
  details: { reason: "unreachable", outcome: "unknown" },
};

export type Connections = {
  query(asked: Asked): Promise<Rows>;
  /** Several statements in one transaction on one connection. */
  transaction(work: (query: (text: string, values?: unknown[]) => Promise<Rows>) => Promise<void>): Promise<void>;
  /** The server is silent: what is under way fails at once, and so does all that follows, until it answers again. */
  setSilent(isSilent: boolean): void;
  /** When the server last answered anything here, by the counter of this process. */
  answeredAtMs(): number;
  close(): Promise<void>;
};

export function openConnections(url: string, schema: string, limits: Limits = SERVING): Connections {
  const pool = poolOf(url, schema, limits);
  const checkOut = freshClients(pool);
  const underWay = new Set<Promise<unknown>>();
  const waits = createWaits();
  let answeredAtMs = 0;

  async function withClient<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    const client = await waits
      .unlessSilent(
        () => checkOut.client(),
        (late) => late.release(true),
      )
      .catch((error: unknown) => {
        throw new ConnectionError(false, error);
      });
    try {
      const result = await waits.unlessSilent(() => work(client));
      client.release();
      answeredAtMs = performance.now();
      return result;
    } catch (error) {
      const answered = isAnswer(error);
      if (!answered) checkOut.suspectAll();
      client.release(!answered); // a connection in doubt is never used again
      if (answered) answeredAtMs = performance.now();
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
    setSilent: waits.setSilent,
    answeredAtMs: () => answeredAtMs,
    async close() {
      await Promise.allSettled(underWay);
      if (!pool.ended && !pool.ending) await pool.end();
    },
  };
}

function poolOf(url: string, schema: string, limits: Limits): Pool {
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
  // while it is checked out nobody else listens: the running query fails with the same error, and so does every later one
  pool.on("connect", (client) => void client.on("error", () => undefined));
  return pool;
}

/**
 * Clients from the pool, none of which was connected before the last break: what ended one connection has often ended its
 * idle neighbours too, and only a statement would find out.
 */
function freshClients(pool: Pool) {
  const connectedIn = new WeakMap<PoolClient, number>();
  let breaks = 0;
  pool.on("connect", (client) => void connectedIn.set(client, breaks));
  pool.on("error", () => void (breaks += 1)); // an idle connection broke: the pool has dropped it and opens another when needed
  return {
    async client(): Promise<PoolClient> {
      for (let dropped = 0; ; dropped++) {
        const client = await pool.connect();
        if (connectedIn.get(client) === breaks || dropped === CONNECTIONS_MAX) return client;
        client.release(true);
      }
    },
    suspectAll(): void {
      breaks += 1;
    },
  };
}

/** Waits for the server that all end together when it falls silent; none begins while it is. */
function createWaits() {
  const failing = new Set<(error: Error) => void>();
  let silent = false;
  return {
    async unlessSilent<Result>(begin: () => Promise<Result>, onLate?: (result: Result) => void): Promise<Result> {
      if (silent) throw new Error(SILENT);
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      failing.add(reject);
      const work = begin();
      void work.then(resolve, reject).finally(() => {
        if (!failing.delete(reject)) void work.then(onLate, () => undefined); // it came, and nobody waits for it any more
      });
      return promise;
    },
    setSilent(isSilent: boolean): void {
      silent = isSilent;
      if (!isSilent) return;
      for (const reject of failing) reject(new Error(SILENT));
      failing.clear();
    },
  };
}

const SILENT = "the server does not answer";

/** Whether the server itself said what is wrong with a statement, so that the connection is as good as before. */
export const isAnswer = (error: unknown): boolean => sqlState(error) !== undefined && !isEnding(error);

/** The five characters with which the server says what is wrong; absent when it said nothing. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  return /^[0-9A-Z]{5}$/.test(error.code) ? error.code : undefined;
}

/** The server ends the connection (shutdown, crash, an administrator): what became of the statement is not said. */
const isEnding = (error: unknown): boolean => /^(?:08|57P)/.test(sqlState(error) ?? "");
