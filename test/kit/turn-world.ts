/** Everything between a message and a file: engine, pipeline, built-in tools and turn loop over a store in memory. */
import { documentsOf, pluginBlobs } from "../../src/compose/plugins/plugin-host.ts";
import { callerResults } from "../../src/gateway/caller-results.ts";
import { type Callers, createCallers } from "../../src/tools/callers/callers.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { ContextFiles } from "../../src/agent/context-files/context-files.ts";
import type { Model } from "../../src/agent/model.ts";
import { createModelHealth } from "../../src/agent/model-health.ts";
import { createFence } from "../../src/agent/prompt/fence.ts";
import { createPromptSource } from "../../src/agent/prompt/prompt-source.ts";
import { createTurnRunner, type TurnRunner } from "../../src/agent/run-turn.ts";
import { ancestorPolicy } from "../../src/agent/sub-agents/ancestors.ts";
import { createSubAgents, type SubAgents } from "../../src/agent/sub-agents/sub-agents.ts";
import { createEngine, type Engine, type Outcome } from "../../src/engine/engine.ts";
import { loadPlugins, type PluginHost, type PluginLoad } from "../../src/plugins/host.ts";
import type { CleanupMark, CleanupMarks, PluginRuntime } from "../../src/plugins/plugin-runtime.ts";
import type { TrustedToolPolicy } from "../../src/plugins/policy.ts";
import type { Plugin } from "../../src/plugins/sdk.ts";
import type { History, NumberedEntry } from "../../src/plugins/sessions.ts";
import type { Tool } from "../../src/plugins/tool.ts";
import type { ToolHooks } from "../../src/plugins/tool-hooks.ts";
import type { SessionId, TurnId } from "../../src/protocol/ids.ts";
import type { JsonObject } from "../../src/protocol/json.ts";
import type { Session, SessionCommand } from "../../src/protocol/session.ts";
import type { Entry } from "../../src/protocol/transcript-entry.ts";
import { openMemoryStore } from "../../src/store/memory/memory-store.ts";
import type { Store } from "../../src/store/store.ts";
import { attachmentOf } from "../../src/inbound/attachments.ts";
import { createToolbox, type Toolbox } from "../../src/tools/call-tool.ts";
import { heldRunPolicy } from "../../src/tools/held-run-policy.ts";
import { createRegistry, type Registry } from "../../src/tools/registry.ts";
import { builtinTools } from "./builtin-tools.ts";
import { create, gateSlice, messageId, sessionId } from "./core.ts";
import { byAlice } from "./engine.ts";
import { fakeClock, type FakeClock } from "./fake-clock.ts";
import { faultyStore, type FaultyStore } from "./faulty-store.ts";

export type TurnWorldGiven = {
  /** One, or a chain. */
  model: Model | readonly Model[];
  tools?: readonly Tool[];
  policies?: readonly TrustedToolPolicy[];
  hooks?: ToolHooks;
  plugins?: readonly (Plugin | PluginLoad)[];
  /** Sweeps that an earlier world began. */
  marks?: CleanupMarks;
  settings?: Readonly<Record<string, unknown>>;
  workspace?: string;
  /** The files that people keep for the agent; none if left out. */
  context?: ContextFiles;
  /** The state of a world before: this one starts on it as after a crash, under another node's name. */
  store?: Store;
  clock?: FakeClock;
  node?: string;
  sole?: boolean;
  shared?: boolean;
};

export type TurnWorld = {
  engine: Engine;
  store: FaultyStore;
  clock: FakeClock;
  registry: Registry;
  toolbox: Toolbox;
  runner: TurnRunner;
  subAgents: SubAgents;
  workspace: string;
  deltas: string[];
  reports: unknown[];
  host: PluginHost;
  /** What plugins told those who watch. */
  told: { event: string; payload: JsonObject }[];
  /** Opens the one session of the world. */
  open(): Promise<void>;
  must(command: SessionCommand): Promise<Extract<Outcome, { ok: true }>>;
  /** Says something, without running the turn that it asks for. */
  send(text: string): Promise<TurnId>;
  /** Runs turns until none is asked for any more. */
  settle(): Promise<("done" | "later")[]>;
  session(): Promise<Session>;
  /** The transcript, of the one session or of another. */
  entries(id?: SessionId): Promise<Entry[]>;
};

/** A slice of which a test opens and closes the gate. */
export const gatePlugin: Plugin = {
  id: "gate",
  name: "Gate",
  description: "for tests",
  register: (api) => api.session.registerSlice(gateSlice),
};

const NO_CONTEXT: ContextFiles = {
  load: async () => ({ files: [], skills: [], warnings: [] }),
  skill: async () => undefined,
  templates: async () => [],
  notes: () => [],
};

export function memoryMarks(): CleanupMarks {
  const marks = new Map<string, CleanupMark>();
  return {
    list: async () => [...marks.values()],
    put: async (added) => {
      for (const mark of added) marks.set(mark.pluginId, mark);
    },
    remove: async (pluginId) => void marks.delete(pluginId),
  };
}

const TURNS_MAX = 50;
const onOutput = (): void => undefined;

export function turnWorld(given: TurnWorldGiven): TurnWorld {
  const store = faultyStore(given.store ?? openMemoryStore());
  const clock = given.clock ?? fakeClock();
  const workspace = given.workspace ?? temporaryFolder();
  const settingsFor = () => given.settings ?? {};
  const plugins = loadPlugins(given.plugins ?? [gatePlugin], { clock, report: (error) => void reports.push(error) });
  const [deltas, reports]: [string[], unknown[]] = [[], []];
  const engine = createEngine({ store, slices: plugins.slices, clock, settingsFor, shared: given.shared ?? false });
  const report = (error: unknown): void => void reports.push(error);
  const builtins = builtinTools({ parts: { clock } });
  const isStricter = (name: string) => plugins.metadataOf(name).some(({ effect }) => effect === "write");
  const registry = createRegistry([...builtins, ...plugins.tools, ...(given.tools ?? [])], {
    strict: true,
    isStricter,
  });
  const own = () => [...plugins.policies, ...(given.policies ?? [])];
  const { slices, permissionPrompt } = plugins;
  const about = { sessions: engine, slices, permissionPrompt, clock, settingsFor };
  const above = ancestorPolicy(withPolicies(about, own));
  const heldRun = heldRunPolicy({ slices, clock });
  const stages = { hooks: given.hooks ?? plugins.toolHooks, permission: permissionPrompt };
  const around = { registry, sessions: engine, clock, settingsFor, protectedFolders: [], onOutput, report };
  const owned = { ownerOf: (tool: string) => plugins.ownerOf(tool), projection: plugins.projection };
  const toolbox = createToolbox(withPolicies({ ...around, ...stages, ...owned }, () => [...own(), heldRun, above]));
  const { node = "node-1", sole = true } = given;
  const history = async (id: SessionId, from: number): Promise<NumberedEntry[]> =>
    (await store.entries({ sessionId: id, from, before: null, limit: 500 })).flatMap(({ event }) =>
      event.type === "entry.appended" ? [{ n: event.n, entry: event.entry }] : [],
    );
  const onDelta = (_id: SessionId, delta: { text: string }): void => void deltas.push(delta.text);
  const fence = createFence(new Uint8Array(32));
  const context = given.context ?? NO_CONTEXT;
  const { turnTexts } = plugins;
  const prompt = createPromptSource(
    {
      get plugins() {
        return [...plugins.promptParts.values()];
      },
      overlays: () => [],
      context,
      fence,
      settingsFor,
    },
    (session, modelId) => turnTexts.notes(session, modelId),
  );
  const warn = (_id: SessionId, warning: string): void => void reports.push(warning);
  const models = { modelFor: () => given.model, health: createModelHealth(clock) };
  const loop = { sessions: engine, clock, node, sole, history, tools: toolbox, ...models };
  const prepare = (session: Session, turnId: TurnId) => turnTexts.prepare(session, turnId);
  const picture = (id: SessionId, attachmentId: string) => attachmentOf(store, id, attachmentId);
  const runner = createTurnRunner({ ...loop, prompt, fence, settingsFor, onDelta, picture, report, warn, prepare });
  const callers = createCallers({ sessions: engine, clock, tools: toolbox, node, sole, report });
  const runtime = codeRuntime({ engine, store, clock, toolbox, callers, host: plugins, settingsFor });
  const told = connected(plugins, { engine, store, registry, marks: given.marks ?? memoryMarks(), runtime });
  const subAgents = createSubAgents({ sessions: engine, history });
  const made = { engine, store, clock, registry, toolbox, runner, subAgents };
  const parts = { ...made, workspace, deltas, reports, told, host: plugins };
  return { ...parts, ...driving(parts, history) };
}

/** Asked for at each use: plugins come and go. */
function withPolicies<Rest extends object>(rest: Rest, policies: () => readonly TrustedToolPolicy[]) {
  return Object.defineProperty({ ...rest, policies: [] as readonly TrustedToolPolicy[] }, "policies", {
    get: policies,
    enumerable: true,
  });
}

type CodeParts = Pick<TurnWorld, "engine" | "store" | "clock" | "toolbox" | "host"> & {
  callers: Callers;
  settingsFor: () => Readonly<Record<string, unknown>>;
};

/** What the plugin of code mode needs of a gateway besides what all plugins do. */
function codeRuntime(parts: CodeParts): Partial<PluginRuntime> {
  const { engine, store, clock, toolbox, callers, host, settingsFor } = parts;
  return {
    settingsFor,
    blobs: pluginBlobs({ store, clock }),
    secretKey: async () => new Uint8Array(32),
    catalog: {
      async list(id) {
        const session = await engine.session(id);
        return session === undefined ? [] : toolbox.offered(session);
      },
      started: async () => undefined,
      namespaces: () => host.namespaces,
    },
    calls: {
      createSession: async () => ({ refused: { code: "FORBIDDEN", message: "" } }),
      open: callers.open,
      resume: callers.resume,
      results: (_owner, given) => callerResults(store, given.sessionId, given.callerId),
    },
  };
}

type Around = Pick<TurnWorld, "engine" | "store" | "registry"> & {
  marks: CleanupMarks;
  runtime?: Partial<PluginRuntime>;
};

export function connected(
  host: PluginHost,
  { engine, store, registry, marks, runtime = {} }: Around,
): TurnWorld["told"] {
  const told: TurnWorld["told"] = [];
  host.connect({
    ...runtime,
    sessions: engine,
    documents: documentsOf(store),
    tools: registry,
    marks,
    sessionPages: async (cursor) => {
      const { items, nextCursor } = await store.sessions({}, { cursor, limit: 100 });
      return { sessionIds: items.map(({ id }) => id), nextCursor };
    },
    tell: (_id, event, payload) => void told.push({ event, payload }),
  });
  return told;
}

type Parts = Omit<TurnWorld, "open" | "must" | "send" | "settle" | "session" | "entries">;

function driving({ engine, store, runner, subAgents, workspace }: Parts, history: History) {
  let messages = 0;
  async function must(command: SessionCommand): Promise<Extract<Outcome, { ok: true }>> {
    const outcome = await engine.dispatch(sessionId, command, byAlice);
    if (!outcome.ok) throw new Error(`${command.type} was refused: ${outcome.refusal.code} ${outcome.refusal.message}`);
    return outcome;
  }
  async function session(): Promise<Session> {
    const found = await engine.session(sessionId);
    if (found === undefined) throw new Error("the session is gone");
    return found;
  }
  return {
    must,
    session,
    open: async () => void (await must({ ...create, workspace } as SessionCommand)),
    async send(text: string): Promise<TurnId> {
      await must({ type: "message.send", messageId: messageId(++messages), text });
      const { turn } = await session();
      if (turn.status === "idle") throw new Error("no turn was asked for");
      return turn.turnId;
    },
    async settle() {
      const ends: ("done" | "later")[] = [];
      for (let turns = 0; turns < TURNS_MAX; turns++) {
        const [pending] = await store.pendingEffects({ id: 0, limit: 1 });
        if (pending === undefined) return ends;
        const { sessionId: id, effect } = pending;
        const end = await (effect.kind === "run-turn"
          ? runner.run(id, effect.turnId)
          : effect.kind === "perform"
            ? "done"
            : subAgents.perform({ sessionId: id, effect }));
        ends.push(end);
        if (end === "later") return ends;
        await store.effectDone(pending.id);
      }
      throw new Error(`more than ${TURNS_MAX} turns`);
    },
    entries: async (id: SessionId = sessionId) => (await history(id, 0)).map(({ entry }) => entry),
  };
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
