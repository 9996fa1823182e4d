/** Sub-agents as the configuration sees them. */
import { NO_SECTIONS, type PluginProtocol } from "../../../protocol/plugin/plugin-protocol.ts";
import { facts } from "./facts.ts";
import { SubAgentSettings } from "./sub-agents.ts";

export const SUB_AGENTS_CONFIG = {
  ...NO_SECTIONS,
  agentDefaults: { subagents: SubAgentSettings.prefault({}) },
} as const;

export const subAgentsProtocol = {
  id: "sub-agents",
  folder: "agent/sub-agents",
  methods: {},
  patchFields: {},
  config: SUB_AGENTS_CONFIG,
  facts,
} as const satisfies PluginProtocol;
