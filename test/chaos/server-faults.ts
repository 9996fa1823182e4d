/**
 * Two gateways on one PostgreSQL, people at both, and one fault after the other between them: the server crashes, lines
 * break or swallow everything, a gateway is killed or held up past its lease, clocks are set. At the end all work must come
 * to rest by itself; then every gateway is killed and only what is left is looked at.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { Client } from "pg";
import { LEASE_MS } from "../../src/agent/lease.ts";
import { gatewayChild, type GatewayChild } from "../kit/gateway-child.ts";
import { freshDatabase, gatewayPlace } from "../kit/postgres.ts";
import { type PostgresServer, startPostgres } from "../kit/postgres-server.ts";
import { type Random, seeded } from "../kit/random.ts";
import { openTcpProxy, type TcpProxy } from "../kit/tcp-proxy.ts";
import { type WireClient, wireClient } from "../kit/wire-client.ts";
import { faultsIn, readDeadState } from "./dead-state.ts";
import { createKnowledge, type Knowledge } from "./knowledge.ts";
import { type Person, work } from "./people.ts";
import { type Place, throwAwayPlace } from "./place.ts";

export const FAULTS = ["reset", "partition", "terminate", "crash", "kill", "clock", "pause"] as const;
export type FaultName = (typeof FAULTS)[number];

const PEOPLE_EACH = 2;
/** Between two faults: so many requests are sent or answered. */
const STEPS_MAX = 60;
const PARTITION_MS_MAX = 3_000;
const DOWN_MS_MAX = 1_500;
/** Past the lease, and long enough for the other gateway to look. */
const PAUSE_MS = LEASE_MS + 2_000;
const HOUR_MS = 3_600_000;
const CLOCKS_MS = [-24 * HOUR_MS, -HOUR_MS, 0, HOUR_MS, 25 * HOUR_MS] as const;
/** Long enough for a kill or a pause to fall into a call. */
const TOOL_MS = 30;
const PARTITIONS: readonly [Swallowed, ...Swallowed[]] = [{}, { toServer: false }, { fromServer: false }];
type Swallowed = Parameters<TcpProxy["swallow"]>[0];
const SHIM = pathToFileURL(join(import.meta.dirname, "clock-shim.ts")).href;

type Node = {
  place: Place;
  home: { home: string; workspace: string };
  clockFile: string;
  proxy: TcpProxy;
  child: GatewayChild;
  people: Person[];
  clients: WireClient[];
  working: Promise<void>[];
};
type World = {
  server: PostgresServer;
  url: string;
  nodes: readonly [Node, Node];
  knowledge: Knowledge;
  random: Random;
};

export type FaultReport = {
  faults: string[];
  injected: FaultName[];
  acknowledged: number;
  unanswered: number;
  mutations: number;
};

export async function serverFaults({
  seed,
  faults,
}: {
  seed: number;
  faults: readonly FaultName[];
}): Promise<FaultReport> {
  const world = await openWorld(seed);
  const { nodes, knowledge, random } = world;
  try {
    await Promise.all(nodes.map((node) => employ(node, world)));
    for (const name of faults) {
      await knowledge.ledger.steps(1 + random.below(STEPS_MAX));
      await inject(name, world);
    }
    await knowledge.ledger.steps(STEPS_MAX);
    await dismiss(nodes);
    await comeToRest(world);
    await Promise.all(nodes.map(({ child }) => child.kill()));
    const state = await readDeadState(
      world.url,
      nodes.map(({ home }) => home.workspace),
    );
    const { acknowledged, recent } = knowledge.ledger;
    return {
      faults: faultsIn(state, knowledge, true).map((fault) => `seed ${seed}, ${faults.join(" ")}: ${fault}`),
      injected: [...faults],
      acknowledged,
      unanswered: recent.length - acknowledged,
      mutations: state.lines.length,
    };
  } finally {
    await closeWorld(world);
  }
}

async function openWorld(seed: number): Promise<World> {
  const server = await startPostgres({ durable: true });
  const url = await freshDatabase(server.url);
  const nodes = [await openNode(url, `p${seed}-0`), await openNode(url, `p${seed}-1`)] as const;
  return { server, url, nodes, knowledge: createKnowledge(), random: seeded(seed) };
}

async function openNode(url: string, name: string): Promise<Node> {
  const place = await throwAwayPlace();
  const target = new URL(url);
  const proxy = await openTcpProxy({ host: target.hostname, port: Number(target.port) });
  target.port = String(proxy.port);
  const clockFile = join(place.folder, "clock");
  writeFileSync(clockFile, "0");
  const home = await gatewayPlace(join(place.folder, "gateway"), target.href);
  const people: Person[] = Array.from({ length: PEOPLE_EACH }, (_, n) => ({ name: `${name}-${n}`, own: [] }));
  const child = await startChild({ home, clockFile });
  return { place, home, clockFile, proxy, child, people, clients: [], working: [] };
}

const startChild = ({ home, clockFile }: Pick<Node, "home" | "clockFile">): Promise<GatewayChild> =>
  gatewayChild({
    ...home,
    toolMs: TOOL_MS,
    env: { NODE_OPTIONS: `--import=${SHIM}`, HOLDPOINT_CLOCK_FILE: clockFile },
  });

async function employ(node: Node, { knowledge, random }: World): Promise<void> {
  node.clients = await Promise.all(node.people.map(() => connected(node.child)));
  node.working = node.people.map((person, n) => work(person, node.clients[n] as never, { knowledge, random }));
}

/** The server may be away at this moment: then whoever connects is told to come again. */
async function connected(child: GatewayChild): Promise<WireClient> {
  for (;;) {
    const client = await wireClient(child).catch(() => undefined);
    if (client !== undefined) return client;
    await sleep(100);
  }
}

/**
 * A request that a gateway still works on would begin a turn after everything was seen at rest; so would a reminder or a
 * deadline that is due only by a clock that was set.
 */
async function dismiss(nodes: readonly Node[]): Promise<void> {
  for (const { clockFile } of nodes) writeFileSync(clockFile, "0");
  for (const { people } of nodes) for (const person of people) person.dismissed = true;
  await Promise.all(nodes.flatMap(({ working }) => working));
  for (const { clients } of nodes) for (const client of clients) client.close();
}

async function inject(name: FaultName, world: World): Promise<void> {
  const { nodes, random, server } = world;
  const node = random.pick(nodes);
  switch (name) {
    case "reset":
      return node.proxy.reset();
    case "partition":
      node.proxy.swallow(random.pick(PARTITIONS));
      await sleep(random.below(PARTITION_MS_MAX));
      return node.proxy.restore();
    case "terminate":
      return terminateAll(world.url);
    case "crash":
      await server.crash();
      await sleep(random.below(DOWN_MS_MAX));
      return server.restart();
    case "kill":
      await node.child.kill();
      await Promise.all(node.working);
      node.child = await startChild(node);
      return employ(node, world);
    case "clock":
      return writeFileSync(node.clockFile, String(random.pick(CLOCKS_MS)));
    case "pause":
      node.child.signal("SIGSTOP");
      await sleep(PAUSE_MS);
      return node.child.signal("SIGCONT");
  }
}

async function terminateAll(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'holdpoint%'");
  await client.end();
}

/**
 * With nobody clicking, every session ends up idle on its own and no work is left; what never does is a hang, which the
 * test's limit ends. Both are read at one moment: a session is idle too between a decision and the turn that it begins.
 */
async function comeToRest({ url }: World): Promise<void> {
  const client = new Client({ connectionString: url, options: "-c search_path=holdpoint" });
  await client.connect();
  for (;;) {
    const { rows } = await client.query<{ open: number }>(
      `SELECT (SELECT count(*)::int FROM outbox)
            + (SELECT count(*)::int FROM sessions WHERE doc::jsonb -> 'turn' ->> 'status' <> 'idle') AS open`,
    );
    if (rows[0]?.open === 0) break;
    await sleep(50);
  }
  await client.end();
}

async function closeWorld({ nodes, server }: World): Promise<void> {
  for (const { child, proxy, place } of nodes) {
    child.signal("SIGCONT");
    await child.kill();
    await proxy.close();
    await place.remove();
  }
  await server.stop();
}
