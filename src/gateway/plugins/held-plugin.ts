/** A plugin of a package as the running gateway holds it. */
import { canonicalJson } from "../../protocol/text/canonical-json.ts";
import type { PluginHost } from "../../plugins/host.ts";
import type { Heirs } from "../../plugins/isolated/stand-in.ts";
import type { Clock } from "../../plugins/sessions.ts";
import { Json } from "../../protocol/json.ts";
import type { Live } from "./packages/package-parts.ts";
import type { Known, PackageStatus } from "./packages/package-status.ts";

export type HeldPlugin = {
  known: Known;
  /** Digest of what it was enabled with; when that changes it is enabled again. */
  digest: string;
  live: Live;
  /** Frees the commands that nobody had before it; until its code was loaded once. */
  giveBack?: () => Promise<void>;
  activating?: Promise<Heirs>;
  failures: number;
  notBeforeMs: number;
};

export type HoldingParts = {
  host: PluginHost;
  clock: Pick<Clock, "now">;
  held: Map<string, HeldPlugin>;
  /** Reports a problem to operators. */
  notice(pluginId: string, text: string): void;
  /** It registered what it may not: everything of it is taken back. */
  refuse(one: HeldPlugin, because: string): Promise<void>;
};

export function heldPlugin(known: Known, digest: string): HeldPlugin {
  return { known, digest, live: { standing: "ready", because: null }, failures: 0, notBeforeMs: 0 };
}

export function heldDigest({ found, record }: Known, status: PackageStatus): string {
  return canonicalJson(
    Json.parse({
      manifest: found.manifest,
      folder: found.folder,
      integrity: record?.integrity ?? null,
      trust: record?.trust ?? null,
      status,
    }),
  );
}

export const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
