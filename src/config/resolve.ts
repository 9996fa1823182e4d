import { PlanModeSettings } from "../protocol/plan-mode.ts";
import type { SubAgentSettings } from "../protocol/sub-agents.ts";
import type { TurnSettings } from "../protocol/turn-settings.ts";
import type { Session } from "../protocol/session.ts";
import type { Config } from "./schema.ts";

type Place = Pick<Session, "agentId" | "surface"> & { role?: string | undefined };

/** Plan-mode settings of one session: the defaults, then its agent's, then its binding's. */
export function resolvePlanMode(config: Config, place: Place): PlanModeSettings {
  const agent = config.agents.list.find((item) => item.id === place.agentId);
  const binding = bindingFor(config, place);
  const merged = { ...config.agents.defaults.planMode, ...given(agent?.planMode), ...given(binding?.planMode) };
  return PlanModeSettings.parse(given(merged));
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
