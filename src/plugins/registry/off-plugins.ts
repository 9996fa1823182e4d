/** What is remembered of plugins that are switched off: the commands they would answer to, and how they clean up. */
import { rootKey } from "../commands/reserved-roots.ts";
import type { Loaded } from "../registration/contributions.ts";

const COMMANDS_MAX = 5_000;

export type OffPlugins = {
  add(loaded: Loaded): void;
  /** From a manifest; the plugin has not run. */
  declare(pluginId: string, commands: readonly string[]): void;
  forget(pluginId: string): void;
  get(pluginId: string): Loaded | undefined;
  disabledCommand(name: string): { pluginId: string } | undefined;
};

export function createOffPlugins(): OffPlugins {
  const off = new Map<string, Loaded>();
  const commands = new Map<string, string>();
  const declare: OffPlugins["declare"] = (pluginId, names) => {
    for (const name of names) if (commands.size < COMMANDS_MAX) commands.set(rootKey(name), pluginId);
  };
  return {
    declare,
    add(loaded) {
      off.set(loaded.id, loaded);
      declare(
        loaded.id,
        loaded.has.commands.map(({ spec }) => spec.name),
      );
    },
    forget(pluginId) {
      off.delete(pluginId);
      for (const [root, owner] of commands) if (owner === pluginId) commands.delete(root);
    },
    get: (pluginId) => off.get(pluginId),
    disabledCommand(name) {
      const pluginId = commands.get(rootKey(name));
      return pluginId === undefined ? undefined : { pluginId };
    },
  };
}
