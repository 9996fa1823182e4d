/**
 * The plugins of packages in a running gateway.
 *
 *   manifest read ─▶ stand-in ──something of it is needed──▶ active          (ordinary: in a process of its own)
 *        ├─▶ trusted: active from the start, because it may hold the gate
 *        ├─▶ refused: it has nothing; if it was trusted, its policies let nothing pass
 *        └─▶ disabled: not there; what it kept in sessions is removed
 */
import { createLane } from "../../lane/lane.ts";
import type { PluginManifest } from "../../protocol/plugin/plugin-manifest.ts";
import type { PluginView } from "../../protocol/plugin/plugin-packages.ts";
import { loadGuest } from "./load-guest.ts";
import { activate, type ActivateParts, close, holdGate, letGateGo, takeOut } from "./activate.ts";
import { type HoldingParts, textOf } from "./held-plugin.ts";
import type { CommandOwners } from "./command-owners.ts";
import type { Known } from "./packages/package-status.ts";
import type { Live } from "./packages/package-parts.ts";
import type { PluginPackages } from "./packages/packages.ts";
import { asIs, localized } from "../../protocol/localized/localized-text.ts";

const ACTIVATIONS_AT_ONCE_MAX = 4;

export type LiveParts = Omit<HoldingParts, "held" | "refuse"> & {
  owners: CommandOwners;
  packages: PluginPackages;
  /** Adds a problem that operators were already notified of before this process began. */
  remind(pluginId: string, text: string): void;
};

export type LivePlugins = {
  /** Never rejects because of a plugin. */
  start(): Promise<void>;
  /** Loads plugins that add to a turn: tools, hooks and subscriptions. */
  beforeTurn(): Promise<void>;
  /** Loads plugins that add to a page. */
  beforePages(): Promise<void>;
  /** Loads the plugin if only its stand-in is there; otherwise does nothing. */
  beforeAction(pluginId: string): Promise<void>;
  /** The configuration or the records changed. */
  reconcile(): Promise<void>;
  live(id: string): Live | undefined;
  /** False: the operators' decisions about plugins cannot be read, so the right set of plugins is unknown. */
  isKnown(): boolean;
};

export function createLivePlugins({ packages, remind, ...given }: LiveParts): LivePlugins {
  const parts: ActivateParts = {
    ...given,
    held: new Map(),
    imported: new Map(),
    async refuse(one, because) {
      await one.giveBack?.();
      await close(one, asIs(because), parts);
    },
  };
  const { held, host, notice } = parts;
  const inTurn = createLane();
  let isKnown = false;

  host.onChange(({ kind, pluginId, why, said = [] }) => {
    if (kind === "muted") notice(pluginId, why);
    if (kind !== "disabled" || !held.delete(pluginId)) return; // our own disabling deletes it from `held` first
    const because = localized("offFailed", { why: { text: why, said } });
    notice(pluginId, because.text);
    void packages
      .disable({ id: pluginId, because, by: "failures" })
      .catch((error: unknown) => notice(pluginId, `That could not be recorded: ${textOf(error)}`));
  });

  async function activateAll(wanted: (manifest: PluginManifest) => boolean): Promise<void> {
    const waiting = [...held.values()].filter(
      ({ live, known }) => live.standing === "ready" && wanted(known.found.manifest),
    );
    while (waiting.length > 0)
      // each failure is reported where it happens; the others go on
      await Promise.allSettled(waiting.splice(0, ACTIVATIONS_AT_ONCE_MAX).map((one) => loadGuest(one, parts)));
  }

  async function reconcile(only?: string): Promise<void> {
    const isMeant = (id: string): boolean => only === undefined || only === id;
    const known = (await packages.known()).toSorted(firstInstalled);
    const all = known.filter(({ found }) => isMeant(found.manifest.id));
    const present = new Set(all.map(({ found }) => found.manifest.id));
    const gone = [...held].filter(([id]) => isMeant(id) && !present.has(id));
    for (const [, one] of gone) await takeOut(one.known, parts);
    for (const one of all) await activate(one, { again: only !== undefined }, parts);
    if (only !== undefined && all.every(({ record }) => record === undefined)) await letHeirsIn(known);
    if (!isKnown) await letGateGo(parts);
    isKnown = true;
  }

  /** A plugin was removed, and its commands are free: who was refused one of them has it now, not at the next restart. */
  async function letHeirsIn(known: readonly Known[]): Promise<void> {
    for (const one of known) {
      const said = held.get(one.found.manifest.id)?.live.said ?? [];
      if (said.some(({ key }) => key === "commandOwned")) await activate(one, { again: true }, parts);
    }
  }

  async function start(): Promise<void> {
    try {
      await reconcile();
      for (const { found, record } of await packages.known())
        if (record?.disabledBy !== undefined) remind(found.manifest.id, record.disabledBecause ?? "It failed.");
    } catch (error) {
      await holdGate(textOf(error), parts);
    }
  }

  packages.onChange((id) => inTurn(() => reconcile(id)));

  return {
    start: () => inTurn(start),
    beforeTurn: () => activateAll(({ tools, needs }) => tools.length > 0 || needs.includes("agent-events")),
    beforePages: () => activateAll(({ ui }) => ui.length > 0),
    async beforeAction(pluginId) {
      const one = held.get(pluginId);
      if (one?.live.standing === "ready") await loadGuest(one, parts).catch(() => undefined); // then there is no such action
    },
    reconcile: () => inTurn(() => reconcile()),
    live: (id) => held.get(id)?.live,
    isKnown: () => isKnown,
  };
}

/** Where nobody is recorded as a command's owner yet, it is the plugin that was installed first. */
const firstInstalled = (a: Known, b: Known): number => installedAt(a) - installedAt(b);
const installedAt = ({ record }: Known): number => record?.installedAtMs ?? Number.MAX_SAFE_INTEGER;

/** A bundled plugin as operators see it. */
export function bundledView(plugin: { id: string; name: string; description: string }, version: string): PluginView {
  return {
    id: plugin.id,
    name: plugin.name,
    version,
    description: plugin.description,
    tier: "bundled",
    standing: "active",
    because: null,
    source: { kind: "bundled", from: "holdpoint" },
    folder: null,
    ask: { trust: "ordinary", needs: [], commands: [], tools: [], policies: [], hooks: [] },
    askDigest: "",
    notAgreed: [],
  };
}
