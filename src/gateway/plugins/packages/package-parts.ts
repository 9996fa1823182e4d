/** What managing plugins needs from the gateway. */
import type { PluginSettings, PluginStatus, PluginView } from "../../../protocol/plugin/plugin-packages.ts";
import type { CommandOwners } from "../command-owners.ts";
import type { LocalizedLine } from "../../../protocol/localized/localized-text.ts";

export type Live = { standing: PluginStatus; because: string | null; said?: LocalizedLine[] };

export type PackageParts = {
  home: string;
  settings(): PluginSettings;
  /** Bundled plugins, and those that were passed at the start: their ids are taken. */
  bundled: readonly PluginView[];
  now(): number;
  /** The plugin's state in the running gateway; absent where none runs. */
  live?(id: string): Live | undefined;
  /** Which plugin has which command; absent where no store is open. */
  owners?: CommandOwners;
};
