/**
 * The configuration of a running gateway. The file is watched; what is safe applies at once, the rest is reported.
 *
 *   file changed ──▶ read ──broken──▶ the last good one stays in force, listeners get the reason
 *                      └──good──▶ applied, except what needs a restart: that keeps its value from the start
 */
import { createLane } from "../lane/lane.ts";
import { unwatchFile, watchFile } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { Json, JsonObject } from "../protocol/json.ts";
import { ConfigError } from "./config-error.ts";
import { setSetting, settingPath, settingToSet, trySetting, tryWithout, unsetSetting } from "./edit-setting.ts";
import { configSchema } from "./expectation.ts";
import type { Environment } from "./home.ts";
import { type LoadedConfig, loadConfig } from "./load.ts";
import type { Config } from "./config.ts";
import { withoutSecrets } from "./secrets.ts";

/**
 * Polled rather than watched: the folder is full of the store's own writes, and an editor replaces the file
 * instead of writing to it, which a watcher of the file itself would lose.
 */
const LOOK_EVERY_MS = 500;

export type ConfigChange =
  /** `by`: somebody wrote the file, or it was set through this gateway, which then knows who did. */
  | { kind: "applied"; by: "file" | "setting"; config: Config; changed: string[]; restartNeeded: string[] }
  | { kind: "broken"; error: ConfigError; config: Config };

export type SettingChange = { applied: boolean; restartNeeded: boolean };

/** What the gateway and its RPC methods see of the configuration. */
export type LiveConfig = {
  readonly file: string;
  /** In force now. */
  current(): Config;
  /** As the file and the environment have it, secrets masked; throws a ConfigError for an unknown path. */
  get(path?: string): { value: Json; file: string };
  /** Throws a ConfigError and changes nothing when the value is bad. */
  set(path: string, value: Json): Promise<SettingChange>;
  unset(path: string): Promise<SettingChange>;
  /** What the setting is and would be, secrets masked; throws as `set` does, and changes nothing. */
  propose(path: string, value: Json): Promise<{ before: Json; after: Json }>;
  /** The whole configuration as it would be; undefined stands for a value that is taken away. Throws as `set` does. */
  preview(path: string, value: Json | undefined): Promise<Config>;
  schema(): JsonObject;
  onChange(listener: (change: ConfigChange) => void): () => void;
  /** Reads the file now instead of at the next look. */
  reload(): Promise<void>;
  close(): void;
};

/** `loaded` is what the gateway started with; `read` is the file, where options of the start overrode it. */
export type LiveParts = {
  home: string;
  env: Environment;
  loaded: LoadedConfig;
  read?: LoadedConfig;
  lookEveryMs?: number;
};

export function liveConfig({ home, env, loaded, read, lookEveryMs = LOOK_EVERY_MS }: LiveParts): LiveConfig {
  const { file } = loaded;
  const listeners = new Set<(change: ConfigChange) => void>();
  let written = read ?? loaded;
  let inForce = loaded.config;
  let brokenText: string | undefined;
  const inTurn = createLane(); // one edit or reading after the other

  function tell(change: ConfigChange): void {
    for (const listener of listeners) listener(change);
  }

  /** Takes over what the file says now; returns the paths that changed and those that wait for a restart. */
  function take(next: LoadedConfig, by: "file" | "setting"): { changed: string[]; restartNeeded: string[] } {
    const changed = changedSettings(written.config, next.config);
    written = next;
    inForce = pinned(next.config, loaded.config);
    const restartNeeded = changedSettings(inForce, next.config);
    brokenText = undefined;
    if (changed.length > 0) tell({ kind: "applied", by, config: inForce, changed, restartNeeded });
    return { changed, restartNeeded };
  }

  async function look(): Promise<void> {
    try {
      take(await loadConfig(home, env), "file");
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      if (brokenText === error.message) return; // reported once
      brokenText = error.message;
      tell({ kind: "broken", error, config: inForce });
    }
  }

  async function edit(path: string, change: () => Promise<Config>): Promise<SettingChange> {
    await look(); // what somebody else wrote into the file is not this caller's change
    await change();
    const { restartNeeded } = take(await loadConfig(home, env), "setting");
    const waits = restartNeeded.some((setting) => isWithin(path, setting) || isWithin(setting, path));
    return { applied: !waits && !isOverridden(path, written.overriddenBy), restartNeeded: waits };
  }

  const onLook = (): void => void inTurn(look);
  watchFile(file, { interval: lookEveryMs, persistent: false }, onLook);

  return {
    file,
    current: () => inForce,
    get: (path) => ({ value: valueAt(withoutSecrets(written.config), path), file }),
    set: (path, value) => inTurn(() => edit(path, () => setSetting(file, path, value))),
    unset: (path) => inTurn(() => edit(path, () => unsetSetting(file, path))),
    propose: (path, value) =>
      inTurn(async () => {
        await look();
        const after = withoutSecrets(await trySetting(file, path, value));
        const shown = settingToSet(path);
        return { before: valueAt(withoutSecrets(written.config), shown), after: valueAt(after, shown) };
      }),
    preview: (path, value) =>
      inTurn(() => (value === undefined ? tryWithout(file, path) : trySetting(file, path, value))),
    schema: configSchema,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    reload: () => inTurn(look),
    close: () => unwatchFile(file, onLook),
  };
}

/** A known setting that has no value is null: JSON has no word for "not set". */
export function valueAt(config: Json, path: string | undefined): Json {
  if (path === undefined || path === "") return config;
  return settingPath(path).reduce<Json>((value, key) => {
    if (typeof value !== "object" || value === null) return null;
    return (Array.isArray(value) ? value[Number(key)] : value[key]) ?? null;
  }, config);
}

/** The new configuration, with what a gateway reads once, when it starts, as it was then: host, port, store, tracing. */
function pinned(next: Config, atStart: Config): Config {
  const { host, port } = atStart.gateway;
  return { ...next, gateway: { ...next.gateway, host, port }, store: atStart.store, tracing: atStart.tracing };
}

/** Dotted paths of the values that differ; lists count as one value. */
function changedSettings(before: unknown, after: unknown, path: readonly string[] = []): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isSection(before) || !isSection(after)) return [path.join(".")];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => changedSettings(before[name], after[name], [...path, name]));
}

const isSection = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isWithin = (path: string, section: string): boolean => path === section || path.startsWith(`${section}.`);

const isOverridden = (path: string, overriddenBy: Record<string, string>): boolean =>
  Object.keys(overriddenBy).some((setting) => isWithin(setting, path) || isWithin(path, setting));
