/** The inner parts of the host: tables, hooks, events, cleanup, and the registry of enabled plugins. */
import { createAgentEventHub, createRateLimit } from "./events/agent-events.ts";
import { createRunContexts } from "./events/run-context.ts";
import { watchSessions } from "./events/watch-sessions.ts";
import { createCallHooks } from "./hooks/call-hooks.ts";
import { contain } from "./hooks/contain.ts";
import { createErrorBudget } from "./hooks/error-budget.ts";
import { createHookRunner } from "./hooks/hook-runner.ts";
import { createTurnTexts } from "./hooks/turn-texts.ts";
import type { TrustedToolPolicy } from "./policy.ts";
import type { PluginRuntime, CleanupMark } from "./plugin-runtime.ts";
import { contained } from "./registration/contained-parts.ts";
import { type Loaded, markOf } from "./registration/contributions.ts";
import { createApi } from "./registration/create-api.ts";
import { emptyTables, publish } from "./registration/live-tables.ts";
import { createShutdown } from "./registry/shutdown.ts";
import { createOffPlugins } from "./registry/off-plugins.ts";
import { createPluginRegistry, type Entry } from "./registry/plugin-registry.ts";
import type { HostParts, PluginChange, PluginStatus } from "./registry/plugin-status.ts";
import { createStateViews } from "./state/state-views.ts";
import { createCleanup } from "./cleanup/cleanup.ts";

/** How many sessions with changed plugin state are remembered; beyond it a plugin is not notified at a restart. */
const TOUCHED_MAX = 10_000;

type Held = { runtime?: PluginRuntime; started?: string; policies?: readonly TrustedToolPolicy[] };
type Failed = (pluginId: string, error: unknown) => void;

export type Inner = ReturnType<typeof createInner>;

export function createInner(parts: HostParts) {
  const { clock, report } = parts;
  const held: Held = {};
  const runtime = (): PluginRuntime | undefined => held.runtime;
  const failed: Failed = (pluginId, error) => registry.failed(pluginId, error);
  const listeners = new Set<(change: PluginChange) => void>();
  const tables = emptyTables();
  const off = createOffPlugins();
  const shutdown = createShutdown({ clock, failed });
  const observers = createObservers({ clock, failed });
  const { hooks, hub, runs, rate, texts } = observers;

  function changed(change: PluginChange): void {
    delete held.policies;
    texts.forget();
    const entry = registry.entries.get(change.pluginId);
    if (change.kind === "enabled" && entry !== undefined) {
      off.forget(change.pluginId);
      if (held.started !== undefined) {
        void cleanup.note(marksOf([entry])).catch(report);
        void announceStart(entry.loaded, held.started, { clock, failed });
      }
    }
    for (const listener of listeners) listener(change);
  }

  const registry = createPluginRegistry({
    clock,
    report,
    budget: createErrorBudget(clock),
    shutdown,
    cleanup: () => cleanup,
    apiFor: (loaded, config) => createApi(loaded, config, { runtime, clock, hub, rate, runs, log: parts.log }),
    publish(loaded) {
      contained(loaded, (error) => failed(loaded.id, error));
      return publish(loaded, { tables, hooks, shelf: () => held.runtime?.tools });
    },
    switchedOff: (loaded) => off.add(loaded),
    removeObservers: (pluginId) => removeObservers(pluginId, observers),
    changed,
  });
  const cleanup = createCleanup({
    clock,
    runtime,
    isEnabled: (pluginId) => registry.entries.has(pluginId),
    report,
    async cleanedUp(pluginId, sessionId) {
      const loaded = off.get(pluginId);
      if (loaded !== undefined) await shutdown.cleanUp(loaded, { reason: "disable", sessionKey: sessionId });
    },
  });
  const loaded = (): Loaded[] => [...registry.entries.values()].map((entry) => entry.loaded);
  const views = createStateViews({ tables, loaded, failed });
  return {
    tables,
    observers,
    views,
    cleanup,
    registry,
    off,
    shutdown,
    held,
    listeners,
    clock,
    toolHooks: createCallHooks(hooks, { hub, clock }),
  };
}

type Observers = ReturnType<typeof createObservers>;

/** Everything through which plugins observe agents and add to their turns. */
function createObservers({ clock, failed }: { clock: HostParts["clock"]; failed: Failed }) {
  const hub = createAgentEventHub(failed);
  const hooks = createHookRunner({
    clock,
    caughtUp: hub.caughtUp,
    failed: ({ pluginId, hook, error }) => failed(pluginId, new Error(`the hook ${hook}`, { cause: error })),
  });
  return { hooks, hub, runs: createRunContexts(), rate: createRateLimit(clock), texts: createTurnTexts(hooks, clock) };
}

function removeObservers(pluginId: string, { hooks, hub, runs, rate }: Observers): void {
  hooks.removePlugin(pluginId);
  hub.removePlugin(pluginId);
  runs.removePlugin(pluginId);
  rate.forget(pluginId);
}

/** A plugin that is enabled while the gateway runs still gets its `gateway_start`. */
async function announceStart(
  { id, has }: Loaded,
  version: string,
  at: { clock: HostParts["clock"]; failed: Failed },
): Promise<void> {
  for (const { hook, handler, timeoutMs } of has.hooks) {
    if (hook !== "gateway_start") continue;
    await contain(async () => handler({ version }), {
      clock: at.clock,
      timeoutMs,
      failed: (error) => at.failed(id, error),
    });
  }
}

export function connect({ registry, observers, shutdown, held, clock }: Inner, runtime: PluginRuntime): void {
  held.runtime = runtime;
  const entries = (): Entry[] => [...registry.entries.values()];
  const watch = watchSessions({
    ...observers,
    clock,
    isIdle: () => entries().every(({ loaded }) => loaded.permanent && loaded.has.hooks.length === 0),
    touched(pluginId, sessionKey) {
      const touched = registry.entries.get(pluginId)?.touched;
      if (touched !== undefined && touched.size < TOUCHED_MAX) touched.add(sessionKey);
    },
    cleanUp(reason, sessionKey) {
      observers.texts.forget(sessionKey);
      for (const { loaded, touched } of entries()) {
        if (reason === "delete") touched.delete(sessionKey);
        void shutdown.cleanUp(loaded, { reason, sessionKey });
      }
    },
  });
  runtime.sessions.onCommitted(watch);
}

const marksOf = (entries: Iterable<Entry>): CleanupMark[] =>
  [...entries].flatMap(({ loaded }) => (loaded.permanent ? [] : [markOf(loaded)]));

export type Beginning = {
  /** False: the list of plugins could not be read, so a missing plugin must not be cleaned up. */
  allAreThere?: boolean;
};

export async function start(inner: Inner, version: string, { allAreThere = true }: Beginning): Promise<void> {
  const { held, cleanup, observers, registry } = inner;
  held.started = version;
  await cleanup.note(marksOf(registry.entries.values()));
  if (allAreThere) await cleanup.resume();
  if (observers.hooks.has("gateway_start")) await observers.hooks.run("gateway_start", { version });
}

export async function stop({ held, cleanup, observers, registry, shutdown }: Inner, version: string): Promise<void> {
  delete held.started;
  if (observers.hooks.has("gateway_stop")) await observers.hooks.run("gateway_stop", { version });
  for (const { loaded, touched } of registry.entries.values()) {
    for (const sessionKey of touched) await shutdown.cleanUp(loaded, { reason: "restart", sessionKey });
    await shutdown.dispose(loaded);
  }
  await cleanup.stop();
}

export const standingOf = ({ loaded, warnings }: Entry): PluginStatus => {
  const { id, name, description, tier, permanent } = loaded;
  return { id, name, description, tier, permanent, warnings };
};
