/** The engine with its outbox and timers: what turns commits into work, and picks up what a crash left behind. */
import { subAgentsPlugin } from "../agent/sub-agents/plugin.ts";
import { resolvePlanMode, resolveSubAgents, resolveTurns } from "../config/resolve.ts";
import { createEngine, type Engine } from "../engine/engine.ts";
import type { Committed } from "../engine/following.ts";
import { createOutbox, type RunEffect } from "../engine/outbox.ts";
import { createTimers } from "../engine/timers.ts";
import { planModePlugin } from "../plan-mode/plugin.ts";
import { loadPlugins, type PluginHost } from "../plugins/host.ts";
import type { Plugin } from "../plugins/sdk.ts";
import { houseCommands } from "./house-commands.ts";
import type { Actor } from "../protocol/actor.ts";
import type { OperatorId } from "../protocol/ids.ts";
import type { Session } from "../protocol/session.ts";
import { SUB_AGENTS_SLICE } from "../protocol/sub-agents.ts";
import { AUTOMATION_SETTINGS } from "../protocol/settings/automation-settings.ts";
import { TURN_SETTINGS } from "../protocol/settings/turn-settings.ts";
import type { Scheduler } from "../scheduler/scheduler.ts";
import type { DueTimer } from "../store/store.ts";
import { createScheduling, followHeartbeats } from "./scheduling.ts";
import type { State } from "./state.ts";
import { logSubmissions } from "./submission-log.ts";

const PRUNE_EVERY_MS = 3_600_000;
/** With several nodes on one store, what another node left behind is looked for this often. */
const SHARED_LOOK_EVERY_MS = 2_000;

export type Worker = {
  /** Carries out what a commit left to do: turns, and orders to other sessions. */
  run: RunEffect;
  drain(): Promise<void>;
};

export type Settings = Readonly<Record<string, unknown>>;

export type Machine = {
  host: PluginHost;
  engine: Engine;
  /** Several gateways may work on this store. */
  shared: boolean;
  settingsFor(session: Pick<Session, "agentId" | "surface"> & { role?: string | undefined }): Settings;
  scheduler: Scheduler;
  /** Hands the work to whoever does it; must be called before `wake`. */
  connect(worker: Worker): void;
  /** Tells which model answers first for an agent: some start their sessions in plan mode. */
  nameModels(modelOf: (agentId: string) => string | undefined): void;
  wake(): void;
  /** What this operator has asked for and is not decided yet is refused from here on. */
  revoked(id: OperatorId): void;
  /** From here on no turn and no mutating call begins. */
  hold(): void;
  drain(): Promise<void>;
};

type ModelOf = (agentId: string) => string | undefined;
const noModel: ModelOf = () => undefined; // until the models are known, nobody has one

export function createMachine(state: State): Machine {
  const { store, clock, log, config } = state;
  const scheduling = createScheduling(state);
  const bundled = [planModePlugin, subAgentsPlugin, scheduling.plugin, houseCommands(() => host.commands)];
  const host: PluginHost = hostOf(state, bundled);
  const shared = config.current().store.kind === "postgres";
  let modelOf: ModelOf = noModel;
  const settingsFor: Machine["settingsFor"] = (session) => ({
    planMode: resolvePlanMode(config.current(), session, modelOf(session.agentId)),
    [SUB_AGENTS_SLICE]: resolveSubAgents(config.current()),
    [TURN_SETTINGS]: resolveTurns(config.current(), session),
    [AUTOMATION_SETTINGS]: config.current().automation,
  });
  const revoked = new Set<OperatorId>();
  const mayAct = (actor: Actor): boolean =>
    actor.kind !== "operator" || !(revoked.has(actor.id) || (actor.device !== undefined && revoked.has(actor.device)));
  const engine = createEngine({ store, clock, slices: host.slices, settingsFor, shared, mayAct });
  const scheduler = scheduling.open({
    engine,
    slices: host.slices,
    settingsFor,
    heartbeats: (session) => host.heartbeatTexts(session),
    isEnabled: (pluginId) => host.isEnabled(pluginId),
  });
  let worker: Worker | undefined;
  const report = (error: unknown): void => log.error({ err: error }, "work failed; it will be tried again");
  const outbox = createOutbox({
    store,
    clock,
    shared,
    report,
    run: async (pending) => (worker === undefined ? "later" : worker.run(pending)),
  });
  const timers = createTimers({ store, clock, report, fire: (due) => fire(engine, due) });
  const stops = [
    engine.onCommitted((committed) => {
      if (leavesWork(committed)) outbox.wake();
      if (movesTimers(committed)) timers.wake();
    }),
    logSubmissions(engine, log),
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
    nameModels: (given) => void (modelOf = given),
    wake,
    revoked: (id) => void revoked.add(id),
    hold: () => engine.hold(),
    async drain() {
      for (const stop of stops) stop();
      await timers.stop();
      await Promise.all([outbox.drain(), worker?.drain()]);
      await engine.drain();
    },
  };
}

/** The house's own plugins are there from the first moment, and stay. */
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

/** Turns are asked for; children are ordered about by slices, and report when they come to rest or are gone. */
const WORKING: ReadonlySet<string> = new Set(["turn.requested", "turn.finished", "slice.changed", "session.deleted"]);
const leavesWork = ({ events }: Committed): boolean => events.some(({ event }) => WORKING.has(event.type));
const movesTimers = ({ events }: Committed): boolean =>
  events.some(({ event }) => event.type === "timer.set" || event.type === "timer.cleared");

/** A timer that is gone, or whose session is gone, has nothing left to say. */
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
