import { describe, expect, it } from "vitest";
import { byAlice, type EngineWorld, engineWorld, gate } from "../../test/kit/engine.ts";
import { quiet } from "../../test/kit/fake-clock.ts";
import type { DueTimer } from "../store/store.ts";
import { createTimers } from "./timers.ts";

const RING_MS = 60_000; // the kit's gate rings this long after it was armed

function timersOver(world: EngineWorld) {
  const fired: string[] = [];
  const reports: string[] = [];
  const refuse = new Set<string>();
  const timers = createTimers({
    store: world.store,
    clock: world.clock,
    async fire({ sessionId, timer }: DueTimer) {
      if (refuse.has(sessionId)) throw new Error(`${sessionId} could not be saved`);
      const outcome = await world.engine.dispatch(
        sessionId,
        { type: "timer.fire", key: timer.key, atMs: timer.atMs },
        byAlice,
      );
      fired.push(`${sessionId} ${outcome.ok ? "rang" : outcome.refusal.code}`);
    },
    report: (error) => void reports.push(error instanceof Error ? error.message : String(error)),
  });
  return { timers, fired, reports, refuse };
}

async function armed(...names: string[]) {
  const world = engineWorld();
  for (const name of names) {
    await world.must(await world.open(name), gate({ do: "arm" }));
    world.clock.advance(1);
  }
  return world;
}

describe("timers", () => {
  it("[AU-03] fires at the time, not before, once, and takes the timer off", async () => {
    const world = await armed("a");
    const { timers, fired } = timersOver(world);
    timers.wake();
    await quiet();
    world.clock.advance(RING_MS - 2);
    await quiet();
    expect(fired).toEqual([]);
    world.clock.advance(1);
    await quiet();
    world.clock.advance(RING_MS * 10);
    timers.wake();
    await quiet();
    expect(fired).toEqual(["ses_a rang"]);
    expect(await world.store.nextTimerAtMs()).toBeUndefined();
    expect(world.clock.alarms).toEqual([]);
  });

  it("[AU-03] [PL-12] fires late, in order, what fell due while the gateway was down", async () => {
    const world = await armed("a", "b", "c");
    world.clock.leap(RING_MS * 100);
    const { timers, fired } = timersOver(engineWorld(world)); // started afterwards
    timers.wake();
    await quiet();
    expect(fired).toEqual(["ses_a rang", "ses_b rang", "ses_c rang"]);
  });

  it("[AU-03] fires late after the process was paused, and only once", async () => {
    const world = await armed("a", "b");
    const { timers, fired } = timersOver(world);
    timers.wake();
    await quiet();
    world.clock.leap(RING_MS * 3);
    timers.wake();
    await quiet();
    expect(fired).toEqual(["ses_a rang", "ses_b rang"]);
  });

  it("[I21] is armed anew for an earlier timer, and for one that was cleared", async () => {
    const world = await armed("a");
    const { timers, fired } = timersOver(world);
    timers.wake();
    await quiet();
    const first = world.clock.now() - 1 + RING_MS;
    expect(world.clock.alarms).toEqual([first]);
    world.clock.advance(10);
    await world.must(await world.open("b"), gate({ do: "arm" }));
    await world.must(await world.open("a2"), gate({ do: "open" }));
    timers.wake();
    await quiet();
    expect(world.clock.alarms).toEqual([first]);
    const [a] = await world.store.dueTimers({ atMs: first, limit: 1 });
    if (a === undefined) throw new Error("no timer");
    await world.must(a.sessionId, gate({ do: "disarm" }));
    timers.wake();
    await quiet();
    expect(world.clock.alarms).toEqual([first + 11]);
    world.clock.advance(RING_MS);
    await quiet();
    expect(fired).toEqual(["ses_b rang"]);
  });

  it("[I21] tries again what could not be saved, every second, until it is", async () => {
    const world = await armed("a");
    const { timers, fired, reports, refuse } = timersOver(world);
    refuse.add("ses_a");
    timers.wake();
    await quiet();
    world.clock.advance(RING_MS);
    await quiet();
    world.clock.advance(1_000);
    await quiet();
    expect(reports).toEqual(["ses_a could not be saved", "ses_a could not be saved"]);
    refuse.clear();
    world.clock.advance(1_000);
    await quiet();
    expect(fired).toEqual(["ses_a rang"]);
    expect(world.clock.alarms).toEqual([]);
  });

  it("[I21] one session whose timer cannot fire holds up no other", async () => {
    const world = await armed("a", "b");
    const { timers, fired, refuse } = timersOver(world);
    refuse.add("ses_a");
    world.clock.advance(RING_MS);
    timers.wake();
    await quiet();
    expect(fired).toEqual(["ses_b rang"]);
    refuse.clear();
    world.clock.advance(1_000);
    await quiet();
    expect(fired).toEqual(["ses_b rang", "ses_a rang"]);
  });

  it("reads again after the store could not be read", async () => {
    const world = await armed("a");
    const { timers, fired, reports } = timersOver(world);
    world.store.breakNext("dueTimers");
    world.clock.advance(RING_MS);
    timers.wake();
    await quiet();
    expect(reports).toEqual(["dueTimers is broken"]);
    world.clock.advance(1_000);
    await quiet();
    expect(fired).toEqual(["ses_a rang"]);
  });

  it("[I21] loses no wake-up that comes in the very tick in which it falls asleep", async () => {
    const world = engineWorld();
    const { timers } = timersOver(world);
    for (let tick = 0; tick < 12; tick++) {
      const id = await world.open(`s${tick}`);
      timers.wake();
      const landed = world.must(id, gate({ do: "arm" }));
      for (let n = 0; n < tick; n++) await Promise.resolve();
      await landed;
      timers.wake();
      await quiet();
      expect(world.clock.alarms).toHaveLength(1);
      world.clock.advance(RING_MS);
      await quiet();
      expect(await world.store.nextTimerAtMs()).toBeUndefined();
    }
  });

  it("stops: nothing fires any more", async () => {
    const world = await armed("a");
    const { timers, fired } = timersOver(world);
    timers.wake();
    await quiet();
    await timers.stop();
    world.clock.advance(RING_MS * 2);
    timers.wake();
    await quiet();
    expect(fired).toEqual([]);
    expect(await world.store.nextTimerAtMs()).toBeDefined();
  });
});
