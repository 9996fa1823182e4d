/** Brings the host in line with a plugin's status: a stand-in, a trusted plugin, a closed one, or none. */
import { realpath } from "node:fs/promises";
import type { PluginHost } from "../../plugins/host.ts";
import { standInFor } from "../../plugins/isolated/stand-in.ts";
import { PluginManifest, type PluginTier } from "../../protocol/plugin/plugin-manifest.ts";
import { loadGuest } from "./load-guest.ts";
import type { CommandOwners } from "./command-owners.ts";
import { closedPlugin } from "./closed-plugin.ts";
import { heldDigest, heldPlugin, type HeldPlugin, type HoldingParts, textOf } from "./held-plugin.ts";
import { type Known, lookAtFiles, type PackageStatus, packageStatusOf } from "./packages/package-status.ts";
import { asIs, localized, type LocalizedText } from "../../protocol/localized/localized-text.ts";

type Ready = Extract<PackageStatus, { standing: "ready" }>;

export type ActivateParts = HoldingParts & {
  /** The digest of the code that this process imported: imported code stays until the process ends. */
  imported: Map<string, string>;
  owners: CommandOwners;
};

/** `again`: an operator did something about this plugin, so a failure is tried once more. */
export async function activate(known: Known, { again }: { again: boolean }, parts: ActivateParts): Promise<void> {
  const { manifest } = known.found;
  const status = packageStatusOf(known);
  const digest = heldDigest(known, status);
  const before = parts.held.get(manifest.id);
  const isOwner =
    status.standing !== "ready" || (await parts.owners.problem({ ...manifest, tier: status.tier })) === undefined;
  if (before?.digest === digest && isOwner && !(again && before.live.standing === "refused")) return;
  const one = heldPlugin(known, digest);
  switch (status.standing) {
    case "disabled":
      return takeOut(known, parts);
    case "refused":
      return close(one, { text: status.because, said: status.said }, parts);
    case "ready":
      return status.tier === "trusted" ? loadTrusted(one, status, parts) : standIn(one, status, parts);
  }
}

const put = (load: Parameters<PluginHost["enable"]>[0], { host }: ActivateParts): Promise<unknown> =>
  host.isEnabled(load.plugin.id) ? host.replace(load) : host.enable(load);

async function standIn(one: HeldPlugin, { config, tier }: Ready, parts: ActivateParts): Promise<void> {
  const { manifest } = one.known.found;
  const plugin = standInFor(manifest, () => loadGuest(one, parts));
  await owning(one, { ...parts, tier }, async () => {
    await put({ plugin, tier, manifest, config }, parts);
    parts.held.set(manifest.id, one);
  });
}

/** What it could not keep, it does not own: a plugin that is refused gives back what it claimed just now. */
async function owning(
  one: HeldPlugin,
  parts: ActivateParts & { tier: PluginTier },
  enter: () => Promise<void>,
): Promise<void> {
  const { manifest } = one.known.found;
  try {
    const claimed = await parts.owners.claim({ ...manifest, tier: parts.tier });
    if ("taken" in claimed) return await close(one, claimed.taken, parts);
    one.giveBack = claimed.giveBack;
    try {
      await enter();
    } catch (error) {
      await claimed.giveBack();
      throw error;
    }
    await parts.owners.release(manifest); // what an earlier version had and this one does not
  } catch (error) {
    await close(one, asIs(textOf(error)), parts);
  }
}

async function loadTrusted(one: HeldPlugin, { config }: Ready, parts: ActivateParts): Promise<void> {
  const { manifest, folder } = one.known.found;
  try {
    const root = await realpath(folder);
    const looked = await lookAtFiles(one.known);
    if ("changed" in looked) return await close(one, looked.changed, parts);
    const other = otherVersion(one, parts);
    if (other !== undefined) return await close(one, other, parts);
    const { importPlugin } = await import("./import-plugin.ts");
    const plugin = importPlugin({ folder: root, entry: manifest.entry, id: manifest.id, files: looked.files });
    await owning(one, { ...parts, tier: "trusted" }, async () => {
      await put({ plugin, tier: "trusted", manifest, config }, parts);
      parts.held.set(manifest.id, { ...one, live: { standing: "active", because: null } });
    });
  } catch (error) {
    await close(one, asIs(textOf(error)), parts);
  }
}

function otherVersion({ known }: HeldPlugin, { imported }: ActivateParts): LocalizedText | undefined {
  const { id } = known.found.manifest;
  const now = known.record?.trust?.integrity ?? "";
  const before = imported.get(id) ?? now;
  imported.set(id, before);
  return before === now ? undefined : localized("otherVersion");
}

/** Takes back everything that it had. Its own commands stay known by name, so that using one says why there is nothing. */
export async function close(one: HeldPlugin, because: LocalizedText, parts: ActivateParts): Promise<void> {
  const { record, found } = one.known;
  const { manifest } = found;
  const wasTrusted = record !== undefined && record.trust !== null;
  const plugin = closedPlugin({ manifest, because, wasTrusted });
  await put({ plugin, tier: wasTrusted ? "trusted" : "ordinary", manifest }, parts);
  parts.held.set(manifest.id, { ...one, live: { standing: "refused", because: because.text, said: because.said } });
  parts.host.declareDisabled(manifest.id, await parts.owners.notTaken(manifest), because);
  parts.notice(manifest.id, because.text);
}

const UNREAD = PluginManifest.parse({
  id: "unread-plugins",
  name: "unread-plugins",
  version: "0.0.0",
  description: "Stands for those that might be there.",
  entry: "index.js",
  sdk: 1,
  policies: ["unknown"],
});

/** The records cannot be read, so any plugin may have been trusted to judge calls. */
export async function holdGate(because: string, parts: ActivateParts): Promise<void> {
  const plugin = closedPlugin({ manifest: UNREAD, because: asIs(because), wasTrusted: true });
  await put({ plugin, tier: "trusted", manifest: UNREAD }, parts);
  parts.notice(UNREAD.id, because);
}

export async function letGateGo({ host }: ActivateParts): Promise<void> {
  if (host.isEnabled(UNREAD.id)) await host.disable(UNREAD.id, "the plugins are known again");
}

/** Its commands stay known by name, so that using one explains that the plugin is switched off. */
export async function takeOut({ found }: Pick<Known, "found">, { host, held, owners }: ActivateParts): Promise<void> {
  const { id } = found.manifest;
  held.delete(id);
  if (host.isEnabled(id)) await host.disable(id);
  host.declareDisabled(id, await owners.notTaken(found.manifest));
}
