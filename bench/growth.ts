/**
 * What one operation costs when there are 10, 1,000 and 100,000 sessions: it should not matter. Gateways of all sizes are
 * measured in turns, a few hundred requests each, so that whatever else the machine does falls on all of them alike.
 */
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openSqliteStore } from "../src/store/sqlite/sqlite-store.ts";
import { aSession, create, sid } from "../src/store/contract/harness.ts";
import { gatewayChild, type GatewayChild } from "../test/kit/gateway-child.ts";
import { type WireClient, wireClient } from "../test/kit/wire-client.ts";
import { cpuSeconds } from "./cpu-seconds.ts";
import { against, figure, type Group, percentile } from "./figure.ts";

const COUNTS = [10, 1_000, 100_000] as const;
const FILL_AT_ONCE = 2_000;
const ROUNDS = 12;
const ROUND_REQUESTS = 200;
const METHODS = ["sessions.get", "sessions.patch", "sessions.list"] as const;
/** Fewer than a gateway keeps in memory, so that each count is measured warm, and once cold. */
const TOUCHED_MAX = 1_000;
/** With fewer, one odd read would decide the middle. */
const COLD_MIN = 100;
const KIBIBYTE = 1_024;

type Method = (typeof METHODS)[number];
type Size = { count: number; gateway: GatewayChild; client: WireClient; ids: string[]; asked: number };
/** `readBytes`: by system calls, whether the kernel had the pages or not; what comes over the connection is in it too. */
type Cost = { latenciesMs: number[]; cpuSeconds: number; readBytes: number };

export const growth: Group = (report) => growthTo(COUNTS, report);

export async function growthTo(counts: readonly number[], report: Parameters<Group>[0]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-bench-"));
  const sizes: Size[] = [];
  try {
    for (const count of counts) await fill(join(folder, String(count)), count);
    for (const count of counts) sizes.push(await opened(join(folder, String(count)), count));
    for (const { count, gateway } of sizes)
      report(figure(`quiet after the start with ${count} sessions`, await untilQuiet(gateway.pid), "s"));
    for (const size of sizes) {
      const { latenciesMs } = await ask(size, "sessions.get", size.ids.length);
      if (size.ids.length < COLD_MIN) continue;
      report(figure(`sessions.get from the disk with ${size.count} sessions, p50`, percentile(latenciesMs, 50), "ms"));
    }
    for (const method of METHODS) tell(method, await inTurns(method, sizes), report);
  } finally {
    for (const { client, gateway } of sizes) {
      client.close();
      gateway.signal("SIGTERM");
      await gateway.exited;
    }
    await rm(folder, { recursive: true, force: true });
  }
}

async function opened(home: string, count: number): Promise<Size> {
  const gateway = await gatewayChild({ home, workspace: home, toolMs: 0 });
  return { count, gateway, client: await wireClient(gateway), ids: touched(count), asked: 0 };
}

/** The first round warms up and does not count. */
async function inTurns(method: Method, sizes: readonly Size[]): Promise<Map<number, Cost>> {
  const costs = new Map(sizes.map(({ count }): [number, Cost[]] => [count, []]));
  for (let round = 0; round <= ROUNDS; round++)
    for (const size of sizes) {
      const cost = await ask(size, method, ROUND_REQUESTS);
      if (round > 0) costs.get(size.count)?.push(cost);
    }
  return new Map([...costs].map(([count, rounds]) => [count, sum(rounds)]));
}

const sum = (rounds: readonly Cost[]): Cost => ({
  latenciesMs: rounds.flatMap(({ latenciesMs }) => latenciesMs),
  cpuSeconds: rounds.reduce((all, round) => all + round.cpuSeconds, 0),
  readBytes: rounds.reduce((all, round) => all + round.readBytes, 0),
});

async function ask(size: Size, method: Method, requests: number): Promise<Cost> {
  const { gateway, client } = size;
  const before = { cpu: cpuSeconds(gateway.pid), bytes: readBytes(gateway.pid) };
  const latenciesMs: number[] = [];
  for (let n = 0; n < requests; n++) {
    const sentAtMs = performance.now();
    const answer = await client.request(method, paramsOf(method, size));
    if (answer?.ok !== true) throw new Error(`${method} was refused: ${JSON.stringify(answer)}`);
    latenciesMs.push(performance.now() - sentAtMs);
  }
  return {
    latenciesMs,
    cpuSeconds: cpuSeconds(gateway.pid) - before.cpu,
    readBytes: readBytes(gateway.pid) - before.bytes,
  };
}

function paramsOf(method: Method, size: Size): object {
  const n = size.asked++;
  const sessionId = size.ids[n % size.ids.length];
  if (method === "sessions.list") return { limit: 10 }; // a full page however few there are
  return method === "sessions.get" ? { sessionId } : { sessionId, title: `title ${n}`, idempotencyKey: `growth-${n}` };
}

function tell(method: Method, costs: ReadonlyMap<number, Cost>, report: Parameters<Group>[0]): void {
  const [smallest] = costs.values();
  for (const [count, cost] of costs) {
    const add = (what: string, unit: string, value: (of: Cost) => number): void => {
      const made = figure(`${method} with ${count} sessions, ${what}`, value(cost), unit);
      report(cost === smallest || smallest === undefined ? made : against(value(smallest), made));
    };
    add("p50", "ms", ({ latenciesMs }) => percentile(latenciesMs, 50));
    // says the same on a machine that others use as well
    add("processor time", "µs", ({ cpuSeconds: seconds, latenciesMs }) => (seconds / latenciesMs.length) * 1e6);
    add("read", "KiB", ({ readBytes: bytes, latenciesMs }) => bytes / KIBIBYTE / latenciesMs.length);
  }
}

/** Elsewhere than on Linux: not a number. */
function readBytes(pid: number): number {
  try {
    return Number(/^rchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, "utf8"))?.[1]);
  } catch {
    return Number.NaN;
  }
}

const LOOK_MS = 500;
const QUIET_SHARE = 0.05;
const QUIET_LOOKS_MAX = 2_000;

/** A large database is checked page by page in a thread of the gateway after it has started; that is measured apart. */
async function untilQuiet(pid: number): Promise<number> {
  const startedAtMs = performance.now();
  for (let looks = 0; looks < QUIET_LOOKS_MAX; looks++) {
    const before = cpuSeconds(pid);
    await sleep(LOOK_MS);
    if (!(cpuSeconds(pid) - before > (QUIET_SHARE * LOOK_MS) / 1_000)) break; // not a number: nobody can say
  }
  return (performance.now() - startedAtMs) / 1_000;
}

/** Straight into the store, as the gateway would have written them. */
async function fill(home: string, count: number): Promise<void> {
  const store = await openSqliteStore({
    folder: join(home, "store"),
    onFatal: (error) => process.stderr.write(String(error)),
  });
  for (let from = 0; from < count; from += FILL_AT_ONCE) {
    const batch = Array.from({ length: Math.min(FILL_AT_ONCE, count - from) }, (_, n) => {
      const atMs = Date.now() - count + from + n;
      const { id: _id, ...change } = aSession(sid(from + n), { createdAtMs: atMs, updatedAtMs: atMs });
      return store.commit(create(sid(from + n), change));
    });
    await Promise.all(batch);
  }
  await store.close();
}

/** Spread over all of them, so that caches help as little as they would in life. */
function touched(count: number): string[] {
  const step = Math.max(1, Math.floor(count / TOUCHED_MAX));
  return Array.from({ length: Math.ceil(count / step) }, (_, n) => sid(n * step)).slice(0, TOUCHED_MAX);
}
