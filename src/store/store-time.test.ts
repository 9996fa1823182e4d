import { describe, expect, it } from "vitest";
import { type LocalTime, machineTime, serverTime, type TimeReading } from "./store-time.ts";

const HOUR_MS = 3_600_000;

type Machine = LocalTime & { pass(ms: number): void; set(ms: number): void; sleep(ms: number): void };

/** A machine whose clock a test can set, and which it can put to sleep. */
function machine(): Machine {
  let [wallMs, countedMs] = [10_000_000, 500];
  return {
    wallMs: () => wallMs,
    monotonicMs: () => countedMs,
    pass(ms) {
      wallMs += ms;
      countedMs += ms;
    },
    set: (ms) => void (wallMs += ms),
    sleep: (ms) => void (wallMs += ms),
  };
}

/** A server whose clock runs beside the machine's; a question takes as long as it is told. */
function reading(local: LocalTime, { aheadMs, tookMs = 2 }: { aheadMs: number; tookMs?: number }): TimeReading {
  const cameAtMs = local.monotonicMs();
  const serverMs = 10_000_000 - 500 + aheadMs + cameAtMs - tookMs / 2;
  return { serverMs, askedAtMs: cameAtMs - tookMs, cameAtMs };
}

describe("time by a server's clock", () => {
  it("[SC-04] goes on by the server's clock when the machine's is set ahead or back, and shows by how much", () => {
    const local = machine();
    const time = serverTime(local, reading(local, { aheadMs: 0 }));
    local.set(25 * HOUR_MS);
    local.pass(1_000);
    expect([time.nowMs(), time.skewMs()]).toEqual([10_001_000, 25 * HOUR_MS]);
    local.set(-26 * HOUR_MS);
    local.pass(1_000);
    expect([time.nowMs(), time.skewMs()]).toEqual([10_002_000, -HOUR_MS]);
  });

  it("[SC-04] of a node whose clock is wrong from the start is the server's", () => {
    const local = machine();
    const time = serverTime(local, reading(local, { aheadMs: HOUR_MS }));
    expect([time.nowMs(), time.skewMs()]).toEqual([10_000_000 + HOUR_MS, -HOUR_MS]);
  });

  it("keeps the more exact of two readings that agree, and follows one that contradicts", () => {
    const local = machine();
    const time = serverTime(local, reading(local, { aheadMs: 0, tookMs: 2 }));
    time.read(reading(local, { aheadMs: 40, tookMs: 100 }));
    expect(time.nowMs()).toBe(10_000_000);
    time.read(reading(local, { aheadMs: 5_000, tookMs: 100 }));
    expect(time.nowMs()).toBe(10_005_000);
    time.read(reading(local, { aheadMs: -HOUR_MS, tookMs: 4 }));
    expect(time.nowMs()).toBe(10_000_000 - HOUR_MS);
  });

  it("takes a less exact reading when the last one has become old", () => {
    const local = machine();
    const time = serverTime(local, reading(local, { aheadMs: 0, tookMs: 2 }));
    local.pass(HOUR_MS);
    time.read(reading(local, { aheadMs: 400, tookMs: 100 }));
    expect(time.nowMs()).toBe(10_000_400 + HOUR_MS);
  });

  it("stands still for a small correction backwards, and does not run backwards", () => {
    const local = machine();
    const time = serverTime(local, reading(local, { aheadMs: 300, tookMs: 400 }));
    expect(time.nowMs()).toBe(10_000_300);
    time.read(reading(local, { aheadMs: 0, tookMs: 2 }));
    expect(time.nowMs()).toBe(10_000_300);
    local.pass(301);
    expect(time.nowMs()).toBe(10_000_301);
  });

  it("is in doubt after a sleep that the counter did not see, until the server is asked again", () => {
    const local = machine();
    const time = serverTime(local, reading(local, { aheadMs: 0 }));
    local.pass(HOUR_MS);
    expect(time.isInDoubt()).toBe(false);
    local.sleep(HOUR_MS);
    expect(time.isInDoubt()).toBe(true);
    time.read(reading(local, { aheadMs: HOUR_MS }));
    expect([time.isInDoubt(), time.nowMs()]).toEqual([false, 10_000_000 + 2 * HOUR_MS]);
  });
});

describe("time by the machine's own clock", () => {
  it("[SC-04] follows a clock that is set ahead, as after a sleep", () => {
    const local = machine();
    const time = machineTime(local);
    local.set(HOUR_MS);
    expect([time.nowMs(), time.skewMs()]).toEqual([10_000_000 + HOUR_MS, 0]);
  });

  it("[SC-04] never runs backwards: a clock that is set back is met at half speed, and by how much is shown", () => {
    const local = machine();
    const time = machineTime(local);
    local.set(-HOUR_MS);
    expect([time.nowMs(), time.skewMs()]).toEqual([10_000_000, -HOUR_MS]);
    local.pass(HOUR_MS);
    expect([time.nowMs(), time.skewMs()]).toEqual([10_000_000 + HOUR_MS / 2, -HOUR_MS / 2]);
    local.pass(2 * HOUR_MS);
    expect([time.nowMs(), time.skewMs()]).toEqual([10_000_000 + 2 * HOUR_MS, 0]);
  });
});
