/**
 * Groups of commits from two gateways on one PostgreSQL while the server crashes, lines are reset or swallow everything:
 * `npm run test:long -- faults`. Both write to the same sessions, so each version has two that want it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { expect, it, onTestFinished } from "vitest";
import { aCommit, create, fact, renamed, sid, underKey } from "../../src/store/contract/harness.ts";
import { openPostgresStore } from "../../src/store/postgres/postgres-store.ts";
import type { Commit, CommitResult, Store } from "../../src/store/store.ts";
import { type PostgresServer, startPostgres } from "../kit/postgres-server.ts";
import { type Random, seeded } from "../kit/random.ts";
import { isLong, repetitions, SEED } from "../kit/repetitions.ts";
import { openTcpProxy, type TcpProxy } from "../kit/tcp-proxy.ts";

const SESSIONS = 60;
const ROUNDS_MIN = 12;
const FAULTS = ["none", "crash", "reset", "swallow", "terminate"] as const;
/** Anywhere between before the group is sent and after it is answered. */
const FAULT_MS_MAX = 40;
const SILENT_MS = 300;

type Node = { store: Store; proxy: TcpProxy };
type World = { server: PostgresServer; nodes: readonly [Node, Node]; random: Random };
type Sent = { commit: Commit; result: CommitResult };

async function openWorld(): Promise<World> {
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

async function inject({ server, nodes, random }: World, n: number): Promise<string> {
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
async function send({ nodes }: World, versions: ReadonlyMap<number, number>, round: number): Promise<Sent[]> {
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
async function settled(store: Store, { commit, result }: Sent): Promise<CommitResult> {
  let answer = result;
  while (answer.status === "failed") {
    await sleep(20);
    answer = await store.commit(commit);
  }
  return answer;
}

it.skipIf(!isLong)(
  "[SC-04, I13, I20] a group is there as a whole or not at all, whatever happens to server and lines while it is written",
  async () => {
    const world = await openWorld();
    const [{ store }] = world.nodes;
    await Promise.all(Array.from({ length: SESSIONS }, (_, n) => store.commit(create(sid(n)))));
    const versions = new Map(Array.from({ length: SESSIONS }, (_, n) => [n, 1]));
    let rows = 0;
    let unknown = 0;
    for (const round of repetitions(ROUNDS_MIN)) {
      const [sent, fault] = await Promise.all([send(world, versions, round), inject(world, round)]);
      const where = `seed ${SEED}, round ${round}, ${fault}`;
      const answers = await Promise.all(sent.map((one) => settled(store, one)));
      unknown += sent.filter(({ result }) => result.status === "failed" && result.failure.outcome === "unknown").length;
      for (const session of versions.keys()) {
        const [one, other] = answers.slice(session * 2, session * 2 + 2);
        const won = [one, other].filter((answer) => answer?.status === "committed" || answer?.status === "replayed");
        expect({ where, session, winners: won.length }).toEqual({ where, session, winners: 1 });
        versions.set(session, (versions.get(session) ?? 0) + 1);
        rows += 1;
      }
      const stored = await Promise.all([...versions.keys()].map((session) => store.session(sid(session))));
      expect({ where, versions: stored.map((one) => one?.version) }).toEqual({
        where,
        versions: [...versions.values()],
      });
    }
    expect(await store.verifyAudit()).toMatchObject({ intact: true, rows });
    expect(unknown).toBeGreaterThan(0); // otherwise no fault ever met a group
    process.stdout.write(`groups under faults, seed ${SEED}: ${rows} commits written, ${unknown} of unknown outcome\n`);
  },
);
