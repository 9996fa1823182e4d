/** What operators agreed to, and which part of it still holds after an installation. */
import { folderIntegrity } from "../../../plugins/packages/folder-files.ts";
import { askDigest, askOf, beyondAgreed } from "../../../plugins/packages/manifest.ts";
import type { PluginManifest } from "../../../protocol/plugin/plugin-manifest.ts";
import type { PluginAsk, PluginRecord } from "../../../protocol/plugin/plugin-packages.ts";
import { refuse, type Refused } from "../../../protocol/refusal.ts";
import type { FoundPlugin } from "./discover.ts";
import type { Origin } from "./package-files.ts";
import { type LocalizedText, localized } from "../../../protocol/localized/localized-text.ts";

export const agreedTo = (manifest: PluginManifest): PluginAsk => askOf(manifest);

type Asking = { found: Pick<FoundPlugin, "manifest">; record?: PluginRecord | undefined };

/** An agreement names what the operator was shown; if the plugin asks for something else by now, they are shown that. */
export function agreementProblem({ found, record }: Asking, agree: string | undefined): Refused | undefined {
  const { manifest } = found;
  const ask = askOf(manifest);
  const details = { askDigest: askDigest(ask), asks: beyondAgreed(ask, record?.agreed ?? null) };
  if (agree !== undefined && agree !== details.askDigest)
    return refuse("PLUGIN_NOT_AGREED", localized("pluginAskedOther", { plugin: manifest.id }), details);
  if (agree !== undefined || details.asks.length === 0) return undefined;
  const words = localized("pluginAsks", { plugin: manifest.id, asks: details.asks.join(", ") });
  return refuse("PLUGIN_NOT_AGREED", words, details);
}

/** The record of a plugin that was found and not installed. In a folder that the configuration names, files may change. */
export async function firstRecord(found: FoundPlugin, nowMs: number): Promise<PluginRecord> {
  return {
    source: { kind: found.at === "path" ? "path" : "found", from: found.folder },
    version: found.manifest.version,
    integrity: found.at === "path" ? null : await folderIntegrity(found.folder),
    installedAtMs: nowMs,
    trust: null,
    agreed: null,
    enabled: false,
    disabledBecause: null,
  };
}

export type Installed = {
  manifest: PluginManifest;
  origin: Origin;
  before: PluginRecord | undefined;
  order: { agree?: string | undefined; enable?: boolean };
  integrity: string;
  nowMs: number;
};

/**
 * A plugin that was on stays on: what it kept in sessions is not lost by an upgrade. If it asks for more it is not loaded
 * until somebody has agreed. Trust was given to other files and does not come along; where the plugin judges calls, that it
 * was trusted is remembered, so that nothing passes unjudged until somebody trusts these files or switches it off.
 */
export function installedRecord({ manifest, origin, before, order, integrity, nowMs }: Installed): PluginRecord {
  const agreed = order.agree === undefined ? (before?.agreed ?? null) : askOf(manifest);
  const isAgreed = beyondAgreed(askOf(manifest), agreed).length === 0;
  return {
    source: origin,
    version: manifest.version,
    integrity,
    installedAtMs: nowMs,
    trust: keptTrust(before, manifest, integrity),
    agreed,
    ...(before?.enabled === true
      ? { enabled: true, disabledBecause: null }
      : { enabled: before === undefined && isAgreed && order.enable === true, ...offBecause(before, isAgreed) }),
  };
}

const keptTrust = (
  before: PluginRecord | undefined,
  { policies }: PluginManifest,
  integrity: string,
): PluginRecord["trust"] =>
  before?.trust?.integrity === integrity || policies.length > 0 ? (before?.trust ?? null) : null;

function offBecause(before: PluginRecord | undefined, isAgreed: boolean) {
  if (!isAgreed) return disabledWith(localized("offUnagreed"));
  const { disabledBecause = null, disabledSaid } = before ?? {};
  return { disabledBecause, ...(disabledSaid === undefined ? {} : { disabledSaid }) };
}

/** The recorded reason why it is off. */
export const disabledWith = ({
  text,
  said,
}: LocalizedText): Pick<PluginRecord, "disabledBecause" | "disabledSaid"> => ({
  disabledBecause: text,
  disabledSaid: said,
});
