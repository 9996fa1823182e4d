import { describe, expect, it } from "vitest";
import { nextOf } from "./job-spec.ts";

const cron = (expression: string) => ({ kind: "cron", expression, timezone: "UTC" }) as const;
const TOO_OFTEN = { error: "It would run more often than every 10 seconds. Choose a longer interval." };

describe("a schedule", () => {
  it.each([
    ["every second", "* * * * * *"],
    ["two seconds of one minute", "0,5 0 9 * * *"],
    ["the end of one minute and the beginning of the next", "0,55 0,1 9 * * *"],
  ])("[AU-07] that comes too often is refused, at whatever moment it is asked about: %s", async (_what, expression) => {
    const moments = ["08:00:00", "09:00:03", "09:00:57", "09:01:58"].map((time) => Date.parse(`2026-03-02T${time}Z`));
    expect(await Promise.all(moments.map((nowMs) => nextOf(cron(expression), nowMs)))).toEqual(
      moments.map(() => TOO_OFTEN),
    );
  });

  it("[AU-07] that comes every ten seconds, or once, is taken", async () => {
    const nowMs = Date.parse("2026-03-02T08:00:03Z");
    expect([
      await nextOf(cron("*/10 * * * * *"), nowMs),
      await nextOf({ kind: "at", atMs: nowMs }, nowMs),
      await nextOf({ kind: "at", atMs: nowMs - 1 }, nowMs),
    ]).toEqual([
      { nextAtMs: Date.parse("2026-03-02T08:00:10Z") },
      { nextAtMs: nowMs },
      { error: "2026-03-02T08:00:02.999Z has passed. Name a time to come." },
    ]);
  });
});
