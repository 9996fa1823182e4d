/** The status of a plugin by its manifest and the operators' decisions: whether it may be loaded, and in which tier. */
import { askDigest, askOf, beyondAgreed } from "../../../plugins/packages/manifest.ts";
import { checkConfig } from "../../../plugins/packages/check-config.ts";
import {
  type FileDigests,
  folderDigests,
  FolderProblem,
  WRITTEN_WITH,
} from "../../../plugins/packages/folder-files.ts";
import type { JsonObject } from "../../../protocol/json.ts";
import type { PluginTier } from "../../../protocol/plugin/plugin-manifest.ts";
import type { PluginRecord, PluginSettings, PluginView } from "../../../protocol/plugin/plugin-packages.ts";
import type { FoundPlugin } from "./discover.ts";
import { asIs, type LocalizedLine, type LocalizedText, localized } from "../../../protocol/localized/localized-text.ts";

export type Known = { found: FoundPlugin; record: PluginRecord | undefined; settings: PluginSettings };

/** `ready` covers only what is known without reading all of its files; `changedFiles` checks the rest. */
export type PackageStatus =
  | { standing: "ready"; tier: PluginTier; config: JsonObject }
  | { standing: "disabled" | "refused"; because: string; said: LocalizedLine[] };

export function packageStatusOf(known: Known): PackageStatus {
  const { found, record, settings } = known;
  const { manifest } = found;
  const off = switchedOff(known);
  if (off !== undefined) return { standing: "disabled", because: off.text, said: off.said };
  if (found.lost !== undefined) return refused(found.lost);
  const more = beyondAgreed(askOf(manifest), record?.agreed ?? null);
  if (more.length > 0) return refused(localized("asksMore", { asks: more.join(", "), plugin: manifest.id }));
  if (manifest.trust === "trusted" && record?.trust === null)
    return refused(localized("onlyTrusted", { plugin: manifest.id }));
  const checked = checkConfig(settings.entries[manifest.id]?.config ?? {}, manifest.configSchema);
  if (!checked.ok) return refused(localized("configMisfit", { plugin: manifest.id, problem: checked.problem }));
  return { standing: "ready", tier: tierOf(record), config: checked.config };
}

const refused = ({ text, said }: LocalizedText): PackageStatus => ({ standing: "refused", because: text, said });

function switchedOff({ found, record, settings }: Known): LocalizedText | undefined {
  const { id } = found.manifest;
  if (!settings.enabled) return localized("offForAll");
  if (settings.entries[id]?.enabled === false) return localized("offByEntry", { plugin: id });
  if (record === undefined) return localized("offUntilNow", { plugin: id });
  if (record.enabled) return undefined;
  const { disabledBecause, disabledSaid = [] } = record;
  return disabledBecause === null ? localized("off") : { text: disabledBecause, said: disabledSaid };
}

export const tierOf = (record: PluginRecord | undefined): PluginTier =>
  record !== undefined && record.trust !== null ? "trusted" : "ordinary";

/**
 * Undefined: the files are those that were installed, and trusted where it is trusted. Asked right before its code is
 * loaded. A folder that the configuration names may change, unless it is trusted.
 */
export async function changedFiles(known: Pick<Known, "found" | "record">): Promise<LocalizedText | undefined> {
  const looked = await lookAtFiles(known);
  return "changed" in looked ? looked.changed : undefined;
}

/** The digests of all of its files, if they are those that were installed and trusted. */
export async function lookAtFiles({
  found,
  record,
}: Pick<Known, "found" | "record">): Promise<{ files: FileDigests } | { changed: LocalizedText }> {
  try {
    const mayChange = record?.integrity === null && record.trust === null; // its author works in it
    const { integrity, files } = await folderDigests(found.folder, mayChange ? WRITTEN_WITH : undefined);
    const changed = record === undefined ? undefined : difference(found.manifest.id, record, integrity);
    return changed === undefined ? { files } : { changed };
  } catch (error) {
    if (error instanceof FolderProblem) return { changed: asIs(error.message) };
    const problem = error instanceof Error ? error.message : String(error);
    return { changed: localized("filesUnread", { problem }) };
  }
}

function difference(id: string, { trust, integrity, source }: PluginRecord, now: string): LocalizedText | undefined {
  if (trust !== null && trust.integrity !== now) return localized("filesUntrusted", { plugin: id });
  if (integrity === null || integrity === now) return undefined;
  return source.kind === "found" ? localized("filesChanged", { plugin: id }) : localized("filesOther", { plugin: id });
}

export function viewOf(known: Known, live: Pick<PluginView, "standing" | "because" | "said"> | undefined): PluginView {
  const { found, record } = known;
  const { id, name, version, description } = found.manifest;
  const ask = askOf(found.manifest);
  const status = packageStatusOf(known);
  return {
    id,
    name,
    version,
    description,
    tier: tierOf(record),
    standing: status.standing,
    ...(status.standing === "ready" ? { because: null } : { because: status.because, said: status.said }),
    ...(status.standing === "ready" && live !== undefined ? live : {}),
    source: record?.source ?? { kind: found.at === "path" ? "path" : "found", from: found.folder },
    folder: found.folder,
    ask,
    askDigest: askDigest(ask),
    notAgreed: beyondAgreed(ask, record?.agreed ?? null),
  };
}
