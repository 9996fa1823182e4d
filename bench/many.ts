/** Many at once: streaming turns that somebody watches, durable patches on PostgreSQL, a million sessions. */
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { startPostgres } from "../test/kit/postgres-server.ts";
import type { GatewayChild } from "../test/kit/gateway-child.ts";
import { cpuSeconds } from "./cpu-seconds.ts";
import { figure, type Group, percentile } from "./figure.ts";
import { load, sessions, withGateway } from "./gateway.ts";
import { growthTo } from "./growth.ts";
import type { WatchOrders, WatchResult } from "./watch-process.ts";

const STREAMS = 1_000;
const SPEAKING_SECONDS = 20;
const OUTPUT_BYTES_MAX = 256 * 1_048_576;
const PATCHED = 256;
const SECONDS = 4;
const CORES = 2;
const MILLION = 1_000_000;
const MEBIBYTE = 1_048_576;
const run = promisify(execFile);

export const many: Group = async (report) => {
  await streams(report);
  await patches(report);
  await million(report);
};

/** Each part by itself, for whoever works on it. */
export const manyStreams: Group = (report) => streams(report);
export const manyPatches: Group = (report) => patches(report);
export const manySessions: Group = (report) => million(report);

const million = (report: Parameters<Group>[0]): Promise<void> => growthTo([10, MILLION], report);

async function streams(report: Parameters<Group>[0]): Promise<void> {
  await withGateway(
    async ({ gateway }) => {
      const before = cpuSeconds(gateway.pid);
      const startedAtMs = performance.now();
      const { latesMs, pieces, finished } = await watched(gateway);
      const busy = (cpuSeconds(gateway.pid) - before) / ((performance.now() - startedAtMs) / 1_000);
      const said = gateway.next("rssBytes");
      gateway.signal("SIGUSR2");
      const { rssBytes = Number.NaN, lagP99Ms = Number.NaN } = await said;
      report(figure(`streams: ${finished} turns at 10 pieces/s, pieces seen`, pieces, ""));
      for (const percent of [50, 99]) report(figure(`streams: late, p${percent}`, percentile(latesMs, percent), "ms"));
      report(figure("streams: event-loop lag, p99", lagP99Ms, "ms"));
      report(figure("streams: memory", rssBytes / MEBIBYTE, "MiB"));
      report(figure("streams: of a core", busy * 100, "%"));
    },
    undefined,
    resolve(import.meta.dirname, "streaming-process.ts"),
  );
}

async function watched({ url, token }: GatewayChild): Promise<WatchResult> {
  const orders: WatchOrders = { url, token, sessions: STREAMS, seconds: SPEAKING_SECONDS };
  const script = resolve(import.meta.dirname, "watch-process.ts");
  const { stdout } = await run(process.execPath, [script, JSON.stringify(orders)], { maxBuffer: OUTPUT_BYTES_MAX });
  return JSON.parse(stdout);
}

async function patches(report: Parameters<Group>[0]): Promise<void> {
  const server = await startPostgres({ durable: true });
  const { url } = server;
  const onPostgres = async (home: string): Promise<void> => {
    await mkdir(home, { mode: 0o700 });
    await writeFile(join(home, "config.yaml"), JSON.stringify({ store: { kind: "postgres", url } }), { mode: 0o600 });
  };
  await withGateway(async ({ gateway }) => {
    const orders = { method: "sessions.patch", sessionIds: await sessions(gateway, PATCHED) } as const;
    await load(gateway, { ...orders, connections: 8, depth: 16, seconds: 1 });
    const before = [cpuSeconds(gateway.pid), cpuSeconds(server.pid)];
    const busy = await load(gateway, { ...orders, connections: 16, depth: 16, seconds: SECONDS });
    const [ours = 0, theirs = 0] = [cpuSeconds(gateway.pid), cpuSeconds(server.pid)].map(
      (s, n) => s - (before[n] ?? 0),
    );
    report(figure("PostgreSQL: patch, durable", busy.requests / busy.seconds, "/s"));
    report(figure("PostgreSQL: patch under load, p99", percentile(busy.latenciesMs, 99), "ms"));
    report(figure("PostgreSQL: patch, processor time of the gateway", (ours / busy.requests) * 1e6, "µs"));
    report(figure("PostgreSQL: patch, processor time of the server", (theirs / busy.requests) * 1e6, "µs"));
    report(figure("PostgreSQL: patch, processor time of the clients", (busy.cpuSeconds / busy.requests) * 1e6, "µs"));
    // what it could be if nobody else used the two cores, and the gateway one of them at most
    const perSecond = Math.min(1 / ours, CORES / (ours + theirs + busy.cpuSeconds)) * busy.requests;
    report(figure("PostgreSQL: patch, by processor time on two cores", perSecond, "/s"));
  }, onPostgres);
  await server.stop();
}
