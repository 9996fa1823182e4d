/** A plugin host with a real engine beside it, for plugins that are brought in by either road. */
import { documentsOf } from "../../src/compose/plugins/plugin-host.ts";
import { createEngine, type Engine } from "../../src/engine/engine.ts";
import { systemClock } from "../../src/engine/clock.ts";
import { invoke } from "../../src/inbound/invocation.ts";
import { createPluginHost, type PluginHost } from "../../src/plugins/host.ts";
import type { PluginRuntime } from "../../src/plugins/plugin-runtime.ts";
import { openMemoryStore } from "../../src/store/memory/memory-store.ts";
import type { HandlerCall } from "../../src/plugins/api/command.ts";
import type { Store } from "../../src/store/store.ts";
import type { SessionId } from "../../src/protocol/ids.ts";
import type { Json } from "../../src/protocol/json.ts";
import type { SessionCommand } from "../../src/protocol/session.ts";
import type { Tool } from "../../src/plugins/tool.ts";
import { alice, create } from "./core.ts";
import { sid } from "./engine.ts";

export type PluginWorld = {
  host: PluginHost;
  engine: Engine;
  /** What went wrong inside of plugins, outermost message first. */
  reported: string[];
  logged: unknown[];
  told: unknown[];
  shelf: Map<string, Tool>;
  open(name: string): Promise<SessionId>;
  command(sessionId: SessionId, args: string, name?: string): Promise<unknown>;
  action(sessionId: SessionId, params: Json, name?: string): Promise<unknown>;
};

/** `around`: what the gateway offers plugins beyond sessions and documents. */
export async function pluginWorld(around: Partial<PluginRuntime> = {}): Promise<PluginWorld> {
  const reported: string[] = [];
  const logged: unknown[] = [];
  const told: unknown[] = [];
  const shelf = new Map<string, Tool>();
  const clock = systemClock;
  const host = createPluginHost({
    clock,
    report: (error) => void reported.push(reasons(error)),
    log: (pluginId, line) => void logged.push({ pluginId, ...line }),
  });
  const store = openMemoryStore();
  const engine = createEngine({ store, slices: host.slices, clock, settingsFor: () => ({}), shared: false });
  host.connect({
    sessions: engine,
    documents: documentsOf(store),
    tools: {
      has: (name) => shelf.has(name),
      add: (tool) => void shelf.set(tool.name, tool),
      remove: (name) => void shelf.delete(name),
    },
    sessionPages: async () => ({ sessionIds: [], nextCursor: null }),
    marks: { list: async () => [], put: async () => undefined, remove: async () => undefined },
    tell: (sessionId, event, payload) => void told.push({ sessionId, event, payload }),
    ...around,
  });
  return {
    host,
    engine,
    reported,
    logged,
    told,
    shelf,
    async open(name) {
      await engine.dispatch(sid(name), { ...create, sessionId: sid(name) } as SessionCommand, { actor: alice });
      return sid(name);
    },
    ...invoking({ host, engine, store }),
  };
}

type Invoking = { host: PluginHost; engine: Engine; store: Store };

function invoking({ host, engine, store }: Invoking): Pick<PluginWorld, "command" | "action"> {
  const failed = (pluginId: string, error: unknown): void => host.failed(pluginId, error);
  const parts = { engine, store, clock: systemClock, host, failed };
  const by = { actor: alice };
  return {
    async command(sessionId, args, name = "contract") {
      const found = host.commands.get(name);
      const session = await engine.session(sessionId);
      if (found === undefined || session === undefined) throw new Error("no such command or session");
      const { pluginId, spec } = found;
      const scopes = spec.requiredScopes ?? ["operator.write" as const];
      const order = { pluginId, slice: found.slice(), cause: `/${name} ${args}`, scopes, actor: alice, by };
      return (await invoke(session, { ...order, run: (call) => found.handler({ ...call, args }) }, parts)).reply;
    },
    async action(sessionId, params, name = "contract/add") {
      const found = host.actions.get(name);
      const session = await engine.session(sessionId);
      if (found === undefined || session === undefined) throw new Error("no such action or session");
      const { pluginId, action } = found;
      const parsed = action.schema.safeParse(params);
      if (!parsed.success) return { ok: false, bad: true };
      const scopes = ["operator.write" as const];
      const order = { pluginId, slice: found.slice(), cause: name, scopes, actor: alice, by };
      const run = (call: HandlerCall) => action.handler({ ...call, params: parsed.data });
      return (await invoke(session, { ...order, run }, parts)).reply;
    },
  };
}

function reasons(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${reasons(error.cause)}`;
}
