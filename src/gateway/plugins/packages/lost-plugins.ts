/**
 * Plugins that are switched on and cannot be found. One that was trusted may hold the gate, so its place is kept, and what
 * it would judge is refused; so is that of one whose folder is still named or still there, because it may be mended. One
 * that judged nothing and whose folder is gone is gone.
 */
import { PluginManifest } from "../../../protocol/plugin/plugin-manifest.ts";
import type { PluginRecord } from "../../../protocol/plugin/plugin-packages.ts";
import { type Found, type FoundPlugin, pluginsFolder } from "./discover.ts";
import type { Records } from "./record-file.ts";
import { join } from "node:path";
import { localized } from "../../../protocol/localized/localized-text.ts";

type Places = { home: string; paths: readonly string[] };

export function lostPlugins({ plugins, problems }: Found, records: Records, places: Places): FoundPlugin[] {
  return Object.entries(records).flatMap(([id, record]) => {
    if (!record.enabled || plugins.has(id)) return [];
    const problem = problems.find((one) => one.id === id)?.problem;
    const isNamed = record.source.kind === "path" && places.paths.includes(record.source.from);
    if (problem === undefined && !isNamed && record.trust === null) return [];
    return [lost(id, record, { ...places, problem })];
  });
}

type Missing = Places & { problem: string | undefined };

function lost(id: string, record: PluginRecord, { home, problem }: Missing): FoundPlugin {
  const { agreed, version, source } = record;
  const manifest = PluginManifest.parse({
    id,
    name: id,
    version: /^\d+\.\d+\.\d+$/.test(version) ? version : "0.0.0",
    description: "It cannot be found.",
    entry: "index.js",
    sdk: 1,
    policies: agreed?.policies ?? [],
  });
  const isPath = source.kind === "path";
  return {
    manifest,
    folder: isPath ? source.from : join(pluginsFolder(home), id),
    at: isPath ? "path" : "home",
    lost:
      problem === undefined ? localized("folderGone", { plugin: id }) : localized("folderBad", { problem, plugin: id }),
  };
}
