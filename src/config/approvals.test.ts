import { describe, expect, it } from "vitest";
import { ConfigError } from "./config-error.ts";
import { parseConfig } from "./parse.ts";
import { resolvePlanMode } from "../plan-mode/settings.ts";
import { levelsFor } from "./resolve.ts";

const rulesOf = (text: string, place: { agentId: string; surface: string } = { agentId: "main", surface: "cli" }) =>
  resolvePlanMode(levelsFor(parseConfig(text, "config.yaml").config, place)).approvals;

describe("who must sign, by the configuration", () => {
  it("[PL-18] one operator with the right to approve, where nothing is said", () => {
    expect(rulesOf("")).toEqual({ quorum: 1 });
  });

  it("[PL-18, PL-14] each level changes what it names and keeps the rest", () => {
    const text = [
      "approvals: { quorum: 2, approvers: [Alice, Bob, Carol] }",
      "agents: { list: [{ id: deployer, planMode: { approvals: { quorum: 3 } } }] }",
      "bindings: [{ surface: web, planMode: { approvals: { approvers: [operator.admin] } } }]",
    ].join("\n");
    expect(rulesOf(text)).toEqual({ quorum: 2, approvers: ["Alice", "Bob", "Carol"] });
    expect(rulesOf(text, { agentId: "deployer", surface: "cli" })).toEqual({
      quorum: 3,
      approvers: ["Alice", "Bob", "Carol"],
    });
    expect(rulesOf(text, { agentId: "deployer", surface: "web" })).toEqual({
      quorum: 3,
      approvers: ["operator.admin"],
    });
  });

  it.each([
    "approvals: { approvers: [] }",
    "approvals: { quorum: 0 }",
    "approvals: { quorum: 3, approvers: [Alice, Bob] }",
    "approvals: { quorum: two }",
  ])("[PL-18, GW-06] %s is refused with the place", (text) => {
    expect(() => parseConfig(text, "config.yaml")).toThrow(ConfigError);
  });

  it("[BY-06] threads are no condition unless they are made one", () => {
    const setting = (text: string) =>
      resolvePlanMode(levelsFor(parseConfig(text, "config.yaml").config, { agentId: "main", surface: "cli" }))
        .requireResolvedThreads;
    expect(setting("")).toBe(false);
    expect(setting("agents: { defaults: { planMode: { requireResolvedThreads: true } } }")).toBe(true);
  });
});
