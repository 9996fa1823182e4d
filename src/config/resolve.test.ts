import { describe, expect, it } from "vitest";
import { resolvePlanMode } from "../plan-mode/settings.ts";
import { levelsFor } from "./resolve.ts";
import { Config } from "./config.ts";

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
