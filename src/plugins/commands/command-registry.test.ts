import { describe, expect, it } from "vitest";
import type { PluginTier } from "../../protocol/plugin/plugin-manifest.ts";
import { createCommandRegistry, onlyReads, type RegisteredCommand, scopesFor, usageOf } from "./command-registry.ts";

const command = (name: string, tier: PluginTier = "ordinary", pluginId = "outside"): RegisteredCommand => ({
  pluginId,
  tier,
  spec: { name, description: "A command." },
  slice: () => undefined,
  handler: async () => ({ message: "" }),
});
const codeOf = (registry: ReturnType<typeof createCommandRegistry>, asked: RegisteredCommand): string =>
  registry.problem(asked)?.refused.code ?? "free";

describe("the command registry", () => {
  it.each([
    ..."plan approve help status tools tasks plugins mcp agents session config".split(" "),
    ..."acp focus unfocus tts fast trace export-session compact think".split(" "),
  ])("[PG-05] /%s is no ordinary plugin's, before and after its owner came", (root) => {
    const registry = createCommandRegistry();
    expect(codeOf(registry, command(root))).toBe("COMMAND_RESERVED");
    registry.add(command("plan", "bundled", "plan-mode"));
    expect(codeOf(registry, command(root))).toBe("COMMAND_RESERVED");
  });

  it.each(["pian", "p1an", "pl-an", "p-l-a-n", "pla-n"])("[PG-05] /%s is /plan in another spelling", (spelling) => {
    expect(codeOf(createCommandRegistry(), command(spelling))).toBe("COMMAND_RESERVED");
    expect(codeOf(createCommandRegistry(), command(spelling, "trusted"))).toBe("COMMAND_RESERVED");
  });

  it.each(["PLAN", "plаn", "pl\u200ban", "/plan", "plan ", "deploy now", ""])(
    "[PG-05] %j is no name of a command",
    (name) => {
      expect(codeOf(createCommandRegistry(), command(name))).toBe("INVALID_REQUEST");
    },
  );

  it("[PG-05] a reserved root without an owner goes to a trusted plugin that declares it, and to no other", () => {
    const registry = createCommandRegistry();
    const trusted = command("tasks", "trusted", "tracker");
    expect(codeOf(registry, trusted)).toBe("COMMAND_RESERVED");
    expect(codeOf(registry, { ...trusted, spec: { ...trusted.spec, ownership: "reserved" } })).toBe("free");
    const plan = command("plan", "trusted", "plan-mode");
    expect(codeOf(registry, { ...plan, spec: { ...plan.spec, ownership: "reserved" } })).toBe("COMMAND_RESERVED");
  });

  it("[PG-05] ownership of the kind that the RFC calls trusted claims a reserved root as well", () => {
    const registry = createCommandRegistry();
    const claim = (tier: PluginTier) => {
      const asked = command("tasks", tier, "tracker");
      return codeOf(registry, { ...asked, spec: { ...asked.spec, ownership: "trusted" } });
    };
    expect([claim("trusted"), claim("ordinary")]).toEqual(["free", "COMMAND_RESERVED"]);
  });

  it.each(["telegram", "slack", "email", "release", "ticket", "context", "memory", "policy", "review", "budget"])(
    "[PG-05] /%s is free for the first plugin that claims it",
    (root) => {
      expect(codeOf(createCommandRegistry(), command(root))).toBe("free");
    },
  );

  it("[PG-05] two words are no name of a command, and the refusal says how subcommands are written", () => {
    const refused = createCommandRegistry().problem(command("plan accept", "trusted"))?.refused;
    expect(refused?.code).toBe("INVALID_REQUEST");
    expect(refused?.message).toContain('register "plan" with subcommands: [{ name: "accept", … }]');
  });

  it("[PG-05] duplicates are refused, also when they only look alike", () => {
    const registry = createCommandRegistry();
    registry.add(command("deploy", "ordinary", "first"));
    expect(codeOf(registry, command("deploy", "ordinary", "second"))).toBe("COMMAND_TAKEN");
    expect(codeOf(registry, command("dep1oy", "trusted", "second"))).toBe("COMMAND_TAKEN");
    expect(() => registry.add(command("deploy", "bundled", "second"))).toThrow("/deploy is first's");
    expect(registry.get("dep1oy")).toBeUndefined();
    expect(registry.get("deploy")?.pluginId).toBe("first");
    registry.removePlugin("first");
    expect(registry.list()).toEqual([]);
    expect(codeOf(registry, command("deploy", "ordinary", "second"))).toBe("free");
  });
});

describe("scopes", () => {
  const spec = {
    name: "deploy",
    description: "Deploys.",
    requiredScopes: ["operator.approvals" as const],
    bareAs: "status",
    subcommands: [
      { name: "status", description: "where it stands", requiredScopes: ["operator.read" as const] },
      { name: "approve", description: "let it go" },
    ],
  };

  it.each([
    ["status", ["operator.read"]],
    ["  STATUS now", ["operator.read"]],
    ["", ["operator.read"]],
    ["approve", ["operator.approvals"]],
    ["statuss", ["operator.approvals"]],
    ["-- status", ["operator.approvals"]],
  ])("[PG-05] /deploy %s needs %j", (args, scopes) => {
    expect(scopesFor(spec, args)).toEqual(scopes);
  });

  it("[PG-05] a command that names no scopes needs operator.write", () => {
    expect(scopesFor({ name: "x", description: "x" }, "")).toEqual(["operator.write"]);
  });

  it("[PG-06] only operator.read, or nothing, is reading", () => {
    expect(
      [[], ["operator.read"], ["operator.read", "operator.write"]].map((scopes) => onlyReads(scopes as [])),
    ).toEqual([true, true, false]);
  });

  it("[PG-05] usage is made from the subcommands where none is given", () => {
    expect(usageOf(spec)).toEqual(["/deploy status — where it stands", "/deploy approve — let it go"]);
    expect(usageOf({ name: "x", description: "does x" })).toEqual(["/x — does x"]);
  });
});
