/**
 * A plugin of which only the manifest was read. Its commands are there to be found and its hooks to be met; the first
 * that is needed loads the plugin, and is answered by it.
 */
import type { PluginManifest } from "../../protocol/plugin/plugin-manifest.ts";
import type { PluginCommand } from "../api/command.ts";
import { HOOK_MS_MAX, type HookName } from "../api/hooks.ts";
import { outsideReadOnlyRun } from "../read-only-run.ts";
import type { Plugin, PluginApi } from "../sdk.ts";

type HookFunction = (event: never) => unknown;

/** The functions of the loaded plugin that its stand-in passes on to. */
export type Heirs = { commands: Map<string, PluginCommand["handler"]>; hooks: Map<string, HookFunction[]> };

export const noHeirs = (): Heirs => ({ commands: new Map(), hooks: new Map() });

/** `activate` resolves when the plugin itself is in the host; it rejects when it cannot be loaded. */
export function standInFor(manifest: PluginManifest, activate: () => Promise<Heirs>): Plugin {
  const { id, name, description } = manifest;
  return {
    id,
    name,
    description,
    register(api: PluginApi) {
      for (const spec of manifest.commands) {
        const handler: PluginCommand["handler"] = async (call) => {
          const heir = (await outsideReadOnlyRun(activate)).commands.get(spec.name);
          if (heir === undefined) throw new Error(`${id} declares /${spec.name} and does not answer to it.`);
          return heir(call);
        };
        api.commands.registerCommand({ ...spec, handler });
      }
      for (const hook of new Set(manifest.hooks)) {
        if (hook === "gateway_stop") continue; // a plugin that never ran has nothing to clean up
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the host refuses unknown hooks and parses their answers
        api.on(hook as HookName, waking(hook, activate) as never, { timeoutMs: HOOK_MS_MAX });
      }
    },
  };
}

/** The host itself calls `gateway_start` for a plugin that is enabled while the gateway runs. */
const waking = (hook: string, activate: () => Promise<Heirs>) => async (event: never) => {
  const { hooks } = await activate();
  if (hook === "gateway_start") return undefined;
  const answers: unknown[] = [];
  for (const heir of hooks.get(hook) ?? []) answers.push(await heir(event));
  return answers.find((answer) => isBlock(answer)) ?? answers.find((answer) => answer !== undefined && answer !== null);
};

const isBlock = (answer: unknown): boolean => typeof answer === "object" && answer !== null && "block" in answer;

/** The plugin, recording its commands and hooks for its stand-in. */
export function withHeirs(plugin: Plugin, heirs: Heirs): Plugin {
  const registering = (api: PluginApi) => (command: PluginCommand) => {
    api.commands.registerCommand(command);
    heirs.commands.set(command.name, (call) => command.handler(call));
  };
  const noted = (api: PluginApi): PluginApi => ({
    ...api,
    commands: { ...api.commands, registerCommand: registering(api) },
    registerCommand: registering(api),
    on(hook, handler, options) {
      api.on(hook, handler, options);
      heirs.hooks.set(hook, [...(heirs.hooks.get(hook) ?? []), handler]);
    },
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same api, with two of its functions listened to
  return { ...plugin, register: (api) => plugin.register(noted(api) as never) };
}
