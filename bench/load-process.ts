/** Clients in a process of their own, so that what they cost is not counted as the gateway's. */
import { z } from "zod";
import { type WireClient, wireClient } from "../test/kit/wire-client.ts";

export const LoadOrders = z.strictObject({
  url: z.string(),
  token: z.string(),
  method: z.enum(["sessions.patch", "sessions.get", "sessions.list"]),
  sessionIds: z.array(z.string()),
  connections: z.int().min(1).max(256),
  /** Requests under way at once on each connection. */
  depth: z.int().min(1).max(256),
  seconds: z.number().max(60),
  /** Stop after so many, if they come before the time is up. */
  requestsMax: z.int().default(10_000_000),
});
export type LoadOrders = z.input<typeof LoadOrders>;
/** `cpuSeconds`: what the clients themselves have spent, which the gateway cannot have had on the same machine. */
export type LoadResult = {
  requests: number;
  refused: number;
  seconds: number;
  cpuSeconds: number;
  latenciesMs: number[];
};

/** Latencies are sampled evenly beyond this many, so that a long run does not fill memory. */
const SAMPLES_MAX = 200_000;

async function main(): Promise<void> {
  const orders = LoadOrders.parse(JSON.parse(process.argv[2] ?? "{}"));
  const clients = await Promise.all(Array.from({ length: orders.connections }, () => wireClient(orders)));
  const latenciesMs: number[] = [];
  const startedAtMs = performance.now();
  const spentBefore = process.cpuUsage();
  const untilMs = startedAtMs + orders.seconds * 1_000;
  let requests = 0;
  let refused = 0;

  async function lane(client: WireClient, at: number): Promise<void> {
    for (let n = at; performance.now() < untilMs && requests < orders.requestsMax; n += lanes) {
      const sentAtMs = performance.now();
      const answer = await client.request(orders.method, paramsOf(orders, n));
      requests += 1;
      if (answer?.ok !== true) refused += 1;
      if (latenciesMs.length < SAMPLES_MAX) latenciesMs.push(performance.now() - sentAtMs);
    }
  }
  const lanes = orders.connections * orders.depth;
  await Promise.all(
    clients.flatMap((client, c) => Array.from({ length: orders.depth }, (_, d) => lane(client, c * orders.depth + d))),
  );
  const seconds = (performance.now() - startedAtMs) / 1_000;
  const { user, system } = process.cpuUsage(spentBefore);
  const cpuSeconds = (user + system) / 1e6;
  for (const client of clients) client.close();
  process.stdout.write(JSON.stringify({ requests, refused, seconds, cpuSeconds, latenciesMs } satisfies LoadResult));
}

function paramsOf({ method, sessionIds }: z.infer<typeof LoadOrders>, n: number): object {
  const sessionId = sessionIds[n % sessionIds.length];
  if (method === "sessions.list") return { limit: 10 }; // a full page however few there are
  return method === "sessions.get"
    ? { sessionId }
    : { sessionId, title: `title ${n}`, idempotencyKey: `${process.pid}-${n}` };
}

if (import.meta.main) await main();
