/** What follows from a manifest and what operators said about it: may it be loaded, and as what. */
import { askDigest, askOf, beyondAgreed } from "../../../plugins/packages/manifest.ts";
import { checkConfig } from "../../../plugins/packages/check-config.ts";
import {
  type FileDigests,
  folderDigests,
  FolderProblem,
  WRITTEN_WITH,
} from "../../../plugins/packages/folder-files.ts";
import type { JsonObject } from "../../../protocol/json.ts";
import type { PluginTier } from "../../../protocol/plugin-manifest.ts";
import type { PluginRecord, PluginSettings, PluginView } from "../../../protocol/plugin-packages.ts";
import type { FoundPlugin } from "./discover.ts";

export type Known = { found: FoundPlugin; record: PluginRecord | undefined; settings: PluginSettings };

/** `ok` is only about what can be told without reading all of its files; `changedFiles` tells the rest. */
export type Standing =
  | { standing: "ready"; tier: PluginTier; config: JsonObject }
  | { standing: "disabled"; because: string }
  | { standing: "refused"; because: string };

export function standingOf(known: Known): Standing {
  const { found, record, settings } = known;
  const { manifest } = found;
  const off = switchedOff(known);
  if (off !== undefined) return { standing: "disabled", because: off };
  if (found.lost !== undefined) return refused(found.lost);
  const more = beyondAgreed(askOf(manifest), record?.agreed ?? null);
  if (more.length > 0)
    return refused(
      `It asks for more than was agreed to: ${more.join(", ")}. See: holdpoint plugins enable ${manifest.id}`,
    );
  if (manifest.trust === "trusted" && record?.trust === null)
    return refused(`It only works when it is trusted. If you do: holdpoint plugins trust ${manifest.id}`);
  const checked = checkConfig(settings.entries[manifest.id]?.config ?? {}, manifest.configSchema);
  if (!checked.ok) return refused(`plugins.entries.${manifest.id}.config does not fit: ${checked.problem}.`);
  return { standing: "ready", tier: tierOf(record), config: checked.config };
}

const refused = (because: string): Standing => ({ standing: "refused", because });

function switchedOff({ found, record, settings }: Known): string | undefined {
  const { id } = found.manifest;
  if (!settings.enabled) return "Plugins are switched off by plugins.enabled in the configuration.";
  if (settings.entries[id]?.enabled === false)
    return `It is switched off by plugins.entries.${id}.enabled in the configuration.`;
  if (record === undefined) return `Nobody has switched it on yet: holdpoint plugins enable ${id}`;
  return record.enabled ? undefined : (record.disabledBecause ?? "It was switched off.");
}

const tierOf = (record: PluginRecord | undefined): PluginTier =>
  record !== undefined && record.trust !== null ? "trusted" : "ordinary";

/**
 * Undefined: the files are those that were installed, and trusted where it is trusted. Asked right before its code is
 * loaded. A folder that the configuration names may change, unless it is trusted.
 */
export async function changedFiles(known: Pick<Known, "found" | "record">): Promise<string | undefined> {
  const looked = await lookAtFiles(known);
  return "changed" in looked ? looked.changed : undefined;
}

/** The digests of all of its files, if they are those that were installed and trusted. */
export async function lookAtFiles({
  found,
  record,
}: Pick<Known, "found" | "record">): Promise<{ files: FileDigests } | { changed: string }> {
  try {
    const mayChange = record?.integrity === null && record.trust === null; // its author works in it
    const { integrity, files } = await folderDigests(found.folder, mayChange ? WRITTEN_WITH : undefined);
    const changed = record === undefined ? undefined : difference(found.manifest.id, record, integrity);
    return changed === undefined ? { files } : { changed };
  } catch (error) {
    if (error instanceof FolderProblem) return { changed: error.message };
    return { changed: `Its files cannot be read (${error instanceof Error ? error.message : String(error)}).` };
  }
}

function difference(id: string, { trust, integrity, source }: PluginRecord, now: string): string | undefined {
  if (trust !== null && trust.integrity !== now)
    return `Its files are not those that were trusted. Look at them, then trust them again or not: holdpoint plugins trust ${id}`;
  if (integrity === null || integrity === now) return undefined;
  return source.kind === "found"
    ? `Its files have changed since it was switched on. Look at them, then: holdpoint plugins enable ${id}`
    : `Its files are not those that were installed. Install it again, or remove it: holdpoint plugins remove ${id}`;
}

export function viewOf(
  known: Known,
  live: { standing: PluginView["standing"]; because: string | null } | undefined,
): PluginView {
  const { found, record } = known;
  const { id, name, version, description } = found.manifest;
  const ask = askOf(found.manifest);
  const standing = standingOf(known);
  return {
    id,
    name,
    version,
    description,
    tier: tierOf(record),
    standing: standing.standing,
    because: standing.standing === "ready" ? null : standing.because,
    ...(standing.standing === "ready" && live !== undefined ? live : {}),
    source: record?.source ?? { kind: found.at === "path" ? "path" : "found", from: found.folder },
    folder: found.folder,
    ask,
    askDigest: askDigest(ask),
    notAgreed: beyondAgreed(ask, record?.agreed ?? null),
  };
}
