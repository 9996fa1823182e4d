/** What every part of a gateway builds on: its folder, its configuration, its store, its log. */
import type { Logger } from "pino";
import type { Model } from "../agent/model.ts";
import { firstStart } from "../config/first-start.ts";
import type { Environment } from "../config/home.ts";
import { loadConfig, type LoadedConfig } from "../config/load.ts";
import { type LiveConfig, liveConfig } from "../config/live-config.ts";
import { type Clock, clockOf } from "../engine/clock.ts";
import type { PluginLoad } from "../plugins/host.ts";
import type { Plugin } from "../plugins/sdk.ts";
import type { Store } from "../store/store.ts";
import { type LocalTime, localTime, machineTime, type StoreTime } from "../store/store-time.ts";
import { type Attention, createAttention } from "../gateway/plugins/attention.ts";
import { createFactRecord, type FactRecord } from "../gateway/fact-record.ts";
import { createLog, type LogTarget } from "../gateway/process/log.ts";
import { fileRevocations, revocationsFile, type RevocationList } from "../gateway/login/revocation-list.ts";
import { loadStore, type OpenStore } from "../gateway/open-store.ts";

export type GatewayOptions = {
  home: string;
  /** The folder that new sessions work in unless they name another. */
  workspace: string;
  port?: number;
  host?: string;
  log?: LogTarget;
  /** Replaces every configured model: for tests and the demonstration. */
  model?: Model;
  /** Replaces the configured store: `holdpoint/testing` passes one without a disk. */
  store?: Store;
  /** Besides the bundled ones. */
  plugins?: readonly (Plugin | PluginLoad)[];
  env?: Environment;
  /** Replaces the time of the store, by which leases, timers and deadlines go. */
  clock?: Clock;
  /** Replaces the clocks of this machine, which the time of the store is read by. */
  localTime?: LocalTime;
  /** Called when the store can no longer be trusted. The process must end: only a restart is safe. */
  onFatal?(error: Error): void;
};

export type State = {
  options: GatewayOptions;
  config: LiveConfig;
  store: Store;
  clock: Clock;
  /** The time of the store, and how far the clock of this machine is from it. */
  time: StoreTime;
  log: Logger;
  firstStart: boolean;
  notes: string[];
  /** Facts outside any session, which are kept until the store took them. */
  record: FactRecord;
  /** What is wrong with plugins now. */
  attention: Attention;
  /** What was revoked, which outlives the store. */
  revocations: RevocationList;
};

/** How long a start waits for a database that starts beside it. */
const START_WAIT_MS_MAX = 60_000;
/** The first connection to a database builds the server's caches of it. */
const CONNECT_MS_MAX = 15_000;
/** The exit code of a process whose disk failed under it (EX_IOERR). */
const DISK_FAILED_EXIT = 74;

/** `meanwhile` runs while the store opens, which is mostly waiting for a thread, a disk or a server. */
export async function openState(options: GatewayOptions, meanwhile?: () => Promise<unknown>): Promise<State> {
  const { home, env = process.env, localTime: local = localTime } = options;
  const first = await firstStart(home);
  const read = await loadConfig(home, env);
  const loaded = withOptions(read, options);
  const log = createLog({ home, level: loaded.config.logging.level, target: options.log ?? "file" });
  const onFatal = (error: Error): void => fatal(error, { log, options });
  const { store: given } = options;
  const open: OpenStore = given === undefined ? await loadStore(loaded.config) : async () => given;
  const onWaiting = (why: string): void =>
    log.warn({ reason: why }, "PostgreSQL cannot be reached yet: waiting for it");
  const patience = { waitMs: START_WAIT_MS_MAX, connectMsMax: CONNECT_MS_MAX, onWaiting };
  const onReach = (isReached: boolean): void =>
    isReached ? log.info("PostgreSQL answers again") : log.error("PostgreSQL cannot be reached: connecting again");
  const ownTime = options.clock === undefined ? { local } : {};
  const [store] = await Promise.all([open({ home, onFatal, patience, onReach, ...ownTime }), meanwhile?.()]);
  const time = store.time ?? machineTime(local);
  const clock = options.clock ?? clockOf(time);
  const config = liveConfig({ home, env, loaded, read });
  const report = (error: unknown): void => log.error({ err: error }, "a fact is not in the audit yet");
  const record = createFactRecord({ store, clock, what: "facts about plugins and the configuration", report });
  config.onChange((change) => {
    if (change.kind === "broken") {
      log.warn({ reason: change.error.message }, "configuration kept: the new one is broken");
      return;
    }
    log.info({ changed: change.changed, restartNeeded: change.restartNeeded }, "configuration changed");
    // whoever can write the file can change the rules of the gate; the author is unknown, but the change is recorded
    if (change.by === "file")
      record.add("config-file", [{ type: "config.changed", detail: { paths: change.changed } }]);
  });
  const notes = first.written ? [first.note] : [];
  const attention = createAttention();
  const revocations = fileRevocations(revocationsFile(home));
  return { options, config, store, clock, time, log, record, firstStart: first.written, notes, attention, revocations };
}

/** Options of the command line override the file, for this run. */
function withOptions(loaded: LoadedConfig, { port, host }: GatewayOptions): LoadedConfig {
  const { gateway } = loaded.config;
  return {
    ...loaded,
    config: { ...loaded.config, gateway: { ...gateway, port: port ?? gateway.port, host: host ?? gateway.host } },
  };
}

function fatal(error: Error, { log, options }: { log: Logger; options: GatewayOptions }): void {
  log.fatal({ reason: error.message }, "the disk failed: stopping before anything unsafe is acknowledged");
  log.flush();
  if (options.onFatal === undefined) process.exit(DISK_FAILED_EXIT);
  options.onFatal(error);
}
