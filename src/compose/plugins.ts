/** Connects installed plugins to the rest of the gateway. */
import type { OwnFact } from "../protocol/audit.ts";
import type { PluginsChanged, PluginSettings } from "../protocol/plugin-packages.ts";
import type { ComposedEngine, Worker } from "./engine.ts";
import type { State } from "./state.ts";
import { VERSION } from "../gateway/version.ts";
import { bundledView, createLivePlugins, type LivePlugins } from "../gateway/plugins/live-plugins.ts";
import { createPackages, type PluginPackages } from "../gateway/plugins/packages/packages.ts";

export type OpenPlugins = {
  packages: PluginPackages;
  live: LivePlugins;
  /** Called for every plugin that is enabled, disabled, or needs an operator's attention. */
  onChange(listener: (change: PluginsChanged) => void): void;
};

export function openPlugins(state: State, { host }: ComposedEngine): OpenPlugins {
  const { options, config, clock, store, log, notes, attention } = state;
  const listeners: ((change: PluginsChanged) => void)[] = [];
  const tell = (change: PluginsChanged): void => {
    for (const listener of listeners) listener(change);
  };
  // registered before the listeners of `live`, so that the old notice is cleared before `live` adds a new one
  host.onChange(({ kind, pluginId, why }) => {
    if (kind === "enabled" || kind === "disabled") attention.clear(pluginId);
    tell({ pluginId, change: kind, why });
  });
  let isStarting = true;
  const settings = (): PluginSettings => config.current().plugins;
  const packages = createPackages({
    home: options.home,
    settings,
    bundled: host.plugins().map((plugin) => bundledView(plugin, VERSION)),
    now: () => clock.now(),
    live: (id) => live.live(id),
  });
  const report = (error: unknown): void => log.error({ err: error }, "plugins could not be brought in line");
  const live = createLivePlugins({
    host,
    packages,
    clock,
    remind: attention.add,
    notice(pluginId, text) {
      log.warn({ pluginId, reason: text }, "a plugin needs an operator's attention");
      attention.add(pluginId, text);
      tell({ pluginId, change: "trouble", why: text });
      if (isStarting) notes.push(`Plugin ${pluginId}: ${text}`);
      const facts: OwnFact[] = [{ type: "plugin.trouble", detail: { id: pluginId, reason: text } }];
      void store.audit({ atMs: clock.now(), actor: "system:plugins", facts }).catch(report);
    },
  });
  config.onChange((change) => {
    const isOurs = change.kind === "applied" && change.changed.some((path) => /^plugins(?:\.|$)/.test(path));
    if (isOurs) void live.reconcile().catch(report);
  });
  async function start(): Promise<void> {
    await live.start();
    isStarting = false;
  }
  return { packages, live: { ...live, start }, onChange: (listener) => void listeners.push(listener) };
}

/** A turn begins only after the plugins that add to it are loaded. */
export function withPlugins(worker: Worker, { live }: OpenPlugins): Worker {
  return {
    ...worker,
    async run(pending) {
      if (pending.effect.kind === "run-turn") await live.beforeTurn();
      return worker.run(pending);
    },
  };
}
