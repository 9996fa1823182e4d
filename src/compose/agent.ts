/** The agent behind the gate: models, tools, and the loop that brings them together. */
import { randomUUID } from "node:crypto";
import type { Model } from "../agent/model.ts";
import { createTurnRunner, type TurnRunner } from "../agent/run-turn.ts";
import { createSubAgents } from "../agent/sub-agents/sub-agents.ts";
import type { PluginRuntime } from "../plugins/plugin-runtime.ts";
import type { History } from "../plugins/sessions.ts";
import type { SessionId } from "../protocol/ids.ts";
import { JsonObject } from "../protocol/json.ts";
import { createCallers } from "../tools/callers/callers.ts";
import { createProcessTable } from "../tools/builtin/exec/process-table.ts";
import { watchBackground } from "../gateway/background-programs.ts";
import { chooseModels } from "../gateway/choose-model.ts";
import { readHistory } from "../gateway/history.ts";
import { logRepairs } from "../gateway/repair-log.ts";
import type { ComposedEngine, Worker } from "./engine.ts";
import { connectPluginHost } from "./plugin-host.ts";
import { pluginCalls } from "./plugin-calls.ts";
import { deliverBetweenSessions } from "./scheduling.ts";
import type { State } from "./state.ts";
import { createGatedTools } from "./gated-tools.ts";
import { createPromptContext } from "./prompt-context.ts";
import { attachmentOf } from "../inbound/attachments.ts";

export type Agent = {
  runner: TurnRunner;
  worker: Worker;
  /** The model for agents without one of their own. */
  readonly model: Model;
  /** Loads what that model and the first turn need, while the gateway is idle. */
  preload(): Promise<void>;
  /** Receives what streams while a turn runs. */
  onStream(listener: (sessionId: SessionId, payload: JsonObject) => void): void;
  /** Receives the events that plugins publish to those who watch a session. */
  onPluginEvent(listener: PluginRuntime["tell"]): void;
  node: string;
};

export async function createAgent(state: State, machine: ComposedEngine): Promise<Agent> {
  const { clock, log, options } = state;
  const { engine, host, settingsFor } = machine;
  const node = `node_${randomUUID()}`;
  const { home, env = process.env, model: given } = options;
  const models = await chooseModels({ config: state.config, home, env, clock, given });
  if (models.note !== "") state.notes.push(models.note);
  machine.nameModels((agentId) => models.modelFor({ agentId })[0]?.id);
  let stream: ((sessionId: SessionId, payload: JsonObject) => void) | undefined;
  const report = (error: unknown): void => log.error({ err: error }, "a turn met a failure");
  const processes = createProcessTable(clock);
  const promptContext = createPromptContext(state, machine);
  const warmed = promptContext.warm(); // reads its files while the rest of the start waits for the disk
  warmed.catch(() => undefined); // whoever awaits it reports the failure
  const { tools, registry, mcp } = createGatedTools(state, machine, {
    processes,
    own: promptContext.tools,
    onOutput: (sessionId, output) => stream?.(sessionId, output),
    report,
  });
  const read: History = (sessionId, from) => readHistory(state.store, sessionId, from);
  const turns = createTurnRunner({
    sessions: engine,
    clock,
    node,
    sole: !machine.shared,
    history: read,
    tools,
    prompt: promptContext.prompt,
    fence: promptContext.fence,
    warn: promptContext.warn,
    repaired: (sessionId, calls) => logRepairs(log, sessionId, calls),
    settingsFor,
    modelFor: (session) => models.modelFor(session),
    onDelta: (sessionId, delta) => stream?.(sessionId, JsonObject.parse(delta)),
    picture: (sessionId, id) => attachmentOf(state.store, sessionId, id),
    report,
    prepare: (session, turnId) => host.turnTexts.prepare(session, turnId),
  });
  const pluginEvents: { tell?: PluginRuntime["tell"] } = {};
  const callers = createCallers({ sessions: engine, clock, tools, node, sole: !machine.shared, report });
  const calls = pluginCalls(state, machine, callers);
  connectPluginHost(state, machine, { tools: registry, calls, tell: (...fact) => pluginEvents.tell?.(...fact) });
  const background = watchBackground({ processes, sessions: engine, clock, shared: machine.shared, report });
  const children = createSubAgents({ sessions: engine, history: read });
  const runner: TurnRunner = {
    ...turns,
    async drain() {
      await Promise.all([turns.drain(), callers.drain()]);
      background.stop();
      await Promise.all([processes.endAll(), mcp.stop()]);
    },
  };
  return {
    runner,
    worker: { run: workOf(runner, { children, scheduler: machine.scheduler, engine }), drain: () => runner.drain() },
    node,
    onStream: (listener) => void (stream = listener),
    onPluginEvent: (listener) => void (pluginEvents.tell = listener),
    preload: async () => void (await Promise.all([models.preload(), warmed])),
    get model() {
      return models.defaultModel();
    },
  };
}

/** Passes turns to the loop, and orders and reports between sessions to those who deliver them. */
function workOf(runner: TurnRunner, carriers: Parameters<typeof deliverBetweenSessions>[1]): Worker["run"] {
  return ({ sessionId, effect }) =>
    effect.kind === "run-turn"
      ? runner.run(sessionId, effect.turnId)
      : deliverBetweenSessions({ sessionId, effect }, carriers);
}
