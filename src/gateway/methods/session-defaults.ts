/** What a new session would work with, and the models that could be chosen instead: `sessions.defaults`. */
import type { ModelRegistry } from "../../agent/model-registry.ts";
import type { MethodTable } from "../../http/method-table.ts";

/** By the configuration of the moment. */
export type SessionDefaults = {
  agentFor(place: { surface: string; instance: string }): string;
  workspaceFor(agentId: string): string;
  /** By name, in the order in which they are asked. */
  modelsFor(agentId: string): readonly string[];
  /** The setting that holds them; undefined where the agent has its own. */
  modelSetting(agentId: string): string | undefined;
  /** Models that the configuration describes. */
  configured(): readonly string[];
  registry: Pick<ModelRegistry, "providers" | "keyName">;
};

const CHOOSABLE_MAX = 100;
/** Always there: what is found by itself, and the scripted agent. */
const BUILT_IN = ["auto", "demo"];

export function defaultsMethod(defaults: SessionDefaults): Pick<MethodTable, "sessions.defaults"> {
  return {
    async "sessions.defaults"(_params, { actor }) {
      const agentId = defaults.agentFor({ surface: actor.surface, instance: actor.name });
      const models = [...defaults.modelsFor(agentId)];
      const found = await providerModels(defaults);
      const isReady = (name: string): boolean =>
        BUILT_IN.includes(name) || found.some(({ id, ready }) => ready && name.startsWith(`${id}/`));
      const suggested = found.flatMap(({ id, defaultModel }) =>
        defaultModel === undefined ? [] : [`${id}/${defaultModel}`],
      );
      const names = new Set([...models, ...defaults.configured(), ...suggested, ...BUILT_IN]);
      return {
        agentId,
        workspace: defaults.workspaceFor(agentId),
        models,
        modelSetting: defaults.modelSetting(agentId) ?? null,
        choosable: [...names].slice(0, CHOOSABLE_MAX).map((name) => ({ name, ready: isReady(name) })),
      };
    },
  };
}

/** A provider is ready when it needs no key, or has one. */
async function providerModels({ registry }: Pick<SessionDefaults, "registry">) {
  return Promise.all(
    registry.providers().map(async (provider) => ({
      id: provider.id,
      defaultModel: provider.defaultModel,
      ready: provider.keyNames.length === 0 || (await registry.keyName(provider)) !== undefined,
    })),
  );
}
