/** The settings of a gateway for tests without the workspaces that they name, so that no test writes into somebody's work. */
import type { Json, JsonObject } from "../protocol/json.ts";

export function inOwnFolders(settings: JsonObject): JsonObject {
  const { agents } = settings;
  if (!isObject(agents)) return settings;
  const { defaults, list } = agents;
  return {
    ...settings,
    agents: {
      ...agents,
      ...(defaults === undefined ? {} : { defaults: withoutWorkspace(defaults) }),
      ...(Array.isArray(list) ? { list: list.map(withoutWorkspace) } : {}),
    },
  };
}

/** What is no object stays as it is: the gateway refuses it and says why. */
function withoutWorkspace(agent: Json): Json {
  if (!isObject(agent)) return agent;
  const { workspace: _, ...rest } = agent;
  return rest;
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
