/** The engine with its outbox and timers: what turns commits into work, and picks up what a crash left behind. */
import { randomUUID } from "node:crypto";
import { createEngine, type Engine } from "../engine/engine.ts";
import type { Committed } from "../engine/commit-feed.ts";
import { createEffectRouter } from "../engine/effect-router.ts";
import { createOutbox, type Outbox, type RunEffect } from "../engine/outbox.ts";
import { createTimers } from "../engine/timers.ts";
import { loadPlugins, type PluginHost } from "../plugins/host.ts";
import type { Plugin } from "../plugins/sdk.ts";
import { bundledPlugins } from "../gateway/plugins/bundled.ts";
import type { Actor } from "../protocol/actor.ts";
import { localized, noticeOf } from "../protocol/localized/localized-text.ts";
import type { Session } from "../protocol/session.ts";
import type { Scheduler } from "../scheduler/scheduler.ts";
import type { DueTimer } from "../store/store.ts";
import { createScheduling, followHeartbeats } from "./scheduling.ts";
import { createSettingsOf, type Settings } from "../gateway/plugins/settings-of.ts";
import type { Models } from "../gateway/choose-model.ts";
import type { State } from "./state.ts";
import { logEvictions } from "../gateway/eviction-log.ts";
import { logNotifyLines } from "../gateway/notify-log.ts";
import { followPlanMode } from "../gateway/plan-mode-trail.ts";
import { logSubmissions } from "../gateway/submission-log.ts";

const PRUNE_EVERY_MS = 3_600_000;
/** With several nodes on one store, work that another node left behind is looked for this often. */
const SHARED_LOOK_EVERY_MS = 2_000;

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
  /** Begins the work that commits left; must be called when all plugins are loaded. */
  wake(): void;
  /** An operator, a browser's log-in or a passkey: from here on their undecided commands are refused, and what they decided counts no more. */
  revoke(id: string): void;
  revoked: ReadonlySet<string>;
  onRevoked(listener: () => void): void;
  /** From here on no turn and no mutating call begins. */
  hold(): void;
  drain(): Promise<void>;
};

export function composeEngine(state: State, models: Pick<Models, "modelFor">): ComposedEngine {
  const { store, clock, log, config } = state;
  const scheduling = createScheduling(state);
  const bundled = bundledPlugins({ ...scheduling.ports, commands: () => host.commands });
  const host: PluginHost = hostOf(state, bundled);
  const shared = config.current().store.kind === "postgres";
  const modelOf = (agentId: string): string | undefined => models.modelFor({ agentId })[0]?.id;
  const settingsOf = createSettingsOf(config, host);
  const settingsFor: ComposedEngine["settingsFor"] = ({ agentId, surface, instance, role }) =>
    settingsOf({ agentId, surface, instance, role, model: modelOf(agentId) });
  const { mayAct, ...revocations } = createRevocations();
  const { revoked } = revocations;
  const cardWarnings = () =>
    config.current().tools.exec.sandbox === "none" ? [noticeOf(localized("cardNoSandbox"))] : [];
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
  const { outbox, router } = createWork(state, { host, shared, run, report });
  const timers = createTimers({ store, clock, report, fire: (due) => fire(engine, due) });
  const stops = [
    engine.onCommitted((committed) => {
      if (leavesWork(committed)) outbox.wake();
      if (movesTimers(committed)) timers.wake();
    }),
    host.onChange(() => router.workersChanged()),
    logSubmissions(engine, log),
    logEvictions(engine, log),
    logNotifyLines(engine, log),
    followPlanMode({ engine, log, settingsFor, config: () => config.current(), env: state.options.env ?? process.env }),
    every(state, PRUNE_EVERY_MS, () => void store.prune(clock.now()).catch(report)),
  ];
  const wake = (): void => {
    outbox.wake();
    timers.wake();
  };
  if (shared) stops.push(every(state, SHARED_LOOK_EVERY_MS, wake));

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
    wake() {
      router.open();
      wake();
    },
    ...revocations,
    hold: () => engine.hold(),
    async drain() {
      for (const stop of stops) stop();
      await timers.stop();
      await Promise.all([outbox.drain(), router.drain(), worker?.drain()]);
      await engine.drain();
    },
  };
}

function createRevocations(): Pick<ComposedEngine, "revoke" | "revoked" | "onRevoked"> & {
  mayAct(actor: Actor): boolean;
} {
  const revoked = new Set<string>(); // no larger than what the store has of tokens and passkeys
  const listeners: (() => void)[] = [];
  return {
    revoked,
    onRevoked: (listener) => void listeners.push(listener),
    revoke(id) {
      if (revoked.has(id)) return;
      revoked.add(id);
      for (const listener of listeners) listener();
    },
    mayAct: (actor) =>
      actor.kind !== "operator" ||
      !(revoked.has(actor.id) || (actor.device !== undefined && revoked.has(actor.device))),
  };
}

type WorkParts = { host: PluginHost; shared: boolean; run: RunEffect; report(error: unknown): void };

/** The outbox runs turns and orders between sessions; orders of slices go on to the workers of their plugins. */
function createWork({ store, clock }: State, { host, shared, run, report }: WorkParts) {
  const router = createEffectRouter({
    store,
    clock,
    node: `node_${randomUUID()}`,
    sole: !shared,
    workerFor: (slice, kind) => host.workerFor(slice, kind),
    report: (error) => report(error),
    reread: () => outbox.reread(),
  });
  const outbox: Outbox = createOutbox({ store, clock, shared, report, run, orders: router });
  return { outbox, router };
}

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

/** Events that may leave work: a requested turn, an order of a slice, or a child's report. */
const WORKING: ReadonlySet<string> = new Set([
  "turn.requested",
  "turn.finished",
  "slice.changed",
  "call.refused",
  "session.deleted",
]);
const leavesWork = ({ events }: Committed): boolean => events.some(({ event }) => WORKING.has(event.type));
const movesTimers = ({ events }: Committed): boolean =>
  events.some(({ event }) => event.type === "timer.set" || event.type === "timer.cleared");

/** A refusal is ignored unless it can be retried: the timer or its session is gone. */
async function fire(engine: Engine, { sessionId, timer }: DueTimer): Promise<void> {
  const command = { type: "timer.fire", key: timer.key, atMs: timer.atMs } as const;
  const outcome = await engine.dispatch(sessionId, command, { actor: { kind: "system", reason: "timer" } });
  if (!outcome.ok && outcome.refusal.retry === true) throw new Error(`timer ${timer.key}: ${outcome.refusal.message}`);
}

export function every({ clock }: Pick<State, "clock">, periodMs: number, work: () => void): () => void {
  let callOff: (() => void) | undefined;
  const arm = (): void => {
    callOff = clock.wakeAt(clock.now() + periodMs, () => {
      work();
      arm();
    });
  };
  arm();
  return () => callOff?.();
}
