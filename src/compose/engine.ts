/** The engine with its outbox and timers: what turns commits into work, and picks up what a crash left behind. */
import { secretValues } from "../config/secret-values.ts";
import { createRedaction } from "../tools/redaction/redaction.ts";
import { randomUUID } from "node:crypto";
import { createEngine, type Engine } from "../engine/engine.ts";
import { createCommitWork } from "../engine/commit-work.ts";
import { every } from "../engine/every.ts";
import type { RunEffect } from "../engine/outbox.ts";
import { loadPlugins, type PluginHost } from "../plugins/host.ts";
import type { Plugin } from "../plugins/sdk.ts";
import { bundledPlugins } from "../gateway/plugins/bundled.ts";
import type { Actor } from "../protocol/actor.ts";
import { openSettingWarnings } from "./open-settings.ts";
import type { Session } from "../protocol/session.ts";
import type { Scheduler } from "../scheduler/scheduler.ts";
import { createScheduling, followHeartbeats } from "./scheduling.ts";
import { createSettingsOf, type Settings } from "../gateway/plugins/settings-of.ts";
import type { Models } from "../gateway/choose-model.ts";
import type { State } from "./state.ts";
import type { FindTemplates } from "../plan-mode/seeding/find-templates.ts";
import { createChannelsHouse } from "../gateway/channels/channels-house.ts";
import { createCriticModel } from "../gateway/ask-critic-model.ts";
import { createLibraryHouse } from "../gateway/library/library-house.ts";
import { createSelfTest } from "../gateway/self-test/self-test.ts";
import { logEvictions } from "../gateway/logs/eviction-log.ts";
import { logNotifyLines } from "../gateway/logs/notify-log.ts";
import { removeOld } from "../gateway/process/session-retention.ts";
import { openTracing } from "../gateway/tracing/tracing.ts";
import { followPlanMode } from "../gateway/logs/plan-mode-trail.ts";
import { logSubmissions } from "../gateway/logs/submission-log.ts";

const PRUNE_EVERY_MS = 3_600_000;
/** A gateway that is started anew each hour removes what is old, too. */
const FIRST_PRUNE_MS = 60_000;

const AGENTS_KNOWN_MAX = 1_000;

export type Worker = {
  /** Performs the work that a commit leaves: turns, and orders to other sessions. */
  run: RunEffect;
  drain(): Promise<void>;
};

export type ComposedEngine = {
  host: PluginHost;
  engine: Engine;
  /** Several gateways may work on this store. */
  shared: boolean;
  settingsFor(session: Pick<Session, "agentId" | "surface" | "instance"> & { role?: string | undefined }): Settings;
  scheduler: Scheduler;
  /**
   * Sets the worker that performs the work; must be called before `wake`. The one place that is bound late: the worker
   * runs turns, which dispatch to this engine, so one of the two must exist first. Until then work waits in the store.
   */
  connect(worker: Worker): void;
  /** Sets where the templates of skills come from; until then there are none. Skills are read by the agent, which comes later. */
  connectTemplates(find: FindTemplates): void;
  /** Begins the work that commits left; must be called when all plugins are loaded. */
  wake(): void;
  /** An operator, a browser's log-in or a passkey: from here on their undecided commands are refused, and what they decided counts no more. */
  revoke(id: string): void;
  /** A log-in that the browser itself ended: it decides nothing more, and what it decided stays. */
  leave(device: string): void;
  revoked: ReadonlySet<string>;
  onRevoked(listener: () => void): void;
  /** From here on no turn and no mutating call begins. */
  hold(): void;
  drain(): Promise<void>;
};

export function composeEngine(state: State, models: Pick<Models, "modelFor" | "named">): ComposedEngine {
  const { store, clock, log, config } = state;
  const scheduling = createScheduling(state);
  let findTemplates = noTemplates;
  const templates: FindTemplates = (place) => findTemplates(place);
  const critic = createCriticModel((name) => models.named(name));
  const bundled = bundledPlugins({ ...scheduling.ports, ...aroundPlugins(state, () => host), templates, critic });
  const host: PluginHost = hostOf(state, bundled);
  const shared = config.current().store.kind === "postgres";
  const modelOf = firstModels(config, models);
  const settingsOf = createSettingsOf(config, host);
  const settingsFor: ComposedEngine["settingsFor"] = ({ agentId, surface, instance, role }) =>
    settingsOf({ agentId, surface, instance, role, model: modelOf(agentId) });
  const { mayAct, ...revocations } = createRevocations();
  const { revoked } = revocations;
  const cardWarnings = () => openSettingWarnings(config.current());
  const judged = { settingsFor, cardWarnings, mayAct, revoked };
  const engine = createEngine({ store, clock, slices: host.slices, shared, ...judged });
  const scheduler = scheduling.open({
    engine,
    slices: host.slices,
    settingsFor,
    heartbeats: (session) => host.heartbeatTexts(session),
    isEnabled: (pluginId) => host.isEnabled(pluginId),
  });
  let worker: Worker | undefined;
  const report = (error: unknown): void => log.error({ err: error }, "work failed; it will be tried again");
  const run: RunEffect = async (pending) => (worker === undefined ? "later" : worker.run(pending));
  const node = `node_${randomUUID()}`;
  const workerFor = (slice: string, kind: string) => host.workerFor(slice, kind);
  const work = createCommitWork({ store, clock, engine, shared, node, run, workerFor, report });
  const env = state.options.env ?? process.env;
  const tracing = openTracing({ engine, clock, log, endpoint: config.current().tracing.endpoint, env });
  const stops = [
    host.onChange(() => work.router.workersChanged()),
    logSubmissions(engine, log),
    logEvictions(engine, log),
    logNotifyLines(engine, log),
    followPlanMode({ engine, log, settingsFor, config: () => config.current(), env }),
    ...removing(state, engine, report),
  ];

  return {
    host,
    engine,
    shared,
    settingsFor,
    scheduler,
    connect(given) {
      worker = given;
      stops.push(followHeartbeats(state, scheduler));
    },
    connectTemplates: (find) => void (findTemplates = find),
    wake: () => work.begin(),
    ...revocations,
    hold: () => engine.hold(),
    async drain() {
      for (const stop of stops) stop();
      await work.stop();
      await Promise.all([work.drain(), worker?.drain()]);
      await engine.drain();
      await tracing.close();
    },
  };
}

/** The first model of each agent: every request asks for it, so it is found once, until the configuration changes. */
function firstModels(config: State["config"], models: Pick<Models, "modelFor">) {
  let from: unknown;
  const known = new Map<string, string | undefined>();
  return (agentId: string): string | undefined => {
    if (from !== config.current() || known.size >= AGENTS_KNOWN_MAX) known.clear();
    from = config.current();
    if (!known.has(agentId)) known.set(agentId, models.modelFor({ agentId })[0]?.id);
    return known.get(agentId);
  };
}
const noTemplates: FindTemplates = async () => [];

/** Bundled plugins are loaded from the start and cannot be disabled. */
function hostOf({ clock, log }: State, bundled: readonly Plugin[]): PluginHost {
  return loadPlugins(
    bundled.map((plugin) => ({ plugin, permanent: true })),
    {
      clock,
      log: (pluginId, { level, message, fields }) => log[level]({ ...fields, pluginId }, message),
      report: (error) => log.warn({ err: error }, "a plugin met a failure"),
    },
  );
}

function createRevocations(): Pick<ComposedEngine, "revoke" | "leave" | "revoked" | "onRevoked"> & {
  mayAct(actor: Actor): boolean;
} {
  const revoked = new Set<string>(); // no larger than what the store has of tokens and passkeys
  const left = new Set<string>();
  const listeners: (() => void)[] = [];
  return {
    revoked,
    onRevoked: (listener) => void listeners.push(listener),
    revoke(id) {
      if (revoked.has(id)) return;
      revoked.add(id);
      for (const listener of listeners) listener();
    },
    leave: (device) => void left.add(device),
    mayAct: (actor) =>
      actor.kind !== "operator" ||
      ![actor.id, actor.device].some((id) => id !== undefined && (revoked.has(id) || left.has(id))),
  };
}

/** What bundled plugins use of the gateway; the host is there by the time they do. */
const aroundPlugins = (state: State, host: () => PluginHost) => ({
  commands: () => host().commands,
  home: state.options.home,
  channels: () => createChannelsHouse(state),
  library: () => createLibraryHouse(state),
  selfTest: createSelfTest(state),
  redact: redactionOf(state).text,
});

const redactionOf = ({ options, config }: State) =>
  createRedaction(
    secretValues({ home: options.home, env: options.env ?? process.env, config: () => config.current() }),
  );

function removing(state: State, engine: Engine, report: (error: unknown) => void): (() => void)[] {
  const { store, clock, config } = state;
  const remove = (): void => void removeOld({ store, engine, clock, config: () => config.current() }).catch(report);
  return [every(state, PRUNE_EVERY_MS, remove), clock.wakeAt(clock.now() + FIRST_PRUNE_MS, remove)];
}
