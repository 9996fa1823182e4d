import { PlanModeSettings, PlanNudges } from "../plan-mode/protocol/settings.ts";
import type { HeartbeatSettings } from "../scheduler/protocol/schedule.ts";
import type { SubAgentSettings } from "../agent/sub-agents/protocol/sub-agents.ts";
import type { TurnSettings } from "../protocol/settings/turn-settings.ts";
import type { Session } from "../protocol/session.ts";
import type { Config } from "./schema.ts";

type Place = Pick<Session, "agentId" | "surface"> & { role?: string | undefined };

/** Plan-mode settings of one session: the defaults, then its agent's, then its binding's; and who answers in it. */
export function resolvePlanMode(config: Config, place: Place, model?: string): PlanModeSettings {
  const agent = config.agents.list.find((item) => item.id === place.agentId);
  const binding = bindingFor(config, place);
  const merged = { ...config.agents.defaults.planMode, ...given(agent?.planMode), ...given(binding?.planMode) };
  const permissionMode = binding?.permissionMode ?? agent?.permissionMode ?? config.agents.defaults.permissionMode;
  const answering = model === undefined ? {} : { model };
  const levels = [config.agents.defaults.planMode, agent?.planMode, binding?.planMode];
  // field by field: a level that asks for a second signature does not thereby open the list of who may sign
  const approvals = Object.assign({}, config.approvals, ...levels.map((level) => given(level?.approvals)));
  const nudges = merged.nudges ?? PlanNudges.parse({});
  return PlanModeSettings.parse({ ...given(merged), approvals, nudges, permissionMode, ...answering });
}

/** How an agent's turns run. */
export function resolveTurns(config: Config, { agentId }: Pick<Place, "agentId">): TurnSettings {
  const { queueMode, autoContinue, contextTokens } = config.agents.defaults;
  const agent = config.agents.list.find((item) => item.id === agentId);
  return {
    queueMode: agent?.queueMode ?? queueMode,
    autoContinue,
    ...(contextTokens === undefined ? {} : { contextTokens }),
  };
}

export const resolveSubAgents = (config: Config): SubAgentSettings => config.agents.defaults.subagents;

/** Per agent, where the configuration has one: for every agent that is listed, or for the only one that there is. */
export function resolveHeartbeats(config: Config): Map<string, HeartbeatSettings> {
  const { heartbeat } = config.agents.defaults;
  if (heartbeat === undefined) return new Map();
  const listed = config.agents.list.map((agent) => agent.id);
  return new Map((listed.length === 0 ? ["main"] : listed).map((agentId) => [agentId, heartbeat]));
}

/** The role that a session has from its own creation, or else from the binding of its surface. */
export function resolveRole(config: Config, place: Place): string | undefined {
  return place.role ?? bindingFor(config, place)?.role;
}

/** The folder that an agent's sessions work in when their creator names none. */
export function resolveWorkspace(config: Config, agentId: string): string | undefined {
  return config.agents.list.find((item) => item.id === agentId)?.workspace ?? config.agents.defaults.workspace;
}

const bindingFor = (config: Config, place: Place) =>
  config.bindings.find(
    (binding) =>
      binding.surface === place.surface && (binding.agentId === undefined || binding.agentId === place.agentId),
  );

/** Only what was set: an `undefined` must not cover the level above. */
const given = (settings: object | undefined): object =>
  Object.fromEntries(Object.entries(settings ?? {}).filter(([, value]) => value !== undefined));
