/** What the host needs, and how it reports plugins that are enabled, disabled or fail. */
import type { PluginTier } from "../../protocol/plugin/plugin-manifest.ts";
import type { LogLevel } from "../api/lifecycle.ts";
import type { Clock } from "../sessions.ts";
import type { LocalizedLine } from "../../protocol/localized/localized-text.ts";

export type HostParts = {
  clock: Clock;
  log(pluginId: string, line: { level: LogLevel; message: string; fields?: object }): void;
  /** A failure inside a plugin, for the log. */
  report(error: unknown): void;
};

/**
 * What happened to a plugin. `muted`: it failed too often but judges calls, so only its hooks and subscriptions were
 * removed.
 */
export type PluginChange = {
  kind: "enabled" | "disabled" | "muted" | "failed";
  pluginId: string;
  tier: PluginTier;
  why: string;
  /** Message keys of `why`, where the host itself wrote it. */
  said?: LocalizedLine[];
};

export type PluginStatus = {
  id: string;
  name: string;
  description: string;
  tier: PluginTier;
  permanent: boolean;
  /** What is declared and was not registered. */
  warnings: readonly string[];
};
