import { describe, expect, it } from "vitest";
import { createGuessLimit, GUESSES_FREE, LOCK_FIRST_MS, LOCK_MS_MAX } from "./guess-limit.ts";
import { createRateLimit } from "./rate-limit.ts";

describe("wrong tokens", () => {
  const guessing = () => {
    let nowMs = 0;
    const guesses = createGuessLimit(() => nowMs);
    return { guesses, pass: (ms: number) => void (nowMs += ms) };
  };

  it("[GW-03] are free a few times, then cost a wait that doubles up to a limit", () => {
    const { guesses, pass } = guessing();
    const waits = Array.from({ length: GUESSES_FREE + 8 }, () => {
      guesses.wrong("peer");
      const waitMs = guesses.waitMs("peer");
      pass(waitMs);
      return waitMs;
    });
    const doubling = Array.from({ length: 9 }, (_, n) => Math.min(LOCK_FIRST_MS * 2 ** n, LOCK_MS_MAX));
    expect(waits).toEqual([...Array.from({ length: GUESSES_FREE - 1 }, () => 0), ...doubling]);
  });

  it("[GW-03] of one peer slow nobody else", () => {
    const { guesses } = guessing();
    for (let n = 0; n < 20; n += 1) guesses.wrong("peer");
    expect([guesses.waitMs("peer") > 0, guesses.waitMs("other")]).toEqual([true, 0]);
  });

  it("[GW-03] are forgotten after a right one, and after a quiet quarter of an hour", () => {
    const { guesses, pass } = guessing();
    for (let n = 0; n < GUESSES_FREE; n += 1) guesses.wrong("peer");
    guesses.right("peer");
    expect(guesses.waitMs("peer")).toBe(0);
    for (let n = 0; n < GUESSES_FREE; n += 1) guesses.wrong("peer");
    pass(15 * 60_000 + 1);
    guesses.wrong("peer");
    expect(guesses.waitMs("peer")).toBe(0);
  });

  it("[GW-05] of many peers take a bounded place: the longest unheard is forgotten first", () => {
    const { guesses } = guessing();
    for (const peer of ["first", "second"]) for (let n = 0; n < GUESSES_FREE; n += 1) guesses.wrong(peer);
    for (let n = 0; n < 9_999; n += 1) guesses.wrong(`peer ${n}`);
    expect([guesses.waitMs("first"), guesses.waitMs("second")]).toEqual([0, LOCK_FIRST_MS]);
  });
});

describe("the rate of requests", () => {
  it("[GW-05] is one second's worth at once, and then as fast as it fills", () => {
    let nowMs = 0;
    const rate = createRateLimit(4, () => nowMs);
    const taken = (): number => Array.from({ length: 20 }, () => rate.take()).filter(Boolean).length;
    expect([taken(), rate.waitMs()]).toEqual([4, 250]);
    nowMs += 250;
    expect(taken()).toBe(1);
    nowMs += 60_000; // a long rest gives no more than a full bucket
    expect(taken()).toBe(4);
    nowMs -= 10_000; // nor does a clock that steps back take anything away
    expect(taken()).toBe(0);
  });
});
