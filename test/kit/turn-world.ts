/** Everything between a message and a file: engine, pipeline, built-in tools and turn loop over a store in memory. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Model } from "../../src/agent/model.ts";
import { createTurnRunner, type TurnRunner } from "../../src/agent/run-turn.ts";
import { createEngine, type Engine, type Outcome } from "../../src/engine/engine.ts";
import { loadPlugins } from "../../src/plugins/host.ts";
import type { TrustedToolPolicy } from "../../src/plugins/policy.ts";
import type { Plugin } from "../../src/plugins/sdk.ts";
import type { Tool } from "../../src/plugins/tool.ts";
import type { SessionId, TurnId } from "../../src/protocol/ids.ts";
import type { Session, SessionCommand } from "../../src/protocol/session.ts";
import type { Entry } from "../../src/protocol/transcript.ts";
import { openMemoryStore } from "../../src/store/memory/memory-store.ts";
import type { Store } from "../../src/store/store.ts";
import { createBuiltinTools } from "../../src/tools/builtin/builtin-tools.ts";
import { createToolbox, type Toolbox } from "../../src/tools/call-tool.ts";
import { createRegistry, type Registry } from "../../src/tools/registry.ts";
import { create, gateSlice, messageId, sessionId } from "./core.ts";
import { byAlice } from "./engine.ts";
import { fakeClock, type FakeClock } from "./fake-clock.ts";
import { faultyStore, type FaultyStore } from "./faulty-store.ts";

export type TurnWorldGiven = {
  model: Model;
  tools?: readonly Tool[];
  policies?: readonly TrustedToolPolicy[];
  plugins?: readonly Plugin[];
  settings?: Readonly<Record<string, unknown>>;
  workspace?: string;
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
  workspace: string;
  deltas: string[];
  reports: unknown[];
  /** Opens the one session of the world. */
  open(): Promise<void>;
  must(command: SessionCommand): Promise<Extract<Outcome, { ok: true }>>;
  /** Says something, without running the turn that it asks for. */
  send(text: string): Promise<TurnId>;
  /** Runs turns until none is asked for any more. */
  settle(): Promise<("done" | "later")[]>;
  session(): Promise<Session>;
  entries(): Promise<Entry[]>;
};

/** A slice of which a test opens and closes the gate. */
export const gatePlugin: Plugin = {
  id: "gate",
  name: "Gate",
  description: "for tests",
  register: (api) => api.session.registerExtension(gateSlice),
};

const TURNS_MAX = 50;
const onOutput = (): void => undefined;

export function turnWorld(given: TurnWorldGiven): TurnWorld {
  const store = faultyStore(given.store ?? openMemoryStore());
  const clock = given.clock ?? fakeClock();
  const workspace = given.workspace ?? temporaryFolder();
  const settingsFor = () => given.settings ?? {};
  const plugins = loadPlugins(given.plugins ?? [gatePlugin]);
  const engine = createEngine({ store, slices: plugins.slices, clock, settingsFor, shared: given.shared ?? false });
  const [deltas, reports]: [string[], unknown[]] = [[], []];
  const report = (error: unknown): void => void reports.push(error);
  const builtins = createBuiltinTools({ protectedFolders: [], clock });
  const registry = createRegistry([...builtins, ...plugins.tools, ...(given.tools ?? [])]);
  const policies = [...plugins.policies, ...(given.policies ?? [])];
  const toolbox = createToolbox({
    registry,
    policies,
    sessions: engine,
    clock,
    settingsFor,
    protectedFolders: [],
    onOutput,
    report,
  });
  const { node = "node-1", sole = true } = given;
  const history = async (id: SessionId, from: number): Promise<Entry[]> =>
    (await store.entries({ sessionId: id, from, before: null, limit: 500 })).flatMap(({ event }) =>
      event.type === "entry.appended" ? [event.entry] : [],
    );
  const onDelta = (_id: SessionId, delta: { text: string }): void => void deltas.push(delta.text);
  const loop = { sessions: engine, clock, node, sole, history, tools: toolbox, modelFor: () => given.model };
  const runner = createTurnRunner({ ...loop, onDelta, report });
  const parts = { engine, store, clock, registry, toolbox, runner, workspace, deltas, reports };
  return { ...parts, ...driving(parts, history) };
}

type Parts = Omit<TurnWorld, "open" | "must" | "send" | "settle" | "session" | "entries">;

function driving(
  { engine, store, runner, workspace }: Parts,
  history: (id: SessionId, from: number) => Promise<Entry[]>,
) {
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
        const end = await runner.run(pending.sessionId, pending.effect.turnId);
        ends.push(end);
        if (end === "later") return ends;
        await store.effectDone(pending.id);
      }
      throw new Error(`more than ${TURNS_MAX} turns`);
    },
    entries: () => history(sessionId, 0),
  };
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
