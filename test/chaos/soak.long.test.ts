/** Thousands of whole lives of a session in one gateway: afterwards it holds no more than after the first hundreds. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it, onTestFinished } from "vitest";
import { heldBytes } from "../kit/held-memory.ts";
import { repetitions } from "../kit/repetitions.ts";
import { wireClient } from "../kit/wire-client.ts";
import { submittedPlan, type TestGateway, testClock, testGateway } from "./one-plan.ts";

/** By then caches are full, code is compiled and the pool of buffers has its size. */
const WARM_UP = 300;
const CYCLES = 1_000;
const BATCH = 100;
/** R16 allows a megabyte in ten minutes; a cycle stands for a few seconds of them. */
const GROWTH_BYTES_PER_CYCLE_MAX = 1_000;
/** What leaks, leaks in each part; code that is compiled late, a cache that fills or is let go of, is in one of them. */
const PARTS = 4;
/** An hour of the gateway's clock passes in so many cycles, so that what it does by the hour is done too. */
const CYCLES_PER_HOUR = 1_000;
const HOUR_MS = 3_600_000;
/** Connections and files that are just being closed. */
const CLOSING_MAX = 8;
const DESCRIPTORS = "/proc/self/fd";

/** A person connects, an agent submits a plan, the person decides, the agent goes on, the session is deleted. */
async function live(gateway: TestGateway, n: number): Promise<void> {
  const client = await wireClient(gateway);
  const { sessionId, approvalId } = await submittedPlan(client);
  const resting = Promise.withResolvers<void>();
  client.onEvent(({ event }) => void (event === "turn.finished" && resting.resolve()));
  await client.must("sessions.subscribe", { sessionId });
  const verdict = n % 2 === 0 ? { action: "approve" } : { action: "reject", feedback: "not so" };
  await client.must("sessions.patch", { sessionId, planApproval: { ...verdict, approvalId } } as never);
  await resting.promise;
  await client.must("sessions.list", { limit: 10 });
  await client.must("sessions.delete", { sessionId });
  client.close();
  await client.closed;
  gateway.clock.advance(HOUR_MS / CYCLES_PER_HOUR);
}

/** Rows that somebody looks at again and again; what is kept for a time (events, answers, the audit) is not among them. */
function hotRows(home: string): Record<string, number> {
  const db = new DatabaseSync(join(home, "store", "holdpoint.db"), { readOnly: true });
  const count = (table: string) => Number(db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"]);
  const rows = Object.fromEntries(["sessions", "outbox", "timers", "order_lanes"].map((name) => [name, count(name)]));
  db.close();
  return rows;
}

const descriptors = (): number => (existsSync(DESCRIPTORS) ? readdirSync(DESCRIPTORS).length : 0);

async function measured(gateway: TestGateway) {
  await expect.poll(() => hotRows(gateway.home)).toEqual({ sessions: 0, outbox: 0, timers: 0, order_lanes: 0 });
  const bytes = heldBytes();
  const resources = process.getActiveResourcesInfo().length;
  return { bytes, resources, descriptors: descriptors() };
}

type Seen = { cycles: number; bytes: number };

/** Bytes that each part of the cycles has added, for one cycle. */
function growthByParts(seen: readonly Seen[]): number[] {
  const at = (part: number): Seen => seen[Math.round(((seen.length - 1) * part) / PARTS)] as Seen;
  return Array.from({ length: PARTS }, (_, part) => {
    const [from, to] = [at(part), at(part + 1)];
    return Math.round((to.bytes - from.bytes) / (to.cycles - from.cycles));
  });
}

it(
  "[QA-05] memory, descriptors, timers and rows stay where they were, however many sessions come and go",
  { timeout: 7_200_000 },
  async () => {
    const gateway = await testGateway({ clock: testClock() });
    onTestFinished(() => gateway.stop());
    for (let n = 0; n < WARM_UP; n++) await live(gateway, n);
    const before = await measured(gateway);
    const seen = [{ cycles: 0, bytes: before.bytes }];
    for (const batch of repetitions(CYCLES / BATCH)) {
      for (let n = 0; n < BATCH; n++) await live(gateway, batch + n);
      seen.push({ cycles: (batch + 1) * BATCH, bytes: heldBytes() });
    }
    const after = await measured(gateway);
    const growth = growthByParts(seen);
    const said = JSON.stringify({ before, after });
    process.stdout.write(`soak: ${seen.at(-1)?.cycles} cycles, bytes for each by parts ${growth.join(" ")}, ${said}\n`);
    const [, second] = growth.toSorted((a, b) => a - b); // the least may have let go of what was held before
    expect(second).toBeLessThan(GROWTH_BYTES_PER_CYCLE_MAX);
    expect(after.descriptors).toBeLessThanOrEqual(before.descriptors + CLOSING_MAX);
    expect(after.resources).toBeLessThanOrEqual(before.resources + CLOSING_MAX);
  },
);
