import { describe, expect, it } from "vitest";
import { checkConfig } from "./check-config.ts";

const SCHEMA = {
  type: "object",
  properties: {
    target: { type: "string", enum: ["staging", "production"] },
    limit: { type: "integer", minimum: 1, default: 3 },
    pattern: { type: "string", pattern: "^(a+)+$" },
  },
  required: ["target"],
  additionalProperties: false,
};

describe("settings of a plugin", () => {
  it("[PG-01] are checked against the schema of its manifest, with its defaults", () => {
    expect(checkConfig({ target: "staging" }, SCHEMA)).toEqual({ ok: true, config: { target: "staging", limit: 3 } });
  });

  it.each([
    [{}, "target: "],
    [{ target: "moon" }, "target: "],
    [{ target: "staging", limit: 0 }, "limit: "],
    [{ target: "staging", other: 1 }, 'config: Unrecognized key: "other"'],
  ])("[PG-01] that do not fit are told with their place: %j", (config, start) => {
    const checked = checkConfig(config, SCHEMA);
    expect(checked.ok ? "fits" : checked.problem.slice(0, start.length)).toBe(start);
  });

  it("[PG-01] cannot be there without a schema", () => {
    expect(checkConfig({}, undefined)).toEqual({ ok: true, config: {} });
    expect(checkConfig({ a: 1 }, undefined)).toEqual({ ok: false, problem: '"a": the plugin has no settings' });
  });

  it("[PG-01] are not run through a stranger's pattern, which could hold up the gateway", () => {
    const config = { target: "staging", pattern: `${"a".repeat(40)}!` };
    expect(checkConfig(config, SCHEMA)).toEqual({ ok: true, config: { ...config, limit: 3 } });
  });

  it("[PG-01] refuse a schema that cannot be used", () => {
    const deep = JSON.parse(`${'{"items":'.repeat(40)}{}${"}".repeat(40)}`);
    expect(checkConfig({}, { type: "object", if: {} })).toMatchObject({ ok: false });
    expect(checkConfig({}, deep)).toEqual({
      ok: false,
      problem: "its configSchema cannot be used: it is nested too deeply",
    });
  });
});
