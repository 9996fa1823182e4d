/** The settings of a session: the gateway's own, and what each plugin makes of the configuration for its machine. */
import { levelsFor, resolveTurns } from "../../config/resolve.ts";
import type { Config } from "../../config/config.ts";
import type { PluginHost } from "../../plugins/host.ts";
import type { SettingsPlace } from "../../plugins/sdk.ts";
import { TURN_SETTINGS } from "../../protocol/settings/turn-settings.ts";

export function settingsOf(config: Config, place: SettingsPlace, { settings }: Pick<PluginHost, "settings">) {
  const levels = levelsFor(config, place);
  const resolved: Record<string, unknown> = { [TURN_SETTINGS]: resolveTurns(config, place) };
  for (const [key, source] of settings) resolved[key] = source.resolve(levels, place);
  return resolved;
}
