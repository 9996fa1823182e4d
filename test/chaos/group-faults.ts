/** Two gateways' stores on one PostgreSQL, each over a line of its own, what they send, and what happens meanwhile. */
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { onTestFinished } from "vitest";
import { aCommit, fact, renamed, sid, underKey } from "../../src/store/contract/harness.ts";
import { ConnectionError } from "../../src/store/postgres/connections.ts";
import { openPostgresStore } from "../../src/store/postgres/postgres-store.ts";
import type { Commit, CommitResult, Store } from "../../src/store/store.ts";
import { type PostgresServer, startPostgres } from "../kit/postgres-server.ts";
import { type Random, seeded } from "../kit/random.ts";
import { SEED } from "../kit/repetitions.ts";
import { openTcpProxy, type TcpProxy } from "../kit/tcp-proxy.ts";

const FAULTS = ["none", "crash", "reset", "swallow", "terminate"] as const;
/** Anywhere between before the group is sent and after it is answered. */
const FAULT_MS_MAX = 40;
const SILENT_MS = 300;

type Node = { store: Store; proxy: TcpProxy };
type World = { server: PostgresServer; nodes: readonly [Node, Node]; random: Random };
type Sent = { commit: Commit; result: CommitResult };

export async function openWorld(): Promise<World> {
  const server = await startPostgres({ durable: true });
  onTestFinished(() => server.stop());
  return { server, nodes: [await openNode(server.url), await openNode(server.url)], random: seeded(SEED) };
}

async function openNode(url: string): Promise<Node> {
  const target = new URL(url);
  const proxy = await openTcpProxy({ host: target.hostname, port: Number(target.port) });
  target.port = String(proxy.port);
  const store = await openPostgresStore({ url: target.href });
  onTestFinished(async () => {
    await store.close();
    await proxy.close();
  });
  return { store, proxy };
}

export async function inject({ server, nodes, random }: World, n: number): Promise<string> {
  const name = FAULTS[n % FAULTS.length] ?? "none";
  const { proxy } = random.pick(nodes);
  await sleep(random.below(FAULT_MS_MAX));
  switch (name) {
    case "none":
      return name;
    case "crash":
      await server.crash();
      await server.restart();
      return name;
    case "reset":
      proxy.reset();
      return name;
    case "swallow":
      proxy.swallow({ toServer: random.below(2) === 0 });
      await sleep(SILENT_MS);
      proxy.restore();
      return name;
    case "terminate":
      await terminateAll(server.url);
      return name;
  }
}

async function terminateAll(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'holdpoint'");
  await client.end();
}

/** What every session would like to be next, from both gateways at once. */
export async function send({ nodes }: World, versions: ReadonlyMap<number, number>, round: number): Promise<Sent[]> {
  const sent = [...versions].flatMap(([session, version]) =>
    nodes.map(async ({ store }, node): Promise<Sent> => {
      const commit = aCommit(sid(session), {
        expectedVersion: version,
        events: [renamed(`${round} ${node}`)],
        outbox: [],
        audit: [fact("renamed", { round, node })],
        idempotency: underKey(`${session} ${round} ${node}`, { result: `${round} ${node}` }),
      });
      return { commit, result: await store.commit(commit) };
    }),
  );
  return Promise.all(sent);
}

/** Asked again until the server answers; what is open is told by the key. */
export async function settled(store: Store, { commit, result }: Sent): Promise<CommitResult> {
  let answer = result;
  while (answer.status === "failed") {
    await sleep(20);
    answer = await store.commit(commit);
  }
  return answer;
}

/** Asked again as long as it meets a line that was cut while nobody used it. */
export async function readAgain<Value>(read: () => Promise<Value>): Promise<Value> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      await sleep(20);
    }
  }
}
