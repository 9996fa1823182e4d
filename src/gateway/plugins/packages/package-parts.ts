/** What the care for plugins needs of its surroundings. */
import type { PluginSettings, PluginStatus, PluginView } from "../../../protocol/plugin-packages.ts";
import type { LocalizedLine } from "../../../protocol/localized/localized-text.ts";

export type Live = { standing: PluginStatus; because: string | null; said?: LocalizedLine[] };

export type PackageParts = {
  home: string;
  settings(): PluginSettings;
  /** Plugins of the house, and those that were handed in at the start: their ids are taken. */
  bundled: readonly PluginView[];
  now(): number;
  /** What the running gateway has made of it; absent where none runs. */
  live?(id: string): Live | undefined;
};
