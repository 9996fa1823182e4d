/** The configuration of code mode: what switches it on, ranges, and levels. */
import { describe, expect, it } from "vitest";
import { Config } from "../config/config.ts";
import { CodeModeChoice } from "./protocol/code-mode-config.ts";
import { resolveCodeMode } from "./settings.ts";

const resolved = (codeMode: CodeModeChoice | undefined, own?: CodeModeChoice) =>
  resolveCodeMode({ tools: { codeMode }, agent: own === undefined ? undefined : { tools: { codeMode: own } } });

describe("tools.codeMode", () => {
  it("[CM-01] 1, 2, 141: is on only by true, auto, or enabled: true", () => {
    expect([undefined, false, {}, { timeoutMs: 1 }, { enabled: false }].map((one) => resolved(one).enabled)).toEqual(
      Array.from({ length: 5 }, () => false),
    );
    expect(resolved(true)).toEqual(resolved({ enabled: true }));
    expect(resolved("auto")).toEqual(resolved({ enabled: true, mode: "auto" }));
    for (const enabled of ["true", 1, null]) expect(CodeModeChoice.safeParse({ enabled }).success).toBe(false);
  });

  it("[CM-02] 16, 17, 26, 136: refuses other values and unknown fields at load, with the field", () => {
    const problems = [
      { runtime: "node:vm" },
      { mode: "sometimes" },
      { languages: [] },
      { languages: ["python"] },
      { timeoutMs: Number.NaN },
      { timeoutMs: "10" },
      { surprise: 1 },
    ];
    for (const codeMode of problems) {
      const parsed = Config.safeParse({ tools: { codeMode: { enabled: true, ...codeMode } } });
      expect(parsed.success).toBe(false);
      expect(JSON.stringify(parsed.error?.issues)).toContain(Object.keys(codeMode)[0]);
    }
  });

  it("[CM-02] 18–26: has the document's defaults, and brings numbers into their ranges", () => {
    expect(resolved(true)).toEqual({
      enabled: true,
      mode: "only",
      languages: ["javascript", "typescript"],
      limits: {
        timeoutMs: 10_000,
        memoryLimitBytes: 67_108_864,
        maxOutputBytes: 65_536,
        maxSnapshotBytes: 10_485_760,
        maxPendingToolCalls: 16,
      },
      snapshotTtlSeconds: 900,
      searchDefaultLimit: 8,
      maxSearchLimit: 50,
      debug: {},
    });
    const huge = Object.fromEntries(
      [
        "timeoutMs",
        "memoryLimitBytes",
        "maxOutputBytes",
        "maxSnapshotBytes",
        "maxPendingToolCalls",
        "snapshotTtlSeconds",
        "searchDefaultLimit",
        "maxSearchLimit",
      ].map((name) => [name, 1e12]),
    );
    expect(resolved({ enabled: true, ...huge })).toMatchObject({
      limits: {
        timeoutMs: 60_000,
        memoryLimitBytes: 1_073_741_824,
        maxOutputBytes: 10_485_760,
        maxSnapshotBytes: 268_435_456,
        maxPendingToolCalls: 128,
      },
      snapshotTtlSeconds: 86_400,
      searchDefaultLimit: 50,
      maxSearchLimit: 50,
    });
    const tiny = Object.fromEntries(Object.keys(huge).map((name) => [name, -5]));
    expect(resolved({ enabled: true, ...tiny })).toMatchObject({
      limits: {
        timeoutMs: 100,
        memoryLimitBytes: 1_048_576,
        maxOutputBytes: 1_024,
        maxSnapshotBytes: 1_024,
        maxPendingToolCalls: 1,
      },
      snapshotTtlSeconds: 1,
      searchDefaultLimit: 1,
      maxSearchLimit: 1,
    });
    expect(resolved({ enabled: true, searchDefaultLimit: 20, maxSearchLimit: 10 }).searchDefaultLimit).toBe(10);
  });

  it("[CM-02] 26: what is read of the file is what holds", () => {
    const codeMode = {
      enabled: true,
      timeoutMs: 1,
      maxSearchLimit: 9_999,
      searchDefaultLimit: 70,
      snapshotTtlSeconds: 2.4,
    };
    expect(Config.parse({ tools: { codeMode } }).tools.codeMode).toEqual({
      enabled: true,
      timeoutMs: 100,
      maxSearchLimit: 50,
      searchDefaultLimit: 50,
      snapshotTtlSeconds: 2,
    });
    expect(CodeModeChoice.parse({ maxSearchLimit: 3, searchDefaultLimit: 8 })).toMatchObject({ searchDefaultLimit: 3 });
  });

  it("[CM-02] 27: an agent's own settings cover the file's field by field", () => {
    expect(resolved({ enabled: true, timeoutMs: 500, maxSearchLimit: 9 }, { timeoutMs: 700 })).toMatchObject({
      enabled: true,
      limits: { timeoutMs: 700 },
      maxSearchLimit: 9,
    });
    expect(resolved(true, false).enabled).toBe(false);
    expect(resolved(undefined, true).enabled).toBe(true);
    const parsed = Config.parse({ agents: { list: [{ id: "a", tools: { codeMode: true } }] } });
    expect(parsed.agents.list[0]?.tools).toEqual({ codeMode: true });
  });
});
