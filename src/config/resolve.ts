/** The settings that hold for one session or agent: the defaults, overridden by its agent and by its binding. */
import type { BUNDLED_CONFIG } from "../bundled.ts";
import type { SettingsLevels } from "../protocol/plugin/plugin-protocol.ts";
import type { HeartbeatSettings } from "../scheduler/protocol/schedule.ts";
import type { TurnSettings } from "../protocol/settings/turn-settings.ts";
import type { Session } from "../protocol/session.ts";
import type { Config } from "./config.ts";

type Place = Pick<Session, "agentId" | "surface"> & { role?: string | undefined; instance?: string | undefined };

/** What the file says for this session, level by level, for whoever makes settings of it. */
export function levelsFor(config: Config, place: Place): SettingsLevels<typeof BUNDLED_CONFIG> {
  return {
    root: config,
    tools: config.tools,
    agentDefaults: config.agents.defaults,
    agent: config.agents.list.find((item) => item.id === place.agentId),
    binding: bindingFor(config, place),
  };
}

/** How an agent's turns run. */
export function resolveTurns(config: Config, { agentId }: Pick<Place, "agentId">): TurnSettings {
  const { queueMode, autoContinue, contextTokens } = config.agents.defaults;
  const agent = config.agents.list.find((item) => item.id === agentId);
  return {
    queueMode: agent?.queueMode ?? queueMode,
    autoContinue: { ...autoContinue, ...given(agent?.autoContinue) },
    ...(contextTokens === undefined ? {} : { contextTokens }),
  };
}

/** Only what was set: an `undefined` must not cover the default. */
const given = (override: NonNullable<Config["agents"]["list"][number]["autoContinue"]> | undefined) =>
  Object.fromEntries(Object.entries(override ?? {}).filter(([, value]) => value !== undefined));

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

/** Folders below which anybody who may write may start a session. */
export const workspaceRoots = ({ agents, workspaces }: Config): string[] =>
  [...workspaces.roots, agents.defaults.workspace, ...agents.list.map(({ workspace }) => workspace)].filter(
    (folder) => folder !== undefined,
  );

/** The agent that a surface, or one account of it, is bound to. */
export const resolveAgent = (
  { bindings }: Config,
  { surface, instance }: Pick<Place, "surface" | "instance">,
): string | undefined =>
  bindings.find(
    (binding) =>
      binding.surface === surface &&
      (binding.instance === undefined || binding.instance === instance) &&
      binding.agentId !== undefined,
  )?.agentId;

const bindingFor = (config: Config, place: Place) =>
  config.bindings.find(
    (binding) =>
      binding.surface === place.surface &&
      (binding.instance === undefined || binding.instance === place.instance) &&
      (binding.agentId === undefined || binding.agentId === place.agentId),
  );
