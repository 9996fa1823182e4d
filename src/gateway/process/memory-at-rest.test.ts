import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { giveBackAtRest } from "./memory-at-rest.ts";

const MIB = 1_048_576;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function gateway() {
  const now = { heapMib: 50, running: 0, collected: 0 };
  const collect = (): void => {
    now.collected += 1;
    now.heapMib = 50;
  };
  const rest = giveBackAtRest(
    () => now.running > 0,
    () => now.heapMib * MIB,
    collect,
  );
  const later = (seconds: number): void => void vi.advanceTimersByTime(seconds * 1_000);
  return { now, rest, later };
}

it("[QA-07] the garbage of a burst is collected once the gateway rests, and not again before it has worked again", () => {
  const { now, rest, later } = gateway();
  rest.worked();
  now.heapMib = 200;
  for (let second = 0; second < 30; second++) {
    rest.worked();
    later(1);
  }
  now.running = 1;
  later(60);
  expect(now.collected).toBe(0);
  now.running = 0;
  later(10);
  expect(now.collected).toBe(1);
  now.heapMib = 200;
  later(600);
  expect([now.collected, vi.getTimerCount()]).toEqual([1, 0]);
  rest.worked();
  later(10);
  expect(now.collected).toBe(2);
});

it("[QA-07] a heap that has hardly grown, or that is so large that everybody would wait, is left alone", () => {
  const { now, rest, later } = gateway();
  rest.worked();
  for (const mib of [60, 2_000]) {
    now.heapMib = mib;
    rest.worked();
    later(20);
  }
  expect(now.collected).toBe(0);
  rest.worked();
  rest.stop();
  expect(vi.getTimerCount()).toBe(0);
});
