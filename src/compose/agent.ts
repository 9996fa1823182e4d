/** The agent behind the gate: models, tools, and the loop that brings them together. */
import { randomUUID } from "node:crypto";
import type { Model } from "../agent/model.ts";
import type { ModelHealth } from "../agent/model-health.ts";
import { createTurnRunner, type TurnRunner } from "../agent/run-turn.ts";
import { createSubAgents } from "../agent/sub-agents/sub-agents.ts";
import { secretValues } from "../config/secret-values.ts";
import type { PluginRuntime } from "../plugins/plugin-runtime.ts";
import type { History } from "../plugins/sessions.ts";
import { JsonObject } from "../protocol/json.ts";
import type { Toolbox } from "../tools/call-tool.ts";
import { type Callers, createCallers } from "../tools/callers/callers.ts";
import { createProcessTable } from "../tools/builtin/exec/process-table.ts";
import { createAnswerRedaction } from "../tools/redaction/answer-redaction.ts";
import { createRedaction } from "../tools/redaction/redaction.ts";
import { type BackgroundParts, watchBackground } from "../gateway/background-programs.ts";
import { rightToChange } from "../gateway/right-to-change.ts";
import type { Scheduler } from "../scheduler/scheduler.ts";
import { createRunningCalls } from "../tools/running-calls.ts";
import type { GatewayFeed } from "../gateway/feed.ts";
import { readHistory } from "../gateway/history.ts";
import { logRepairs } from "../gateway/logs/repair-log.ts";
import type { ComposedEngine, Worker } from "./engine.ts";
import type { Models } from "../gateway/choose-model.ts";
import { connectPluginHost } from "./plugins/plugin-host.ts";
import { pluginCalls } from "./plugins/plugin-calls.ts";
import { deliverBetweenSessions } from "./scheduling.ts";
import type { State } from "./state.ts";
import { createGatedTools } from "./gated-tools.ts";
import type { McpSource } from "../tools/mcp/mcp-source.ts";
import { createPromptContext } from "./prompt-context.ts";
import { rehearseTurn } from "./rehearse-turn.ts";
import { attachmentOf } from "../inbound/attachments.ts";

export type Agent = {
  runner: TurnRunner;
  worker: Worker;
  /** The callers of agents outside, which run their tools themselves. */
  outsideCallers: Callers;
  /** The model for agents without one of their own. */
  readonly model: Model;
  models: Pick<Models, "modelFor" | "registry">;
  /** Which models failed a moment ago. */
  health: ModelHealth;
  /** Loads what that model and the first turn need, while the gateway is idle. */
  preload(): Promise<void>;
  node: string;
  /** What operators should know about its tools and the files that enter its prompts. */
  notes(): string[];
};

type Parts = {
  state: State;
  machine: ComposedEngine;
  models: Models;
  /** Receives what streams while a turn runs, and what plugins publish to those who watch a session. */
  feed: Pick<GatewayFeed, "delta" | "tell">;
};

export function createAgent({ state, machine, models, feed }: Parts): Agent {
  const { clock, config, log, options } = state;
  const { engine, host, settingsFor } = machine;
  const node = `node_${randomUUID()}`;
  const report = (error: unknown): void => log.error({ err: error }, "a turn met a failure");
  const { home, env = process.env } = options;
  const secrets = secretValues({ home, env, config: () => config.current() });
  const redaction = createRedaction(secrets);
  const processes = createProcessTable(clock, redaction.stream);
  const running = createRunningCalls();
  const promptContext = createPromptContext(state, machine, redaction);
  machine.connectTemplates(promptContext.templates);
  const { tools, outside, registry, mcp, endRunners } = createGatedTools(state, machine, {
    processes,
    running,
    redaction,
    own: promptContext.tools,
    onOutput: (sessionId, output) => feed.delta(sessionId, output),
    report,
  });
  const held = { sessions: engine, clock, node, sole: !machine.shared, report };
  const read: History = (sessionId, from) => readHistory(state.store, sessionId, from);
  const { prompt, fence, warn, hookless } = promptContext;
  const turns = createTurnRunner({
    ...held,
    history: read,
    tools,
    prompt,
    fence,
    warn,
    repaired: (sessionId, calls) => logRepairs(log, sessionId, calls),
    settingsFor,
    modelFor: (session) => models.modelFor(session),
    health: models.health,
    onDelta: (sessionId, delta) => feed.delta(sessionId, JsonObject.parse(delta)),
    picture: (sessionId, id) => attachmentOf(state.store, sessionId, id),
    prepare: (session, turnId) => host.turnTexts.prepare(session, turnId),
  });
  const around = { ...held, clean: createAnswerRedaction(secrets) };
  const [callers, outsideCallers] = [createCallers({ ...around, tools }), createCallers({ ...around, tools: outside })];
  const calls = pluginCalls(state, machine, callers);
  const catalog = catalogFor(machine, tools, mcp);
  connectPluginHost(state, machine, { tools: registry, calls, catalog, tell: (...fact) => feed.tell(...fact) });
  const background = watchRunning(state, machine, { processes, calls: running, report });
  const children = createSubAgents({ sessions: engine, history: read });
  const rehearse = () => rehearseTurn(state, { machine, models, prompt: hookless, tools });
  const runner: TurnRunner = {
    ...turns,
    async drain() {
      await Promise.all([turns.drain(), callers.drain(), outsideCallers.drain()]);
      background.stop();
      await Promise.all([processes.endAll(), mcp.stop(), endRunners()]);
    },
  };
  return {
    runner,
    outsideCallers,
    models,
    health: models.health,
    worker: { run: workOf(runner, { children, scheduler: machine.scheduler, engine }), drain: () => runner.drain() },
    node,
    notes: () => [...promptContext.notes(), ...mcp.notes()],
    preload: () => Promise.all([models.preload(), promptContext.warm(), registry.makeOffers()]).then(rehearse),
    get model() {
      return models.defaultModel();
    },
  };
}

/** What plugins may know of the tools of a session. */
const catalogFor = (
  { engine, host }: Pick<ComposedEngine, "engine" | "host">,
  tools: Pick<Toolbox, "offered">,
  mcp: Pick<McpSource, "started">,
): NonNullable<PluginRuntime["catalog"]> => ({
  async list(sessionId) {
    const session = await engine.session(sessionId);
    return session === undefined ? [] : tools.offered(session);
  },
  started: () => mcp.started(),
  namespaces: () => host.namespaces,
});
type Watched = Pick<BackgroundParts, "processes" | "calls" | "report">;

/** Ends what runs when the right to change things ends, whatever ended it. */
function watchRunning({ clock, config }: State, machine: ComposedEngine, watched: Watched): { stop(): void } {
  const { engine, host, scheduler, settingsFor, revoked, shared } = machine;
  const whyVoid: Scheduler["whyVoid"] = (session, charge) => scheduler.whyVoid(session, charge);
  const right = { sessions: engine, slices: host.slices, clock, settingsFor, revoked, whyVoid };
  const background = watchBackground({
    ...watched,
    sessions: engine,
    clock,
    shared,
    rightOf: (sessionId) => rightToChange(sessionId, right),
  });
  machine.onRevoked(background.lookAtAll);
  const stopFollowing = config.onChange(background.lookAtAll);
  return {
    stop() {
      stopFollowing();
      background.stop();
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
