/**
 * Which plugins are there.
 *
 *   enable ─▶ registering ─▶ enabled ──disable · too many failures──▶ off: out of the tables at once, then cleanup
 *                 └─ failed ─▶ gone without a trace                        and its own `dispose`
 */
import { FAILURE_WINDOW_MS, FAILURES_MAX, type ErrorBudget } from "../hooks/error-budget.ts";
import { PluginError } from "../plugin-error.ts";
import { holdsGate, type Loaded, markOf } from "../registration/contributions.ts";
import { configOf, type PluginLoad, REGISTER_MS_MAX, toLoaded } from "../registration/load.ts";
import { undelivered } from "../registration/declared.ts";
import type { PluginApi } from "../sdk.ts";
import type { Clock } from "../sessions.ts";
import type { Cleanup } from "../cleanup/cleanup.ts";
import type { Shutdown } from "./shutdown.ts";
import type { PluginChange } from "./plugin-status.ts";
import { type LocalizedText, localized } from "../../protocol/localized/localized-text.ts";

const PLUGINS_MAX = 200;

export type Entry = {
  loaded: Loaded;
  takeBack(): void;
  warnings: readonly string[];
  /** Sessions in which its state was changed since it was enabled. */
  touched: Set<string>;
};

export type PluginRegistryParts = {
  clock: Clock;
  report(error: unknown): void;
  budget: ErrorBudget;
  shutdown: Shutdown;
  cleanup(): Cleanup;
  apiFor(loaded: Loaded, config: never): PluginApi<never>;
  /** Publishes what it registered; throws when a name is taken. */
  publish(loaded: Loaded): () => void;
  /** Kept while it is off. */
  switchedOff(loaded: Loaded): void;
  /** Ends its hooks and subscriptions, and forgets what is kept for it in memory. */
  removeObservers(pluginId: string): void;
  changed(change: PluginChange): void;
};

export type Warned = { warnings: readonly string[] };
export type PluginRegistry = {
  entries: ReadonlyMap<string, Entry>;
  enable(load: PluginLoad): Promise<Warned>;
  enableNow(load: PluginLoad): Warned;
  replace(load: PluginLoad): Promise<Warned>;
  disable(pluginId: string, why?: string): Promise<void>;
  failed(pluginId: string, error: unknown): void;
  /** Changes each time it is switched off. */
  lifeOf(pluginId: string): number;
};

export function createPluginRegistry(parts: PluginRegistryParts): PluginRegistry {
  const entries = new Map<string, Entry>();
  const lives = new Map<string, number>(); // one number for each plugin that was ever switched off

  async function disable(pluginId: string, why: string | LocalizedText = "an operator switched it off"): Promise<void> {
    const entry = entries.get(pluginId);
    if (entry === undefined) throw new PluginError({ problem: "unknown", pluginId }, `${pluginId} is not enabled.`);
    const { loaded } = entry;
    if (loaded.permanent)
      throw new PluginError({ problem: "permanent", pluginId }, `${pluginId} is part of the gateway and stays.`);
    takeOut(entry, { entries, parts });
    lives.set(pluginId, (lives.get(pluginId) ?? 0) + 1);
    parts.switchedOff(loaded);
    parts.changed(changeOf(loaded, "disabled", why));
    await parts.cleanup().begin(markOf(loaded));
    await parts.shutdown.dispose(loaded);
  }

  return {
    entries,
    disable,
    lifeOf: (pluginId) => lives.get(pluginId) ?? 0,
    async enable(load) {
      const { entry, register } = begin(load, { entries, parts });
      try {
        await inTime(register, { id: entry.loaded.id, clock: parts.clock });
        return finish(entry, parts);
      } catch (error) {
        throw rollBack(entry, error, { entries, parts });
      }
    },
    /** Replaces everything that its stand-in registered in one step. If it cannot be loaded, the stand-in stays. */
    async replace(load) {
      const standIn = entries.get(load.plugin.id);
      if (standIn === undefined) throw new PluginError({ problem: "disabled", pluginId: load.plugin.id }, "It is off.");
      const { entry, register } = begin(load, { entries, parts }, standIn);
      try {
        await inTime(register, { id: entry.loaded.id, clock: parts.clock });
        if (entries.get(entry.loaded.id) !== standIn) throw new Error(`${entry.loaded.id} was switched off meanwhile.`);
        standIn.takeBack();
        const warned = finish(entry, parts, () => entries.set(entry.loaded.id, entry));
        standIn.loaded.status = "off";
        await parts.shutdown.dispose(standIn.loaded);
        return warned;
      } catch (error) {
        throw putBack({ standIn, entry, error }, { entries, parts });
      }
    },
    enableNow(load) {
      const { entry, register } = begin(load, { entries, parts });
      try {
        if (register() instanceof Promise) throw new Error(`The \`register\` of ${entry.loaded.id} is asynchronous.`);
        return finish(entry, parts);
      } catch (error) {
        throw rollBack(entry, error, { entries, parts });
      }
    },
    /** Operators are notified by the change; details of the failure go to the log. */
    failed(pluginId, error) {
      parts.report(new Error(`the plugin ${pluginId} failed`, { cause: error }));
      const loaded = entries.get(pluginId)?.loaded;
      if (loaded?.status !== "enabled" || !parts.budget.spend(pluginId)) return;
      if (!loaded.permanent && !holdsGate(loaded)) return void disable(pluginId, TOO_OFTEN).catch(parts.report);
      parts.removeObservers(pluginId);
      parts.changed(changeOf(loaded, "muted", `${TOO_OFTEN.text}; it judges calls, so only its hooks were ended`));
    },
  };
}

const TOO_OFTEN = localized("tooOften", { times: FAILURES_MAX, seconds: FAILURE_WINDOW_MS / 1_000 });

type Within = { entries: Map<string, Entry>; parts: PluginRegistryParts };

type Register = () => void | Promise<void>;

async function inTime(register: Register, { id, clock }: { id: string; clock: Clock }): Promise<void> {
  const late = Promise.withResolvers<never>();
  const tooLong = new Error(`${id} did not finish registering within ${REGISTER_MS_MAX} ms.`);
  const callOff = clock.wakeAt(clock.now() + REGISTER_MS_MAX, () => late.reject(tooLong));
  try {
    await Promise.race([register(), late.promise]);
  } finally {
    callOff();
  }
}

function begin(load: PluginLoad, { entries, parts }: Within, standIn?: Entry): { entry: Entry; register: Register } {
  const loaded = toLoaded(load);
  const { id: pluginId } = loaded;
  if (entries.get(pluginId) !== standIn)
    throw new PluginError({ problem: "taken", pluginId }, `${pluginId} is enabled already.`);
  if (entries.size >= PLUGINS_MAX)
    throw new PluginError({ problem: "invalid", pluginId }, `More than ${PLUGINS_MAX} plugins.`);
  const entry: Entry = { loaded, takeBack: () => undefined, warnings: [], touched: new Set() };
  if (standIn === undefined) entries.set(pluginId, entry);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parsed by the plugin's own schema in `configOf`
  return { entry, register: () => load.plugin.register(parts.apiFor(loaded, configOf(load) as never)) };
}

function finish(entry: Entry, parts: PluginRegistryParts, published: () => void = () => undefined): Warned {
  const { loaded } = entry;
  entry.takeBack = parts.publish(loaded);
  published();
  loaded.status = "enabled";
  entry.warnings = undelivered(loaded, loaded.has);
  parts.changed(changeOf(loaded, "enabled", ""));
  return { warnings: entry.warnings };
}

type Replaced = { standIn: Entry; entry: Entry; error: unknown };

function putBack({ standIn, entry, error }: Replaced, { entries, parts }: Within): PluginError {
  const { loaded } = entry;
  loaded.status = "off";
  void parts.shutdown.dispose(loaded);
  if (entries.get(loaded.id) === standIn) {
    standIn.takeBack();
    parts.removeObservers(loaded.id);
    standIn.takeBack = parts.publish(standIn.loaded);
  }
  return problemOf(loaded, error);
}

function rollBack(entry: Entry, error: unknown, within: Within): PluginError {
  const { loaded } = entry;
  takeOut(entry, within);
  void within.parts.shutdown.dispose(loaded);
  const problem = problemOf(loaded, error);
  within.parts.changed(changeOf(loaded, "failed", problem.message));
  return problem;
}

function takeOut({ loaded, takeBack }: Entry, { entries, parts }: Within): void {
  loaded.status = "off";
  takeBack();
  entries.delete(loaded.id);
  parts.removeObservers(loaded.id);
  parts.budget.forget(loaded.id);
}

const problemOf = ({ id: pluginId }: Loaded, error: unknown): PluginError =>
  error instanceof PluginError
    ? error
    : new PluginError({ problem: "failed", pluginId }, said(error), { cause: error });

const changeOf = (loaded: Loaded, kind: PluginChange["kind"], why: string | LocalizedText): PluginChange => ({
  kind,
  pluginId: loaded.id,
  tier: loaded.tier,
  ...(typeof why === "string" ? { why } : { why: why.text, said: why.said }),
});

const said = (error: unknown): string => (error instanceof Error ? error.message : String(error));
