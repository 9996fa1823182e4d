/** What is remembered of plugins that are switched off: the commands they would answer to, and how they clean up. */
import { rootKey } from "../commands/reserved-roots.ts";
import type { LocalizedText } from "../../protocol/localized/localized-text.ts";
import type { Loaded } from "../registration/contributions.ts";

const COMMANDS_MAX = 5_000;

/** `because`: it is switched on and cannot be used; absent: it is switched off. */
export type OffCommand = { pluginId: string; because?: LocalizedText };

export type OffPlugins = {
  add(loaded: Loaded): void;
  /** From a manifest; the plugin has not run. */
  declare(pluginId: string, commands: readonly string[], because?: LocalizedText): void;
  forget(pluginId: string): void;
  get(pluginId: string): Loaded | undefined;
  disabledCommand(name: string): OffCommand | undefined;
};

export function createOffPlugins(): OffPlugins {
  const off = new Map<string, Loaded>();
  const commands = new Map<string, OffCommand>();
  const declare: OffPlugins["declare"] = (pluginId, names, because) => {
    const owner = { pluginId, ...(because === undefined ? {} : { because }) };
    for (const name of names) if (commands.size < COMMANDS_MAX) commands.set(rootKey(name), owner);
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
      for (const [root, owner] of commands) if (owner.pluginId === pluginId) commands.delete(root);
    },
    get: (pluginId) => off.get(pluginId),
    disabledCommand: (name) => commands.get(rootKey(name)),
  };
}
