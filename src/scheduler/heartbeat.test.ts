import { describe, expect, it } from "vitest";
import { HeartbeatSettings } from "./protocol/schedule.ts";
import { heartbeatSpec, isNothing, isWithin, sameHeartbeat } from "./heartbeat.ts";

describe("a heartbeat", () => {
  it.each(["", "  \n", "HEARTBEAT_OK", " HEARTBEAT_OK.\n", "**HEARTBEAT_OK**", "`HEARTBEAT_OK`"])(
    "[AU-06] that answers %j has nothing to tell",
    (text) => expect(isNothing(text)).toBe(true),
  );

  it.each(["HEARTBEAT_OK, but the disk is full", "Disk full. HEARTBEAT_OK", "ok", "heartbeat_ok?"])(
    "[AU-06] that answers %j has",
    (text) => expect(isNothing(text)).toBe(false),
  );

  it("[AU-06] keeps to its hours by the clock on the wall, over midnight too, in summer and in winter", () => {
    const day = { start: "08:00", end: "22:00", timezone: "Europe/Berlin" };
    const at = (hours: typeof day, time: string): boolean => isWithin(hours, Date.parse(time));
    expect([at(day, "2026-01-10T07:00:00Z"), at(day, "2026-07-10T06:00:00Z")]).toEqual([true, true]);
    expect([at(day, "2026-01-10T06:59:59Z"), at(day, "2026-01-10T21:00:00Z")]).toEqual([false, false]);
    const night = { ...day, start: "22:00", end: "06:00" };
    expect([
      at(night, "2026-01-10T23:30:00Z"),
      at(night, "2026-01-10T04:59:00Z"),
      at(night, "2026-01-10T05:00:00Z"),
    ]).toEqual([true, true, false]);
  });

  it("[AU-06] is off unless the configuration says how often, and refuses what cannot be meant", () => {
    for (const wrong of [
      {},
      { every: "soon" },
      { every: "30m", tz: "Mars/Phobos" },
      { every: "30m", activeHours: { start: "8", end: "9" } },
    ])
      expect(HeartbeatSettings.safeParse(wrong).success).toBe(false);
    expect(heartbeatSpec(HeartbeatSettings.parse({ every: "0m" }), 0)).toBeUndefined();
    expect(heartbeatSpec(HeartbeatSettings.parse({ every: "1h" }), 5)?.schedule).toEqual({
      kind: "every",
      everyMs: 3_600_000,
      anchorMs: 5,
    });
  });

  it("[AU-06] whose settings stayed the same keeps its count", () => {
    const spec = (settings: object, nowMs: number) => {
      const made = heartbeatSpec(HeartbeatSettings.parse(settings), nowMs);
      if (made === undefined) throw new Error("no heartbeat");
      return made;
    };
    expect(sameHeartbeat(spec({ every: "1h" }, 0), spec({ every: "60m" }, 99))).toBe(true);
    expect(sameHeartbeat(spec({ every: "1h" }, 0), spec({ every: "1h", prompt: "Look." }, 0))).toBe(false);
  });
});
