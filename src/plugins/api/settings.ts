/** How the settings of a slice are computed for each session. */
import type { ConfigSections, SettingsLevels } from "../../protocol/plugin/plugin-protocol.ts";

/** Which session it is about; `model` is the one that answers first in it, once that is known. */
export type SettingsPlace = {
  agentId: string;
  surface: string;
  instance?: string | undefined;
  role?: string | undefined;
  model?: string | undefined;
};

export type SettingsSource<Sections extends ConfigSections> = {
  /** The name of the machine that reads them. */
  key: string;
  /** The part of the configuration file that a bundled plugin defines. Others read their own `config` instead. */
  sections: Sections;
  /** From the levels of the file to the settings of one session: without I/O, and quick. */
  resolve(levels: SettingsLevels<Sections>, place: SettingsPlace): unknown;
};
