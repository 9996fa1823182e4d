/** The agent behind the gate: models, tools, and the loop that brings them together. */
import { randomUUID } from "node:crypto";
import { createDemoModel } from "../agent/demo/demo-model.ts";
import type { Model } from "../agent/model.ts";
import { createTurnRunner, type TurnRunner } from "../agent/run-turn.ts";
import { ConfigError } from "../config/config-error.ts";
import type { Config } from "../config/schema.ts";
import type { SessionId } from "../protocol/ids.ts";
import type { JsonObject } from "../protocol/json.ts";
import type { Entry } from "../protocol/transcript.ts";
import { PAGE_MAX, type StoredEvent } from "../store/store.ts";
import { createBuiltinTools } from "../tools/builtin/builtin-tools.ts";
import { createToolbox } from "../tools/call-tool.ts";
import { createRegistry } from "../tools/registry.ts";
import type { Machine } from "./machine.ts";
import type { State } from "./state.ts";

/** A turn must find its own input, however many calls it has made since. */
const HISTORY_PAGES_MAX = 4;

export type Agent = {
  runner: TurnRunner;
  model: Model;
  /** Hears what streams while a turn runs. */
  onStream(listener: (sessionId: SessionId, payload: JsonObject) => void): void;
  node: string;
};

export function createAgent(state: State, machine: Machine): Agent {
  const { clock, log, options } = state;
  const { engine, host, settingsFor } = machine;
  const node = `node_${randomUUID()}`;
  const model = chooseModel(state.config.current(), options.model);
  let stream: ((sessionId: SessionId, payload: JsonObject) => void) | undefined;
  const report = (error: unknown): void => log.error({ err: error }, "a turn met a failure");
  const protectedFolders = [options.home];
  const registry = createRegistry([...createBuiltinTools({ protectedFolders, clock }), ...host.tools]);
  const tools = createToolbox({
    registry,
    policies: host.policies,
    sessions: engine,
    clock,
    settingsFor,
    protectedFolders,
    onOutput: (sessionId, { turnId, callId, text }) => stream?.(sessionId, { turnId, callId, text }),
    report,
  });
  const runner = createTurnRunner({
    sessions: engine,
    clock,
    node,
    sole: !machine.shared,
    history: (sessionId, from) => history(state, sessionId, from),
    tools,
    modelFor: () => model,
    onDelta: (sessionId, { turnId, text }) => stream?.(sessionId, { turnId, text }),
    report,
  });
  return { runner, model, node, onStream: (listener) => void (stream = listener) };
}

/** Only the demo agent is built in so far; a name that nothing answers to is refused at the start, not in mid-turn. */
function chooseModel(config: Config, given: Model | undefined): Model {
  if (given !== undefined) return given;
  const name = config.agents.defaults.model;
  if (name === "demo") return createDemoModel();
  throw unknownModel(name);
}

const unknownModel = (name: string): ConfigError =>
  new ConfigError([
    {
      source: "configuration",
      line: null,
      column: null,
      path: "agents.defaults.model",
      message: `There is no model "${name}" in this version. Set it to "demo", the built-in scripted agent.`,
    },
  ]);

/** Newest pages first, put back in order: what is beyond the last page is too old for any model's window. */
async function history({ store }: State, sessionId: SessionId, from: number): Promise<Entry[]> {
  const pages: StoredEvent[][] = [];
  let before: number | null = null;
  for (let n = 0; n < HISTORY_PAGES_MAX; n++) {
    const page = await store.entries({ sessionId, from, before, limit: PAGE_MAX });
    pages.unshift(page);
    const oldest = page[0]?.event;
    if (page.length < PAGE_MAX || oldest?.type !== "entry.appended") break;
    before = oldest.n;
  }
  return pages.flat().flatMap(({ event }) => (event.type === "entry.appended" ? [event.entry] : []));
}
