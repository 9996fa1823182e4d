/**
 * One plugin on its way in:
 *
 *   load ─▶ id and configuration checked ─▶ register(api), staged ─▶ published whole ─▶ enabled
 *                └──────────────────────────────┴──────────────────────┴──▶ everything taken back, and the reason thrown
 */
import type { Json } from "../../protocol/json.ts";
import { PluginId, type PluginManifest, PluginNeed, type PluginTier } from "../../protocol/plugin/plugin-manifest.ts";
import { PluginError } from "../plugin-error.ts";
import type { Plugin } from "../sdk.ts";
import { type Loaded, nothing } from "./contributions.ts";

/** How long `register` may take: a plugin that waits for the world does so after it has registered. */
export const REGISTER_MS_MAX = 10_000;

export type PluginLoad = {
  plugin: Plugin;
  /** `bundled` if left out. */
  tier?: PluginTier;
  /** What it registers must be declared there; absent: what it registers is what it is. */
  manifest?: PluginManifest;
  /** What it may, where no manifest says so. Bundled and trusted ones may everything. */
  needs?: readonly PluginNeed[];
  /** As it stands in the configuration, not yet checked by the plugin's own schema. */
  config?: Json;
  /** Part of the gateway: it cannot be switched off. */
  permanent?: boolean;
};

export function toLoaded({ plugin, tier = "bundled", manifest, needs, permanent = false }: PluginLoad): Loaded {
  const id = PluginId.safeParse(plugin.id);
  const fail = (message: string) => new PluginError({ problem: "invalid", pluginId: plugin.id }, message);
  if (!id.success) throw fail(`"${plugin.id}" cannot name a plugin: ${id.error.issues[0]?.message}.`);
  if (manifest !== undefined && manifest.id !== plugin.id)
    throw fail(`The manifest is of ${manifest.id}, the code of ${plugin.id}: they must be one plugin.`);
  const asked = manifest?.needs ?? needs ?? (tier === "ordinary" ? [] : PluginNeed.options);
  return {
    id: id.data,
    name: plugin.name,
    description: plugin.description,
    tier,
    needs: new Set(tier === "bundled" ? PluginNeed.options : asked),
    manifest,
    permanent,
    status: "registering",
    has: nothing(),
  };
}

/** Its configuration as its own schema reads it. */
export function configOf({ plugin, config = {} }: PluginLoad): unknown {
  if (plugin.configSchema === undefined) return config;
  const parsed = plugin.configSchema.safeParse(config);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const where = ["plugins.entries", plugin.id, "config", ...(issue?.path ?? [])].join(".");
  const message = `${where}: ${issue?.message ?? "does not fit"}. Correct it in the configuration.`;
  throw new PluginError({ problem: "invalid", pluginId: plugin.id }, message);
}
