/** What one operation costs when there are 10, 1,000 and 100,000 sessions: it should not matter. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openSqliteStore } from "../src/store/sqlite/sqlite-store.ts";
import { aSession, create, sid } from "../src/store/contract/harness.ts";
import { cpuSeconds } from "./cpu-seconds.ts";
import { against, figure, type Figure, type Group, percentile } from "./figure.ts";
import { load, withGateway } from "./gateway.ts";

const COUNTS = [10, 1_000, 100_000] as const;
const FILL_AT_ONCE = 2_000;
const SECONDS = 1.5;
const METHODS = ["sessions.get", "sessions.patch", "sessions.list"] as const;
/** Fewer than a gateway keeps in memory, so that each count is measured warm, and once cold. */
const TOUCHED_MAX = 1_000;
/** With fewer, one odd read would decide the middle. */
const COLD_MIN = 100;

export const growth: Group = (report) => growthTo(COUNTS, report);

export async function growthTo(counts: readonly number[], report: Parameters<Group>[0]): Promise<void> {
  const smallest = new Map<string, number>();
  function tell(what: string, made: Figure): void {
    const reference = smallest.get(what);
    if (reference === undefined) smallest.set(what, made.value);
    report(reference === undefined ? made : against(reference, made));
  }
  const tellMiddle = (what: string, count: number, latenciesMs: number[]): void =>
    tell(what, figure(`${what} with ${count} sessions, p50`, percentile(latenciesMs, 50), "ms"));
  for (const count of counts) {
    await withGateway(
      async ({ gateway }) => {
        const [one = "", ...others] = touched(count);
        report(figure(`quiet after the start with ${count} sessions`, await untilQuiet(gateway.pid), "s"));
        const alone = { connections: 1, depth: 1, seconds: SECONDS };
        await load(gateway, { ...alone, method: "sessions.get", sessionIds: [one] });
        const once = { requestsMax: others.length, sessionIds: others };
        const cold = await load(gateway, { ...alone, ...once, method: "sessions.get" });
        if (others.length >= COLD_MIN) tellMiddle("sessions.get from the disk", count, cold.latenciesMs);
        for (const method of METHODS) {
          const orders = { ...alone, method, sessionIds: touched(count) };
          await load(gateway, { ...orders, seconds: SECONDS / 3 });
          const before = cpuSeconds(gateway.pid);
          const { latenciesMs, requests } = await load(gateway, orders);
          tellMiddle(method, count, latenciesMs);
          // says the same on a machine that others use as well
          const spentUs = ((cpuSeconds(gateway.pid) - before) / requests) * 1e6;
          tell(`cpu of ${method}`, figure(`${method} with ${count} sessions, processor time`, spentUs, "µs"));
        }
      },
      (home) => fill(home, count),
    );
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
