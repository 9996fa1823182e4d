import { describe, expect, it } from "vitest";
import { resolvePlanMode } from "../plan-mode/settings.ts";
import { levelsFor, resolveTurns } from "./resolve.ts";
import { Config } from "./config.ts";

describe("going on unattended", () => {
  it("[AU-05] is off and careful by default, and set for all agents, then for one, field by field", () => {
    const bare = { enabled: false, maxCycles: 5, maxIterations: 100, stopOnMutation: true };
    expect(resolveTurns(Config.parse({}), { agentId: "main" }).autoContinue).toEqual(bare);
    const config = Config.parse({
      agents: {
        defaults: { autoContinue: { enabled: true, maxIterations: 20 } },
        list: [{ id: "night", autoContinue: { maxIterations: 7, stopOnMutation: false } }, { id: "plain" }],
      },
    });
    const set = { ...bare, enabled: true, maxIterations: 20 };
    expect(resolveTurns(config, { agentId: "plain" }).autoContinue).toEqual(set);
    expect(resolveTurns(config, { agentId: "night" }).autoContinue).toEqual({
      ...set,
      maxIterations: 7,
      stopOnMutation: false,
    });
    expect(Config.safeParse({ agents: { defaults: { autoContinue: { maxIterations: 0 } } } }).success).toBe(false);
  });
});

describe("models whose sessions start in plan mode", () => {
  const given = (autoEnableFor: string[]) =>
    Config.safeParse({
      agents: { defaults: { planMode: { autoEnableFor } }, list: [{ id: "a", planMode: { autoEnableFor } }] },
    });

  it.each(["openai/*", "*-mini", "gpt-?", "ollama/llama3.1:8b", "x/y_z@1+2", "claude-3.*"])(
    "[AU-04] are named by globs: %s",
    (pattern) => {
      expect(given([pattern]).success).toBe(true);
    },
  );

  it.each(["^gpt-5", "gpt-(4|5)", "gpt-[45]", "gpt\\d", "mini$", "a{2}", "/gpt/i"])(
    "[AU-04] are not named by regular expressions, and the file is refused with what to write: %s",
    (pattern) => {
      const { error } = given(["openai/*", pattern]);
      expect(error?.issues[0]).toMatchObject({
        path: ["agents", "defaults", "planMode", "autoEnableFor", 1],
        message: 'a glob such as "openai/*" or "*-mini"; regular expressions are not taken',
      });
    },
  );
});

describe("the permission mode of a new session", () => {
  const config = Config.parse({
    agents: {
      defaults: { permissionMode: "accept" },
      list: [{ id: "careful", permissionMode: "ask" }, { id: "plain" }],
    },
    bindings: [{ surface: "nightly", permissionMode: "bypass" }],
  });
  const modeOf = (agentId: string, surface = "cli") =>
    resolvePlanMode(levelsFor(config, { agentId, surface })).permissionMode;

  it("[GA-02] is the file's default, then the agent's, then the binding's", () => {
    expect([modeOf("main"), modeOf("plain"), modeOf("careful"), modeOf("careful", "nightly")]).toEqual([
      "accept",
      "accept",
      "ask",
      "bypass",
    ]);
  });

  it("[GA-02, GA-03] left out, is default; tools are strict", () => {
    const bare = Config.parse({});
    expect(resolvePlanMode(levelsFor(bare, { agentId: "main", surface: "cli" })).permissionMode).toBe("default");
    expect(bare.tools.strict).toBe(true);
    expect(Config.safeParse({ agents: { defaults: { permissionMode: "plan" } } }).success).toBe(false);
  });
});
