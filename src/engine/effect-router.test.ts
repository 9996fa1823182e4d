import { describe, expect, it } from "vitest";
import { quiet } from "../../test/kit/fake-clock.ts";
import { type Answer, forever, ordered, pending, processOn, ship, world } from "../../test/kit/order-world.ts";
import type { OrderOutcome } from "../core/worker.ts";
import { aCommit, committed, sid, turn } from "../store/contract/harness.ts";
import { createEffectRouter } from "./effect-router.ts";
import { stuckOrders } from "./stuck-orders.ts";

describe("orders of slices", () => {
  it("[PL-12] are performed in the order of their commits, each once, and leave the outbox when they are done", async () => {
    const { store, clock } = await world({ a: [ship(1), ship(2)], b: [ship(3)] });
    const { outbox, performed } = processOn(store, clock);
    outbox.wake();
    await quiet();
    outbox.wake();
    await quiet();
    expect(performed).toEqual([
      { n: 1, key: "ses_a:1:1000000", attempt: 1 },
      { n: 3, key: "ses_b:3:1000000", attempt: 1 },
      { n: 2, key: "ses_a:2:1000000", attempt: 1 },
    ]);
    expect(await pending(store)).toBe(0);
    expect(await store.openOrders({ limit: 10 })).toEqual([]);
    expect(clock.alarms).toEqual([]);
  });

  it("one that does not come to an end holds up its own session and slice, and neither other sessions nor turns", async () => {
    const { store, clock } = await world({ a: [ship(1), ship(2)], b: [ship(3)], c: [] });
    committed(await store.commit(aCommit(sid("d"), { outbox: [{ kind: "run-turn", turnId: turn(1) }] })));
    const { outbox, turns, numbers } = processOn(store, clock, { answer: (n) => (n === 1 ? forever : DONE) });
    outbox.wake();
    await quiet();
    expect(numbers()).toEqual([1, 3]);
    expect(turns).toEqual(["ses_d"]);
  });

  it("more than 50 of one slice wait for each other, in the order in which they came", async () => {
    const names = Array.from({ length: 60 }, (_, n) => [`s${n}`, [ship(n)]] as const);
    const { store, clock } = await world(Object.fromEntries(names));
    const gate = Promise.withResolvers<"done">();
    const { outbox, numbers } = processOn(store, clock, { answer: () => gate.promise });
    outbox.wake();
    await quiet();
    expect(numbers()).toHaveLength(50);
    gate.resolve("done");
    await quiet();
    expect(numbers()).toEqual(Array.from({ length: 60 }, (_, n) => n));
  });

  it("more than 100 of one session are performed in order, though no more are held", async () => {
    const numbers = Array.from({ length: 350 }, (_, n) => n);
    const { store, clock } = await world({ a: numbers.map((n) => ship(n)) });
    const run = processOn(store, clock);
    run.outbox.wake();
    for (let round = 0; round < 8; round++) {
      await quiet();
      if (round === 1) await ordered(store, "a", [ship(350)]);
      run.outbox.wake();
    }
    await quiet();
    expect(run.numbers()).toEqual([...numbers, 350]);
    expect(await pending(store)).toBe(0);
  });

  it("[PL-12] more than 100 of one session are performed in order, also when the store cannot be read just then", async () => {
    const numbers = Array.from({ length: 150 }, (_, n) => n);
    const { store, clock } = await world({ a: numbers.map((n) => ship(n)) });
    const gate = Promise.withResolvers<"done">();
    const run = processOn(store, clock, { answer: (n) => (n === 99 ? gate.promise : DONE) });
    run.outbox.wake();
    await quiet();
    store.breakNext("pendingEffects");
    gate.resolve("done");
    await quiet();
    await ordered(store, "a", [ship(150)]);
    run.outbox.wake();
    await quiet();
    for (let round = 0; round < 4; round++) {
      clock.advance(1_000);
      await quiet();
    }
    expect(run.numbers()).toEqual([...numbers, 150]);
    expect(await pending(store)).toBe(0);
  });

  it("[I13] with the same key in one session are performed once, whether the first is open or was done", async () => {
    const { store, clock } = await world({ a: [ship(1, { key: "k" }), ship(2, { key: "k" })] });
    const first = processOn(store, clock);
    first.outbox.wake();
    await quiet();
    await ordered(store, "a", [ship(3, { key: "k" }), ship(4)]);
    await ordered(store, "b", [ship(5, { key: "k" })]);
    const next = processOn(store, clock, { node: "n2" });
    next.outbox.wake();
    await quiet();
    expect(first.performed).toEqual([{ n: 1, key: "ses_a:deploy:k", attempt: 1 }]);
    expect(Object.fromEntries(next.performed.map(({ n, key }) => [n, key]))).toEqual({
      4: "ses_a:4:1000000",
      5: "ses_b:deploy:k",
    });
    expect(await pending(store)).toBe(0);
  });
});

const DONE = Promise.resolve("done" as const);

describe("an order that is not done", () => {
  it("[I21] is tried again after 1, 2, 4 … and at most 300 seconds, and each failure is reported and kept", async () => {
    const { store, clock } = await world({ a: [ship(1)] });
    let failures = 11;
    const answer = async () => {
      if (failures-- > 0) throw new Error("POST https://me:pw@host/?token=abc123\n failed: Bearer eyJhbGc");
      return "done" as const;
    };
    const { outbox, performed, reports } = processOn(store, clock, { answer });
    outbox.wake();
    const waits: number[] = [];
    const stuck: unknown[] = [];
    for (await quiet(); clock.alarms.length > 0; await quiet()) {
      const waitMs = (clock.alarms[0] ?? 0) - clock.now();
      waits.push(waitMs / 1_000);
      stuck.push(...(await stuckOrders(store, clock.now())));
      clock.advance(waitMs);
    }
    expect(stuck).toHaveLength(9); // from the third failure on
    expect(stuck[0]).toEqual({
      sessionId: "ses_a",
      slice: "deploy",
      order: "ship",
      status: "failed",
      sinceMs: 1_000_000,
      attempts: 3,
      lastError: "POST https://…@host/?token=… failed: Bearer …",
    });
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
    expect(reports).toHaveLength(11);
    expect(new Set(performed.map(({ key }) => key)).size).toBe(1);
    expect(performed.map(({ attempt }) => attempt)).toEqual(Array.from({ length: 12 }, (_, n) => n + 1));
    expect(await pending(store)).toBe(0);
  });

  it("[I21] is not asked again and again without a pause, whatever its worker says", async () => {
    const { store, clock } = await world({ a: [ship(1)] });
    const run = processOn(store, clock, { answer: async () => ({ laterMs: 0 }) });
    run.outbox.wake();
    await quiet();
    for (let n = 0; n < 100; n++) {
      clock.advance(1);
      await quiet();
    }
    expect(run.performed.length).toBeLessThanOrEqual(2);
  });

  it("keeps the time of its next attempt and the count over a restart", async () => {
    const { store, clock } = await world({ a: [ship(1), ship(2)] });
    const failing = async () => {
      throw new Error("down");
    };
    const first = processOn(store, clock, { answer: failing });
    first.outbox.wake();
    await quiet();
    clock.advance(1_000);
    await quiet();
    expect(first.performed).toHaveLength(2);
    await first.router.drain();
    const next = processOn(store, clock, { node: "n2" });
    next.outbox.wake();
    await quiet();
    expect(next.performed).toEqual([]);
    clock.advance(2_000);
    await quiet();
    expect(next.performed.map(({ n, attempt }) => [n, attempt])).toEqual([
      [1, 3],
      [2, 1],
    ]);
  });

  it("[PL-12] is performed again with the same key when the process was killed before it could say that it was done", async () => {
    const { store, clock } = await world({ a: [ship(1)] });
    store.breakNext("orderDone", 99); // killed between perform and done
    const first = processOn(store, clock);
    first.outbox.wake();
    await quiet();
    store.breakNext("orderDone", 0);
    const next = processOn(store, clock, { node: "n2" });
    next.outbox.wake();
    await quiet();
    expect([...first.performed, ...next.performed]).toEqual([
      { n: 1, key: "ses_a:1:1000000", attempt: 1 },
      { n: 1, key: "ses_a:1:1000000", attempt: 2 },
    ]);
    expect(await pending(store)).toBe(0);
  });

  it.each<[OrderOutcome, number]>([
    ["later", 1_000],
    [{ laterMs: 90_000 }, 90_000],
  ])("is asked for again when the worker says %o", async (answer, waitMs) => {
    const { store, clock } = await world({ a: [ship(1), ship(2)] });
    let isReady = false;
    const { outbox, numbers, reports } = processOn(store, clock, { answer: async () => (isReady ? "done" : answer) });
    outbox.wake();
    await quiet();
    isReady = true;
    clock.advance(waitMs - 1);
    await quiet();
    expect(numbers()).toEqual([1]);
    clock.advance(1);
    await quiet();
    expect(numbers()).toEqual([1, 1, 2]);
    expect(reports).toEqual([]);
  });

  it.each([[undefined], ["ok"], [{ laterMs: -1 }], [{ laterMs: Number.NaN }], [null]])(
    "is not done because its worker answered %o",
    async (junk) => {
      const { store, clock } = await world({ a: [ship(1)] });
      const { outbox, reports } = processOn(store, clock, { answer: async () => junk as never });
      outbox.wake();
      await quiet();
      expect(reports).toEqual(["the worker answered neither done nor later"]);
      expect(await pending(store)).toBe(1);
    },
  );

  it("waits when the store cannot be asked, and loses nothing", async () => {
    const { store, clock } = await world({ a: [ship(1)] });
    store.breakNext("claimOrder", 2);
    const { outbox, numbers, reports } = processOn(store, clock);
    outbox.wake();
    for (const waitMs of [1_000, 2_000]) {
      await quiet();
      expect(numbers()).toEqual([]);
      clock.advance(waitMs);
    }
    await quiet();
    expect(numbers()).toEqual([1]);
    expect(reports).toHaveLength(2);
  });
});

describe("an order that nobody takes", () => {
  it("is kept and reported, holds up its lane, and is performed when a worker comes", async () => {
    const { store, clock } = await world({ a: [ship(1, { order: { do: "sail", n: 1 } }), ship(2)], b: [ship(3)] });
    const { router, outbox, workers, worker, numbers } = processOn(store, clock);
    outbox.wake();
    await quiet();
    expect(numbers()).toEqual([3]);
    expect(await stuckOrders(store, clock.now())).toEqual([]); // not at once: plugins come late
    clock.advance(60_000);
    await quiet();
    expect(await stuckOrders(store, clock.now())).toEqual([
      {
        sessionId: "ses_a",
        slice: "deploy",
        order: "sail",
        status: "no-worker",
        sinceMs: 1_000_000,
        attempts: 0,
        lastError: "",
      },
    ]);
    workers.set("deploy/sail", worker);
    router.workersChanged();
    await quiet();
    expect(numbers()).toEqual([3, 1, 2]);
    expect(await pending(store)).toBe(0);
    expect(await stuckOrders(store, clock.now())).toEqual([]);
  });

  it("keeps the time for which its worker put it off, and why it failed, while the plugin is away", async () => {
    const { store, clock } = await world({ a: [ship(1)] });
    const first = processOn(store, clock, { answer: async () => ({ laterMs: 3_600_000 }) });
    first.outbox.wake();
    await quiet();
    const next = processOn(store, clock, { node: "n2" });
    next.workers.clear();
    next.outbox.wake();
    await quiet();
    next.workers.set("deploy/ship", next.worker);
    next.router.workersChanged();
    await quiet();
    expect(next.numbers()).toEqual([]);
    clock.advance(3_600_000);
    await quiet();
    expect(next.numbers()).toEqual([1]);
  });

  it("is also found by a worker that comes in the very moment in which it is noted", async () => {
    const { store, clock } = await world({ a: [ship(1)] });
    const { router, outbox, workers, worker, numbers } = processOn(store, clock);
    workers.clear();
    const letGo = store.holdNext("orderWaits");
    outbox.wake();
    await quiet();
    workers.set("deploy/ship", worker);
    router.workersChanged();
    letGo();
    await quiet();
    clock.advance(0);
    await quiet();
    expect(numbers()).toEqual([1]);
  });

  it("is not tried before all plugins are there", async () => {
    const { store, clock } = await world({ a: [ship(1)] });
    const offered: number[] = [];
    const router = createEffectRouter({
      store,
      clock,
      node: "n1",
      sole: true,
      workerFor: (slice, kind) => ({
        slice,
        orders: [kind],
        async perform(order) {
          offered.push(Number(order["n"]));
          return "done";
        },
      }),
      report: () => undefined,
      reread: () => undefined,
    });
    router.offer({ id: 1, sessionId: sid("a"), work: ship(1) });
    await quiet();
    expect(offered).toEqual([]);
    router.open();
    await quiet();
    expect(offered).toEqual([1]);
  });

  it("of an earlier version, under its old name and of whatever shape, is performed or kept, never dropped", async () => {
    const { store, clock } = await world({});
    const old = (order: string) => JSON.parse(`{"kind":"carry-out","slice":"deploy","order":${order}}`);
    await ordered(store, "a", [old('{"do":"ship","n":7}')]);
    await ordered(store, "b", [old("{}")]);
    const { outbox, performed } = processOn(store, clock);
    outbox.wake();
    await quiet();
    clock.advance(60_000);
    expect(performed).toEqual([{ n: 7, key: "ses_a:1", attempt: 1 }]);
    expect(await stuckOrders(store, clock.now())).toMatchObject([
      { sessionId: "ses_b", order: "", status: "no-worker" },
    ]);
  });
});

describe("several nodes on one store", () => {
  it("perform an order on one of them; when that one dies, another takes over with the same key", async () => {
    const { store, clock } = await world({ a: [ship(1), ship(2)] });
    const dying = processOn(store, clock, { node: "n1", shared: true, answer: () => forever });
    const other = processOn(store, clock, { node: "n2", shared: true });
    dying.outbox.wake();
    await quiet();
    other.outbox.wake();
    await quiet();
    for (let n = 0; n < 8; n++) {
      clock.advance(5_000); // the lease is renewed meanwhile
      await quiet();
    }
    expect([dying.numbers(), other.numbers()]).toEqual([[1], []]);
    store.breakNext("renewOrder", 99); // from here on it is as good as dead
    for (let n = 0; n < 30; n++) {
      clock.advance(1_000);
      await quiet();
    }
    expect(other.performed).toEqual([
      { n: 1, key: "ses_a:1:1000000", attempt: 2 },
      { n: 2, key: "ses_a:2:1000000", attempt: 1 },
    ]);
  });

  it("a node that has lost its lease is asked to stop, and changes nothing of what the other one does", async () => {
    const { store, clock } = await world({ a: [ship(1)] });
    let signal: AbortSignal | undefined;
    const slow: Answer = (_, call) =>
      new Promise((_resolve, reject) => {
        ({ signal } = call);
        call.signal.addEventListener("abort", () => reject(new Error("aborted")));
      });
    const first = processOn(store, clock, { node: "n1", shared: true, answer: slow });
    first.outbox.wake();
    await quiet();
    clock.leap(20_000); // a paused process
    await store.claimOrder({
      id: 1,
      sessionId: sid("a"),
      slice: "deploy",
      node: "n2",
      nowMs: clock.now() + 20_000,
      leaseUntilMs: clock.now() + 40_000,
      sole: false,
      key: null,
    });
    clock.advance(5_000);
    await quiet();
    expect(signal?.aborted).toBe(true);
    expect(await store.openOrders({ limit: 5 })).toMatchObject([{ status: "performing", attempts: 2, failures: 0 }]);
  });

  it("a node without the worker forgets what another one has done", async () => {
    const { store, clock } = await world({ a: [ship(1)] });
    const without = processOn(store, clock, { node: "n1", shared: true });
    without.workers.clear();
    without.outbox.wake();
    await quiet();
    const other = processOn(store, clock, { node: "n2", shared: true });
    other.outbox.wake();
    await quiet();
    clock.advance(30_000);
    await quiet();
    expect(other.numbers()).toEqual([1]);
    expect(clock.alarms).toEqual([]);
  });
});

describe("the end of the work", () => {
  const untilStopped: Answer = (_, { signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("stopped"))));

  it("drains: begins nothing more, waits three seconds for what runs, then asks it to stop; no failure is counted", async () => {
    const { store, clock } = await world({ a: [ship(1), ship(2)] });
    const { router, outbox, numbers, reports } = processOn(store, clock, { answer: untilStopped });
    outbox.wake();
    await quiet();
    let isDrained = false;
    const drained = Promise.all([outbox.drain(), router.drain()]).then(() => (isDrained = true));
    await quiet();
    clock.advance(2_999);
    await quiet();
    expect(isDrained).toBe(false);
    clock.advance(1);
    await drained;
    expect(numbers()).toEqual([1]);
    expect(reports).toEqual([]);
    expect(await store.openOrders({ limit: 5 })).toMatchObject([{ status: "later", failures: 0, nextAtMs: 0 }]);
    const next = processOn(store, clock, { node: "n2" });
    next.outbox.wake();
    await quiet();
    expect(next.numbers()).toEqual([1, 2]);
  });

  it("leaves a worker that does not stop to the next start", async () => {
    const { store, clock } = await world({ a: [ship(1)] });
    const { router, outbox } = processOn(store, clock, { answer: () => forever });
    outbox.wake();
    await quiet();
    const drained = router.drain();
    await quiet();
    clock.advance(3_000);
    await quiet();
    clock.advance(2_000);
    await drained;
    expect(await pending(store)).toBe(1);
  });

  it("a plugin that is switched off is asked to stop, and its order waits for it", async () => {
    const { store, clock } = await world({ a: [ship(1)] });
    const { router, outbox, workers, worker, numbers, reports } = processOn(store, clock, { answer: untilStopped });
    outbox.wake();
    await quiet();
    workers.clear();
    router.workersChanged();
    await quiet();
    clock.advance(0);
    await quiet();
    expect(reports).toEqual([]);
    expect(await store.openOrders({ limit: 5 })).toMatchObject([{ status: "no-worker", failures: 0 }]);
    workers.set("deploy/ship", { ...worker, perform: async () => "done" });
    router.workersChanged();
    await quiet();
    expect(numbers()).toEqual([1]);
    expect(await pending(store)).toBe(0);
  });

  it("work that takes longer than ten minutes is asked to stop and counts as failed", async () => {
    const { store, clock } = await world({ a: [ship(1)] });
    const { outbox } = processOn(store, clock, { answer: untilStopped });
    outbox.wake();
    await quiet();
    clock.advance(599_999);
    await quiet();
    expect(await store.openOrders({ limit: 5 })).toMatchObject([{ status: "performing" }]);
    clock.advance(1);
    await quiet();
    expect(await store.openOrders({ limit: 5 })).toMatchObject([
      { status: "failed", failures: 1, lastError: "no end within 600 s" },
    ]);
  });
});
