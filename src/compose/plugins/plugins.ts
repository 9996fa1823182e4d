/** Connects installed plugins to the rest of the gateway. */
import type { PluginsChanged, PluginSettings } from "../../protocol/plugin/plugin-packages.ts";
import type { ComposedEngine, Worker } from "../engine.ts";
import type { State } from "../state.ts";
import { VERSION } from "../../gateway/version.ts";
import { createCommandOwners } from "../../gateway/plugins/command-owners.ts";
import { bundledView, createLivePlugins, type LivePlugins } from "../../gateway/plugins/live-plugins.ts";
import { createTroubleRecord } from "../../gateway/plugins/trouble-record.ts";
import { createPackages, type PluginPackages } from "../../gateway/plugins/packages/packages.ts";

export type OpenPlugins = {
  packages: PluginPackages;
  live: LivePlugins;
  /** Called for every plugin that is enabled, disabled, or needs an operator's attention. */
  onChange(listener: (change: PluginsChanged) => void): void;
  /** Lines for operators about what could not be recorded. */
  notes(): string[];
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
  const owners = createCommandOwners(store, () => clock.now());
  const packages = createPackages({
    owners,
    home: options.home,
    settings,
    bundled: host.plugins().map((plugin) => bundledView(plugin, VERSION)),
    now: () => clock.now(),
    live: (id) => live.live(id),
  });
  const report = (error: unknown): void => {
    log.error({ err: error }, "plugins could not be brought in line");
    attention.add("all", `They could not be brought in line with the configuration: ${String(error)}`);
  };
  const notRecorded = (error: unknown): void => log.error({ err: error }, "a trouble of a plugin is not recorded yet");
  const troubles = createTroubleRecord({ store, clock, report: notRecorded });
  const live = createLivePlugins({
    owners,
    host,
    packages,
    clock,
    remind: attention.add,
    notice(pluginId, text) {
      log.warn({ pluginId, reason: text }, "a plugin needs an operator's attention");
      attention.add(pluginId, text);
      tell({ pluginId, change: "trouble", why: text });
      if (isStarting) notes.push(`Plugin ${pluginId}: ${text}`);
      troubles.add(pluginId, text);
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
  return {
    packages,
    live: { ...live, start },
    onChange: (listener) => void listeners.push(listener),
    notes: troubles.notes,
  };
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
