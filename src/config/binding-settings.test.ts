import { expect, it } from "vitest";
import { resolvePlanMode } from "../plan-mode/settings.ts";
import { Config } from "./config.ts";
import { levelsFor } from "./resolve.ts";

const DEFAULTS = {
  enabled: false,
  defaultActive: null,
  requireApproval: true,
  autoEnterOnDestructive: false,
  autoEnableFor: [],
  nudges: { exploringMinutes: [1], executingMinutes: [2] },
  unknownCommands: "block",
  approvalTimeoutSeconds: 60,
  requireResolvedThreads: false,
} as const;

const OTHERS = {
  enabled: true,
  defaultActive: true,
  requireApproval: false,
  autoEnterOnDestructive: true,
  autoEnableFor: ["openai/*"],
  nudges: { exploringMinutes: [3], executingMinutes: [] },
  unknownCommands: "ask",
  approvalTimeoutSeconds: 3_600,
  requireResolvedThreads: true,
} as const;

it("[PL-14] a binding overrides every setting of plan mode, and so does an agent; what neither names stays", () => {
  const config = Config.parse({
    agents: { defaults: { planMode: DEFAULTS }, list: [{ id: "other", planMode: OTHERS }, { id: "plain" }] },
    bindings: [
      { surface: "loose", planMode: OTHERS },
      { surface: "strict", planMode: DEFAULTS },
      { surface: "one", planMode: { enabled: true } },
    ],
  });
  const settingsOf = (agentId: string, surface: string) => resolvePlanMode(levelsFor(config, { agentId, surface }));
  expect(settingsOf("plain", "page")).toMatchObject(DEFAULTS);
  expect(settingsOf("plain", "loose")).toMatchObject(OTHERS);
  expect(settingsOf("other", "page")).toMatchObject(OTHERS);
  expect(settingsOf("other", "strict")).toMatchObject(DEFAULTS);
  expect(settingsOf("plain", "one")).toMatchObject({ ...DEFAULTS, enabled: true });
});
