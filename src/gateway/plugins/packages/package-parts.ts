/** What the care for plugins needs of its surroundings. */
import type { PluginSettings, PluginStanding, PluginView } from "../../../protocol/plugin-packages.ts";
import type { Said } from "../../../protocol/said/say.ts";

export type Live = { standing: PluginStanding; because: string | null; said?: Said[] };

export type PackageParts = {
  home: string;
  settings(): PluginSettings;
  /** Plugins of the house, and those that were handed in at the start: their ids are taken. */
  bundled: readonly PluginView[];
  now(): number;
  /** What the running gateway has made of it; absent where none runs. */
  live?(id: string): Live | undefined;
};
