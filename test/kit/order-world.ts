/** One process with an outbox, a router and one worker, over a store that outlives it. */
import type { SliceWork } from "../../src/core/effect.ts";
import type { OrderCall, OrderOutcome, SliceWorker } from "../../src/core/worker.ts";
import { createEffectRouter } from "../../src/engine/effect-router.ts";
import { createOutbox, type Outbox } from "../../src/engine/outbox.ts";
import { aCommit, committed, sid } from "../../src/store/contract/harness.ts";
import { openMemoryStore } from "../../src/store/memory/memory-store.ts";
import type { Store } from "../../src/store/store.ts";
import { type FakeClock, fakeClock } from "./fake-clock.ts";
import { type FaultyStore, faultyStore } from "./faulty-store.ts";

export type Answer = (n: number, call: OrderCall) => Promise<OrderOutcome>;
type Shown = { n: number; key: string; attempt: number };
export const forever = new Promise<never>(() => undefined);

/** One process: an outbox, a router, and a worker for `deploy/ship` whose answers the test decides. */
export function processOn(
  store: Store,
  clock: FakeClock,
  given: { answer?: Answer; node?: string; shared?: boolean; pause?: () => Promise<void> } = {},
) {
  const { answer = async () => "done" as const, node = "n1", shared = false, pause } = given;
  const performed: Shown[] = [];
  const reports: string[] = [];
  const turns: string[] = [];
  const worker: SliceWorker = {
    slice: "deploy",
    orders: ["ship"],
    ...(pause === undefined ? {} : { isUnhurried: true }),
    async perform(order, call) {
      const n = Number(order["n"]);
      performed.push({ n, key: call.key, attempt: call.attempt });
      return answer(n, call);
    },
  };
  const workers = new Map([["deploy/ship", worker]]);
  const router = createEffectRouter({
    store,
    clock,
    node,
    sole: !shared,
    workerFor: (slice, kind) => workers.get(`${slice}/${kind}`),
    report: (error) => void reports.push(error instanceof Error ? error.message : String(error)),
    reread: () => outbox.reread(),
    ...(pause === undefined ? {} : { pause }),
  });
  const outbox: Outbox = createOutbox({
    store,
    clock,
    shared,
    orders: router,
    async run({ sessionId }) {
      turns.push(sessionId);
      return "done";
    },
    report: (error) => void reports.push(String(error)),
  });
  router.open();
  return { router, outbox, performed, reports, turns, workers, worker, numbers: () => performed.map(({ n }) => n) };
}

export const ship = (n: number, more: Partial<SliceWork> = {}): SliceWork => ({
  kind: "perform",
  slice: "deploy",
  order: { do: "ship", n },
  atMs: 1_000_000,
  ...more,
});

export async function ordered(store: Store, name: string, outbox: readonly SliceWork[]): Promise<void> {
  const expectedVersion = (await store.session(sid(name)))?.version ?? 0;
  committed(await store.commit(aCommit(sid(name), { expectedVersion, outbox: [...outbox] })));
}

export async function world(orders: Record<string, readonly SliceWork[]>) {
  const store: FaultyStore = faultyStore(openMemoryStore());
  const clock = fakeClock();
  for (const [name, outbox] of Object.entries(orders)) await ordered(store, name, outbox);
  return { store, clock };
}

export const pending = async (store: Store): Promise<number> =>
  (await store.pendingEffects({ id: 0, limit: 500 })).length;
