/**
 * The settings of a session: the gateway's own, and what each plugin makes of the configuration for its machine. Every
 * request asks for them, so they are worked out once for each place, until the configuration or the plugins change.
 */
import { levelsFor, resolveTurns } from "../../config/resolve.ts";
import type { Config } from "../../config/config.ts";
import type { PluginHost } from "../../plugins/host.ts";
import type { SettingsPlace } from "../../plugins/sdk.ts";
import { AUTOMATION_SETTINGS } from "../../protocol/settings/automation-settings.ts";
import { TURN_SETTINGS } from "../../protocol/settings/turn-settings.ts";

const PLACES_MAX = 1_000;

export type Settings = Readonly<Record<string, unknown>>;

export function createSettingsOf(
  config: { current(): Config },
  { settings }: Pick<PluginHost, "settings">,
): (place: SettingsPlace) => Settings {
  let from: { config: Config; sources: readonly unknown[] } | undefined;
  /** Most sessions are of one place, and comparing it takes less than looking it up. */
  let last: { place: SettingsPlace; found: Settings } | undefined;
  const known = new Map<string, Settings>();

  return (place) => {
    const now = config.current();
    if (from?.config !== now || !areSame(from.sources, settings) || known.size >= PLACES_MAX) {
      known.clear();
      last = undefined;
      from = { config: now, sources: [...settings.values()] };
    }
    if (last !== undefined && isSamePlace(last.place, place)) return last.found;
    const { agentId, surface, instance = "", role = "", model = "" } = place;
    const key = `${agentId}\0${surface}\0${instance}\0${role}\0${model}`;
    const found = known.get(key) ?? resolved(now, place, settings);
    known.set(key, found);
    last = { place: { agentId, surface, instance: place.instance, role: place.role, model: place.model }, found };
    return found;
  };
}

const isSamePlace = (one: SettingsPlace, other: SettingsPlace): boolean =>
  one.agentId === other.agentId &&
  one.surface === other.surface &&
  one.instance === other.instance &&
  one.role === other.role &&
  one.model === other.model;

function areSame(sources: readonly unknown[], settings: PluginHost["settings"]): boolean {
  let at = 0;
  for (const source of settings.values()) if (source !== sources[at++]) return false;
  return at === sources.length;
}

function resolved(config: Config, place: SettingsPlace, settings: PluginHost["settings"]): Settings {
  const levels = levelsFor(config, place);
  const own = { [TURN_SETTINGS]: resolveTurns(config, place), [AUTOMATION_SETTINGS]: config.automation };
  const ofPlugins = [...settings].map(([key, source]): [string, unknown] => [key, source.resolve(levels, place)]);
  return { ...own, ...Object.fromEntries(ofPlugins) };
}
