import { describe, expect, it } from "vitest";
import { type EngineWorld, engineWorld, say } from "../../test/kit/engine.ts";
import { quiet } from "../../test/kit/fake-clock.ts";
import { RefusalError } from "../protocol/refusal.ts";
import type { PendingEffect } from "../store/store.ts";
import { createOutbox, type RunEffect } from "./outbox.ts";

/** An outbox whose runner notes what it was given; `answer` decides how each run ends. */
function outboxOver(world: EngineWorld, answer: RunEffect = async () => "done", shared = false) {
  const runs: string[] = [];
  const reports: string[] = [];
  const outbox = createOutbox({
    store: world.store,
    clock: world.clock,
    shared,
    orders: { rereading: () => undefined, offer: () => undefined },
    async run(pending) {
      runs.push(pending.sessionId);
      return answer(pending);
    },
    report: (error) => void reports.push(error instanceof Error ? error.message : String(error)),
  });
  return { outbox, runs, reports };
}

/** Sessions with one requested turn each, so that the outbox holds one row for each. */
async function requested(...names: string[]) {
  const world = engineWorld();
  for (const name of names) await world.must(await world.open(name), say(1));
  return world;
}

describe("the outbox", () => {
  it("[PL-12] carries out what is there, once, and takes it off when it is done", async () => {
    const world = await requested("a", "b");
    const { outbox, runs } = outboxOver(world);
    outbox.wake();
    await quiet();
    outbox.wake();
    await quiet();
    expect(runs).toEqual(["ses_a", "ses_b"]);
    expect(await world.store.pendingEffects({ id: 0, limit: 10 })).toEqual([]);
  });

  it("[PL-12] after a crash the next start runs what is still there", async () => {
    const world = await requested("a", "b");
    const crashed = outboxOver(world, () => new Promise<never>(() => undefined)); // begun, never finished
    crashed.outbox.wake();
    await quiet();
    expect(crashed.runs).toEqual(["ses_a", "ses_b"]);
    const next = outboxOver(world);
    next.outbox.wake();
    await quiet();
    expect(next.runs).toEqual(["ses_a", "ses_b"]);
    expect(await world.store.pendingEffects({ id: 0, limit: 10 })).toEqual([]);
  });

  it("reads on beyond one page", async () => {
    const names = Array.from({ length: 250 }, (_, n) => `s${n}`);
    const world = await requested(...names);
    const { outbox, runs } = outboxOver(world);
    outbox.wake();
    await quiet();
    expect(runs).toEqual(names.map((name) => `ses_${name}`));
  });

  it("[I21] loses no wake-up that comes in the very tick in which it falls asleep", async () => {
    const world = await requested();
    const { outbox, runs } = outboxOver(world);
    const ticks = 12; // more than lie between the last read and sleep: one of these wakes hits the seam
    for (let tick = 0; tick < ticks; tick++) {
      const id = await world.open(`s${tick}`);
      outbox.wake();
      const landed = world.must(id, say(1));
      for (let n = 0; n < tick; n++) await Promise.resolve();
      await landed;
      outbox.wake();
      await quiet();
      expect(runs).toHaveLength(tick + 1);
    }
  });

  it("[I21] tries again what failed, after 1, 2, 4 … and at most 30 seconds, and reports each failure", async () => {
    const world = await requested("a");
    let failures = 7;
    const { outbox, runs, reports } = outboxOver(world, async () => {
      if (failures-- > 0) throw new Error("the outside is down");
      return "done";
    });
    outbox.wake();
    const waits: number[] = [];
    for (await quiet(); world.clock.alarms.length > 0; await quiet()) {
      const waitMs = (world.clock.alarms[0] ?? 0) - world.clock.now();
      waits.push(waitMs);
      world.clock.advance(waitMs);
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    expect(reports).toEqual(Array.from({ length: 7 }, () => "the outside is down"));
    expect(runs).toHaveLength(8);
    expect(await world.store.pendingEffects({ id: 0, limit: 10 })).toEqual([]);
  });

  it("[SC-04] tries again every second while the store is away, however long that is", async () => {
    const world = await requested("a");
    let failures = 7;
    const { outbox, runs } = outboxOver(world, async () => {
      if (failures-- > 0) throw new RefusalError({ code: "STORE_UNAVAILABLE", message: "away", retry: true });
      return "done";
    });
    outbox.wake();
    for (let second = 1; second <= 8; second++) {
      await quiet();
      expect(runs).toHaveLength(second);
      world.clock.advance(1_000);
    }
    await quiet();
    expect(await world.store.pendingEffects({ id: 0, limit: 10 })).toEqual([]);
  });

  it.each([{ shared: false }, { shared: true }])(
    "looks later at work that somebody else holds, and not before its time, %o",
    async ({ shared }) => {
      const world = await requested("a");
      let held = true;
      const { outbox, runs } = outboxOver(world, async () => (held ? "later" : "done"), shared);
      outbox.wake();
      await quiet();
      outbox.wake(); // other work was committed: no reason to try this one again at once
      await quiet();
      expect(runs).toHaveLength(1);
      held = false;
      world.clock.advance(1_000);
      await quiet();
      expect(runs).toHaveLength(2);
      expect(world.clock.alarms).toEqual([]);
    },
  );

  it("runs again what was done but could not be taken off: at least once, never lost", async () => {
    const world = await requested("a");
    world.store.breakNext("effectDone");
    const { outbox, runs } = outboxOver(world);
    outbox.wake();
    await quiet();
    world.clock.advance(1_000);
    await quiet();
    expect(runs).toEqual(["ses_a", "ses_a"]);
    expect(await world.store.pendingEffects({ id: 0, limit: 10 })).toEqual([]);
  });

  it("reads again after the store could not be read", async () => {
    const world = await requested("a");
    world.store.breakNext("pendingEffects");
    const { outbox, runs, reports } = outboxOver(world);
    outbox.wake();
    await quiet();
    expect(reports).toEqual(["pendingEffects is broken"]);
    world.clock.advance(1_000);
    await quiet();
    expect(runs).toEqual(["ses_a"]);
  });

  it("one piece of work that hangs holds up no other", async () => {
    const world = await requested("slow", "fast");
    const stuck = new Promise<never>(() => undefined);
    const isSlow = (pending: PendingEffect) => pending.sessionId === "ses_slow";
    const { outbox, runs } = outboxOver(world, (pending) => (isSlow(pending) ? stuck : Promise.resolve("done")));
    outbox.wake();
    await quiet();
    expect(runs).toEqual(["ses_slow", "ses_fast"]);
    expect(await world.store.pendingEffects({ id: 0, limit: 10 })).toMatchObject([{ sessionId: "ses_slow" }]);
  });

  it("begins at most 1,000 at once, and the rest when something has finished", async () => {
    const names = Array.from({ length: 1_300 }, (_, n) => `s${n}`);
    const world = await requested(...names);
    const work = Promise.withResolvers<"done">();
    const { outbox, runs } = outboxOver(world, () => work.promise);
    outbox.wake();
    await quiet();
    expect(runs).toHaveLength(1_000);
    work.resolve("done");
    await quiet();
    expect(runs).toEqual(names.map((name) => `ses_${name}`));
  });

  it("drains: takes nothing new and waits for what runs", async () => {
    const world = await requested("a");
    const work = Promise.withResolvers<"done">();
    const { outbox, runs } = outboxOver(world, () => work.promise);
    outbox.wake();
    await quiet();
    const drained = outbox.drain().then(() => "drained");
    await world.must(await world.open("b"), say(1));
    outbox.wake();
    await quiet();
    expect(await Promise.race([drained, Promise.resolve("waiting")])).toBe("waiting");
    work.resolve("done");
    expect(await drained).toBe("drained");
    expect(runs).toEqual(["ses_a"]);
    expect(await world.store.pendingEffects({ id: 0, limit: 10 })).toMatchObject([{ sessionId: "ses_b" }]);
  });
});
