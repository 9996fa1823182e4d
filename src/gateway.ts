/**
 * The composition root, wired in the order of the walk: state → machine → agent → people.
 * Nothing here decides anything; it introduces the parts to each other, and takes them down again in reverse.
 */
import { flushCompileCache } from "node:module";
import { type GatewayOptions, openState, type State } from "./compose/state.ts";
import type { ComposedEngine } from "./compose/engine.ts";
import { readRunningFile, removeRunningFile, writeRunningFile } from "./gateway/process/running-file.ts";
import { ensureHome } from "./config/home.ts";
import { claimFolder } from "./store/sqlite/claim-folder.ts";
import { giveBackAtRest } from "./gateway/process/memory-at-rest.ts";
import { giveBackStartUpMemory } from "./gateway/process/start-up-memory.ts";
import { VERSION } from "./gateway/version.ts";

export type { GatewayOptions } from "./compose/state.ts";

export type RunningGateway = {
  url: string;
  port: number;
  home: string;
  firstStart: boolean;
  /** What a person should know about this start. */
  notes: string[];
  operatorToken: string;
  /** The page's address with a one-time code: whoever opens it first is the person at this machine. */
  link(): Promise<string>;
  /** Drains: nothing new begins, what is under way is recorded, and a parked approval delays nothing. */
  stop(): Promise<void>;
};

export type AlreadyRunning = { alreadyRunning: { pid: number | null; url: string | undefined } };

/** How long what is under way may take to come to rest before the rest is left to the next start. */
const DRAIN_MS_MAX = 8_000;

export async function startGateway(options: GatewayOptions): Promise<RunningGateway | AlreadyRunning> {
  await ensureHome(options.home);
  const claim = claimFolder(options.home, { pid: process.pid });
  if ("heldByPid" in claim) {
    const running = await readRunningFile(options.home);
    return { alreadyRunning: { pid: claim.heldByPid, url: running?.url } };
  }
  const undo = [async () => claim.release()];
  try {
    return await start(options, undo);
  } catch (error) {
    await takeDown(undo);
    throw error;
  }
}

/** Loaded while the store opens: a start takes the longer of the two, not both. */
const loadParts = () => import("./compose/index.ts");

async function start(options: GatewayOptions, undo: (() => Promise<void>)[]): Promise<RunningGateway> {
  const state = await openState(options, loadParts);
  undo.push(() => closeState(state));
  const parts = await loadParts();
  const { composeEngine, composeModels, createAgent, createFeed, openPlugins, withPlugins } = parts;
  const models = await composeModels(state);
  const machine = composeEngine(state, models);
  await parts.enableGiven(state, machine.host);
  const feed = createFeed({ engine: machine.engine, store: state.store });
  const agent = createAgent({ state, machine, models, feed });
  const plugins = openPlugins(state, machine);
  machine.connect(withPlugins(agent.worker, plugins));
  undo.push(() => drain(machine));
  await plugins.live.start();
  const server = await parts.composeServer({ state, machine, feed, agent, plugins });
  undo.push(() => server.close());
  machine.wake();
  void machine.host
    .start(VERSION, { allAreThere: plugins.live.isKnown() })
    .catch((error: unknown) => state.log.error({ err: error }, "plugins could not be told that the gateway runs"));
  await writeRunningFile(options.home, {
    pid: process.pid,
    url: server.url,
    port: server.port,
    startedAtMs: state.clock.now(),
    version: VERSION,
  });
  undo.push(() => removeRunningFile(options.home));
  const isBusy = (): boolean => agent.runner.running() > 0;
  const rest = giveBackAtRest(isBusy);
  machine.engine.onCommitted(rest.worked);
  undo.push(async () => rest.stop());
  undo.push(async () => machine.hold()); // first of all: saying goodbye takes seconds in which no change may begin
  state.log.info({ url: server.url, model: agent.model.id, store: state.config.current().store.kind }, "ready");
  void agent
    .preload()
    .catch((error: unknown) => state.log.warn({ err: error }, "the model's package cannot be loaded"));
  setImmediate(flushCompileCache); // so that the next start is quick even if this process is killed
  giveBackStartUpMemory(isBusy);
  return {
    url: server.url,
    port: server.port,
    home: options.home,
    firstStart: state.firstStart,
    notes: state.notes,
    operatorToken: server.operatorToken,
    link: server.link,
    stop: () => takeDown(undo),
  };
}

async function takeDown(undo: (() => Promise<void>)[]): Promise<void> {
  for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
}

async function drain(machine: ComposedEngine): Promise<void> {
  const tooLong = new Promise<void>((resolve) => setTimeout(resolve, DRAIN_MS_MAX).unref());
  const farewell = machine.host.stop(VERSION).then(() => machine.drain());
  await Promise.race([farewell, tooLong]);
}

async function closeState(state: State): Promise<void> {
  state.config.close();
  await state.store.close();
  state.log.info("stopped");
  state.log.flush();
}
