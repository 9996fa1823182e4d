import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { systemClock } from "./clock.ts";

const HOUR_MS = 3_600_000;

describe("the system's clock", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("wakes at the moment, once, and not before", () => {
    const woken: number[] = [];
    const atMs = systemClock.now() + HOUR_MS;
    systemClock.wakeAt(atMs, () => void woken.push(systemClock.now()));
    vi.advanceTimersByTime(HOUR_MS - 1);
    expect(woken).toEqual([]);
    vi.advanceTimersByTime(HOUR_MS);
    expect(woken).toEqual([atMs]);
  });

  it("[I21] wakes within 2 seconds after a machine that slept past the moment, though no timer counted that time", () => {
    let woken = false;
    systemClock.wakeAt(systemClock.now() + HOUR_MS, () => void (woken = true));
    vi.setSystemTime(systemClock.now() + 8 * HOUR_MS);
    vi.advanceTimersByTime(2_000);
    expect(woken).toBe(true);
  });

  it("does not wake what was called off", () => {
    let woken = false;
    const callOff = systemClock.wakeAt(systemClock.now() + HOUR_MS, () => void (woken = true));
    vi.advanceTimersByTime(HOUR_MS / 2);
    callOff();
    vi.advanceTimersByTime(HOUR_MS);
    expect(woken).toBe(false);
  });
});
