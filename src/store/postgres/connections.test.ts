import { Client } from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { freshSchema, postgresUrl, type Schema } from "../../../test/kit/postgres.ts";
import { openTcpProxy, type TcpProxy } from "../../../test/kit/tcp-proxy.ts";
import { aCommit, commitAll, create, sid, underKey } from "../contract/harness.ts";
import type { Store } from "../store.ts";
import { ConnectionError, type Connections, openConnections, type Rows } from "./connections.ts";
import { openPostgresStore } from "./postgres-store.ts";

const url = (await postgresUrl()) ?? "";

/** What would have ended the process, had it been a gateway's. */
function uncaughtErrors(): Error[] {
  const found: Error[] = [];
  const note = (error: Error): void => void found.push(error);
  process.on("uncaughtExceptionMonitor", note);
  onTestFinished(() => void process.off("uncaughtExceptionMonitor", note));
  return found;
}

/** A schema whose server is reached over a line that can be reset. */
async function behindProxy(): Promise<{ place: Schema; proxy: TcpProxy; address: string }> {
  const place = freshSchema(url);
  const address = new URL(url);
  const proxy = await openTcpProxy({ host: address.hostname, port: Number(address.port) });
  address.port = String(proxy.port);
  onTestFinished(async () => {
    await proxy.close();
    await place.drop();
  });
  return { place, proxy, address: address.href };
}

async function observer(): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** Ends the server's side of the connection that a transaction holds, and returns once that backend is gone. */
const terminate = async (client: Client, pid: unknown): Promise<void> =>
  void (await client.query("SELECT pg_terminate_backend($1, 5000)", [pid]));

/** Breaks the connection between two statements of a transaction, and answers with how the transaction failed. */
const brokenBetweenStatements = (
  connections: Connections,
  { first, breakIt }: { first: string; breakIt: (row: Rows[number] | undefined) => Promise<void> | void },
): Promise<unknown> =>
  connections
    .transaction(async (query) => {
      const [row] = await query(first);
      await breakIt(row);
      for (;;) await query("SELECT 1"); // fails as soon as the break is noticed
    })
    .catch((error: unknown) => error);

describe.skipIf(url === "")("connections to PostgreSQL", () => {
  it("[SC-04] survive a backend that is terminated while a transaction holds its connection", async () => {
    const uncaught = uncaughtErrors();
    const connections = openConnections(url, "public");
    onTestFinished(() => connections.close());
    const other = await observer();
    const error = await brokenBetweenStatements(connections, {
      first: "SELECT pg_backend_pid() AS pid",
      breakIt: (row) => terminate(other, row?.["pid"]),
    });
    expect(error).toBeInstanceOf(ConnectionError);
    expect(await connections.query({ text: "SELECT 1 AS one", values: [] })).toEqual([{ one: 1 }]);
    expect(uncaught).toEqual([]);
  });

  it("[SC-04] survive a reset in mid-transaction, of which nothing remains", async () => {
    const uncaught = uncaughtErrors();
    const { place, proxy, address } = await behindProxy();
    await place.run(`CREATE SCHEMA ${place.schema}; CREATE TABLE ${place.schema}.kept (n int)`);
    const connections = openConnections(address, place.schema);
    onTestFinished(() => connections.close());
    const error = await brokenBetweenStatements(connections, {
      first: "INSERT INTO kept VALUES (1)",
      breakIt: () => proxy.reset(),
    });
    expect(error).toBeInstanceOf(ConnectionError);
    expect(await connections.query({ text: "SELECT n FROM kept", values: [] })).toEqual([]);
    expect(uncaught).toEqual([]);
  });

  it("[SC-04] answer a commit whose line is reset with a failure to try again after, and the next one is written", async () => {
    const uncaught = uncaughtErrors();
    const { place, proxy, address } = await behindProxy();
    const store = await openPostgresStore({ url: address, schema: place.schema });
    onTestFinished(() => store.close());
    await commitAll(store, [create(sid("1"))]);
    const lock = await observer();
    await lock.query(`BEGIN; SELECT 1 FROM ${place.schema}.sessions WHERE id = '${sid("1")}' FOR UPDATE`);
    const commit = aCommit(sid("1"), { expectedVersion: 1, idempotency: underKey("k") });
    const pending = store.commit(commit);
    const pid = await waitingFor(lock);
    proxy.reset();
    expect(await pending).toMatchObject({ status: "failed", failure: { reason: "unreachable", outcome: "unknown" } });
    await terminate(lock, pid); // the server has not noticed the reset while it waits for the lock
    await lock.query("COMMIT");
    expect(await store.commit(commit)).toMatchObject({ status: "committed", version: 2 });
    expect(uncaught).toEqual([]);
  });

  it("[SC-04] survive a reset while nobody uses them", async () => {
    const uncaught = uncaughtErrors();
    const { place, proxy, address } = await behindProxy();
    const store = await openPostgresStore({ url: address, schema: place.schema });
    onTestFinished(() => store.close());
    await commitAll(store, [create(sid("1"))]);
    proxy.reset();
    expect((await store.session(sid("1")))?.version).toBe(1);
    await commitAll(store, [create(sid("2"))]);
    expect(uncaught).toEqual([]);
  });

  it("[SC-04] hide from whoever reads that all of them were ended while nobody used them", async () => {
    const { proxy, store } = await severalOpen();
    proxy.cutUnnoticed();
    expect((await store.session(sid("1")))?.version).toBe(1);
    await useSeveral(store);
    proxy.cutUnnoticed();
    expect(await store.health()).toEqual({ writable: true, detail: "PostgreSQL" });
  });

  it("[SC-04] never repeat a commit that meets an ended one, and the next commit is written", async () => {
    const { proxy, store } = await severalOpen();
    proxy.cutUnnoticed();
    const commit = aCommit(sid("1"), { expectedVersion: 1, idempotency: underKey("k") });
    expect(await store.commit(commit)).toMatchObject({ status: "failed", failure: { outcome: "unknown" } });
    expect(await store.commit(commit)).toMatchObject({ status: "committed", version: 2 });
  });
});

/** A store with one session and several connections that wait in the pool. */
async function severalOpen() {
  const { place, proxy, address } = await behindProxy();
  const store = await openPostgresStore({ url: address, schema: place.schema });
  onTestFinished(() => store.close());
  await commitAll(store, [create(sid("1"))]);
  await useSeveral(store);
  return { proxy, store };
}

const useSeveral = (store: Store): Promise<unknown> => Promise.all(Array.from({ length: 4 }, () => store.lastCursor()));

/** The backend that waits for a lock which this client holds; the server says so, nothing here guesses at a time. */
async function waitingFor(holder: Client): Promise<unknown> {
  for (;;) {
    const { rows } = await holder.query<{ pid: number }>(
      "SELECT pid FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))",
    );
    if (rows[0] !== undefined) return rows[0].pid;
  }
}
