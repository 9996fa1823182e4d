/** The agent behind the gate: models, tools, and the loop that brings them together. */
import { randomUUID } from "node:crypto";
import type { Model } from "../agent/model.ts";
import { createTurnRunner, type TurnRunner } from "../agent/run-turn.ts";
import { ancestorPolicy } from "../agent/sub-agents/ancestors.ts";
import { createSubAgents, type SubAgents } from "../agent/sub-agents/carry-out.ts";
import type { History, NumberedEntry } from "../plugins/sessions.ts";
import type { SessionId } from "../protocol/ids.ts";
import type { JsonObject } from "../protocol/json.ts";
import { PAGE_MAX, type StoredEvent } from "../store/store.ts";
import { createBuiltinTools } from "../tools/builtin/builtin-tools.ts";
import { createProcessTable, type ProcessTable } from "../tools/builtin/exec/process-table.ts";
import { createToolbox } from "../tools/call-tool.ts";
import { createRegistry } from "../tools/registry.ts";
import { createReachingTools, startMcp } from "./agent-tools.ts";
import { chooseModels } from "./choose-model.ts";
import type { Machine, Worker } from "./machine.ts";
import type { State } from "./state.ts";
import { createVoice } from "./voice.ts";

/** A turn must find its own input, however many calls it has made since. */
const HISTORY_PAGES_MAX = 4;

export type Agent = {
  runner: TurnRunner;
  worker: Worker;
  /** Who answers where no agent has a model of its own. */
  readonly model: Model;
  /** Loads what that model needs, once there is time. */
  preload(): Promise<void>;
  /** Hears what streams while a turn runs. */
  onStream(listener: (sessionId: SessionId, payload: JsonObject) => void): void;
  node: string;
};

export async function createAgent(state: State, machine: Machine): Promise<Agent> {
  const { clock, log, options } = state;
  const { engine, host, settingsFor } = machine;
  const node = `node_${randomUUID()}`;
  const { home, env = process.env, model: given } = options;
  const models = await chooseModels({ config: state.config, home, env, clock, given });
  if (models.note !== "") state.notes.push(models.note);
  let stream: ((sessionId: SessionId, payload: JsonObject) => void) | undefined;
  const report = (error: unknown): void => log.error({ err: error }, "a turn met a failure");
  const processes = createProcessTable(clock);
  const protectedFolders = [options.home];
  const builtin = createBuiltinTools({
    protectedFolders,
    clock,
    commandJudge: host.commandJudge,
    processes,
    hidesStateFolder: () => state.config.current().tools.exec.hideStateFolder,
  });
  const voice = createVoice(state, machine);
  const reaching = createReachingTools(state, engine);
  const registry = createRegistry([...builtin, ...reaching, ...voice.tools, ...host.tools]);
  const mcp = startMcp(state, registry);
  const tools = createToolbox({
    registry,
    policies: [...host.policies, ancestorPolicy({ ...host, sessions: engine, clock, settingsFor })],
    sessions: engine,
    clock,
    settingsFor,
    protectedFolders,
    onOutput: (sessionId, { turnId, callId, text }) => stream?.(sessionId, { turnId, callId, text }),
    report,
  });
  const read: History = (sessionId, from) => history(state, sessionId, from);
  const turns = createTurnRunner({
    sessions: engine,
    clock,
    node,
    sole: !machine.shared,
    history: read,
    tools,
    prompt: voice.prompt,
    fence: voice.fence,
    warn: voice.warn,
    settingsFor,
    modelFor: (session) => models.modelFor(session),
    onDelta: (sessionId, { turnId, text }) => stream?.(sessionId, { turnId, text }),
    report,
  });
  endWithTheirSession(processes, engine);
  const children = createSubAgents({ sessions: engine, history: read });
  const runner: TurnRunner = {
    ...turns,
    async drain() {
      await turns.drain();
      await Promise.all([processes.endAll(), mcp.stop()]);
    },
  };
  return {
    runner,
    worker: { run: workOf(runner, children), drain: () => runner.drain() },
    node,
    onStream: (listener) => void (stream = listener),
    preload: () => models.preload(),
    get model() {
      return models.defaultModel();
    },
  };
}

/** Turns to the loop, orders and reports between sessions to those who carry them. */
function workOf(runner: TurnRunner, children: SubAgents): Worker["run"] {
  return ({ sessionId, effect }) =>
    effect.kind === "run-turn" ? runner.run(sessionId, effect.turnId) : children.carryOut({ sessionId, effect });
}

/** What runs in the background of a session ends with it: when it is deleted, and when it is begun anew. */
function endWithTheirSession(processes: ProcessTable, engine: Machine["engine"]): void {
  engine.onCommitted(({ sessionId, session, events }) => {
    const isOver = session === undefined || events.some(({ event }) => event.type === "session.reset");
    if (isOver) void processes.endSession(sessionId);
  });
}

/** Newest pages first, put back in order: what is beyond the last page is too old for any model's window. */
async function history({ store }: State, sessionId: SessionId, from: number): Promise<NumberedEntry[]> {
  const pages: StoredEvent[][] = [];
  let before: number | null = null;
  for (let n = 0; n < HISTORY_PAGES_MAX; n++) {
    const page = await store.entries({ sessionId, from, before, limit: PAGE_MAX });
    pages.unshift(page);
    const oldest = page[0]?.event;
    if (page.length < PAGE_MAX || oldest?.type !== "entry.appended") break;
    before = oldest.n;
  }
  return pages
    .flat()
    .flatMap(({ event }) => (event.type === "entry.appended" ? [{ n: event.n, entry: event.entry }] : []));
}
