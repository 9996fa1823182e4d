/** Where the settings of a machine come from, for each session anew. */
import type { ConfigSections, SettingsLevels } from "../../protocol/plugin-protocol.ts";

/** Which session it is about; `model` is the one that answers first in it, once that is known. */
export type SettingsPlace = { agentId: string; surface: string; role?: string | undefined; model?: string | undefined };

export type SettingsSource<Sections extends ConfigSections> = {
  /** The name of the machine that reads them. */
  key: string;
  /** What a bundled plugin added to the configuration file. Others read their own `config` instead. */
  sections: Sections;
  /** From the levels of the file to the settings of one session: without I/O, and quick. */
  resolve(levels: SettingsLevels<Sections>, place: SettingsPlace): unknown;
};
