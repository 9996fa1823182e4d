/** One gateway node of the simulation: the real engine, outbox, router, timers, leases, turn loop and tool pipeline. */
import { z } from "zod";
import { sessionsSpawn } from "../../src/agent/sub-agents/sessions-tools.ts";
import { createModelHealth } from "../../src/agent/model-health.ts";
import { createFence } from "../../src/agent/prompt/fence.ts";
import { createTurnRunner } from "../../src/agent/run-turn.ts";
import type { SliceWorker } from "../../src/core/worker.ts";
import { createCommitWork } from "../../src/engine/commit-work.ts";
import { createEngine, type Engine } from "../../src/engine/engine.ts";
import { readHistory } from "../../src/gateway/history.ts";
import { acceptEditsPolicy } from "../../src/plan-mode/gates/accept-edits-gate.ts";
import { destructivePolicy } from "../../src/plan-mode/gates/destructive-gate.ts";
import { permissionPrompt } from "../../src/plan-mode/gates/permission-gate.ts";
import { planGatePolicy } from "../../src/plan-mode/gates/plan-gate.ts";
import { enterPlanMode } from "../../src/plan-mode/tools/enter-plan-mode.ts";
import { exitPlanMode } from "../../src/plan-mode/tools/exit-plan-mode.ts";
import { planModeStatus } from "../../src/plan-mode/tools/plan-mode-status.ts";
import { updatePlan } from "../../src/plan-mode/tools/update-plan.ts";
import type { Actor } from "../../src/protocol/actor.ts";
import type { ToolContext } from "../../src/plugins/tool.ts";
import type { Store } from "../../src/store/store.ts";
import { createToolbox } from "../../src/tools/call-tool.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import { heldRunPolicy } from "../../src/tools/held-run-policy.ts";
import { createRegistry } from "../../src/tools/registry.ts";
import type { Random } from "../kit/random.ts";
import { createBelow } from "./below.ts";
import { type Cast, settingsOf, slicesOf } from "./cast.ts";
import { COURIER } from "./courier-slice.ts";
import { CHANGE_TOOL, simulatedAgent } from "./simulated-agent.ts";
import type { SimulatedProcess } from "./simulated-process.ts";

const THINK_MS_MAX = 800;
const CHANGE_MS_MAX = 4_000;
const DELIVERY_MS_MAX = 4_000;

export type SimulatedNode = {
  process: SimulatedProcess;
  engine: Engine;
  /** The node hears that somebody was revoked; the store has known it for a moment. */
  revoke(id: string): void;
};

/** What happens outside of the gateways, where nothing can be taken back. */
export type Outside = {
  changeStarts(context: ToolContext, process: SimulatedProcess): void;
  deliveryStarts(key: string, process: SimulatedProcess): void;
};

type Given = {
  cast: Cast;
  areJobsActive(): boolean;
  /** As the store knows them. */
  revoked: ReadonlyMap<string, number>;
  process: SimulatedProcess;
  store: Store;
  shared: boolean;
  random: Random;
  outside: Outside;
  report(error: unknown): void;
};

const fence = createFence(new Uint8Array(32));
const prompt = { open: async () => ({ system: () => "Simulate.", warnings: [] }) };

/** The registry is the same for all nodes; who runs a change is found by the name of the node in the workspace. */
const running = new Map<string, (context: ToolContext) => Promise<void>>();
const registry = createRegistry([
  defineTool(enterPlanMode),
  defineTool(exitPlanMode),
  defineTool(updatePlan),
  defineTool(planModeStatus),
  defineTool(sessionsSpawn),
  defineTool({
    name: CHANGE_TOOL,
    description: "Changes something.",
    input: z.strictObject({ line: z.string() }),
    kind: "file_edit",
    effect: "write",
    async run({ line }, context) {
      await running.get(context.workspace)?.(context);
      return { status: "ok", content: line };
    },
  }),
]);

export function startSimulatedNode(given: Given): SimulatedNode {
  const { cast, process, store, shared, random, outside, report } = given;
  const { clock, name } = process;
  const slices = slicesOf(cast);
  const settingsFor = () => settingsOf(cast);
  let fresh = 0;
  const freshString = (): string => `${name.replace("-", "x")}f${fresh++}`;
  const revoked = new Set(given.revoked.keys());
  const mayAct = (actor: Actor): boolean => actor.kind !== "operator" || !revoked.has(actor.id);
  const engine = createEngine({ store, slices, clock, settingsFor, freshString, shared, revoked, mayAct });
  const sleep = (ms: number, signal: AbortSignal): Promise<void> => sleepIn(process, random.next() * ms, signal);
  const own = [planGatePolicy, acceptEditsPolicy, destructivePolicy, heldRunPolicy({ slices, clock })];
  const below = createBelow({ ...given, engine, clock, policies: own });
  const toolbox = createToolbox({
    registry,
    policies: [...own, ...below.policies],
    permission: permissionPrompt,
    sessions: engine,
    clock,
    settingsFor,
    protectedFolders: [],
    workspaces: { pin: () => ({ path: name }) },
    onOutput: () => undefined,
    report,
  });
  running.set(name, (context) => {
    outside.changeStarts(context, process);
    return sleep(CHANGE_MS_MAX, context.signal);
  });
  const runner = createTurnRunner({
    sessions: engine,
    clock,
    node: name,
    sole: !shared,
    history: (sessionId, from) => readHistory(store, sessionId, from),
    tools: toolbox,
    prompt,
    fence,
    settingsFor,
    modelFor: ({ kind }) => simulatedAgent({ kind, cast }, (signal) => sleep(THINK_MS_MAX, signal)),
    health: createModelHealth(clock),
    onDelta: () => undefined,
    picture: async () => undefined,
    report,
    warn: (_sessionId, warning) => report(new Error(warning)),
  });
  const courier: SliceWorker = {
    slice: COURIER,
    orders: ["deliver"],
    async perform(_order, { key, signal }) {
      outside.deliveryStarts(key, process);
      await sleep(DELIVERY_MS_MAX, signal);
      return "done";
    },
  };
  const work = createCommitWork({
    store,
    clock,
    engine,
    shared,
    node: name,
    report,
    workerFor: (slice) => [courier, below.worker].find((worker) => worker.slice === slice),
    run: (pending) =>
      pending.effect.kind === "run-turn" ? runner.run(pending.sessionId, pending.effect.turnId) : below.run(pending),
  });
  work.begin();
  return { process, engine, revoke: (id) => void revoked.add(id) };
}

/** What work throws that was told to stop. */
export class Stopped extends Error {}

function sleepIn(process: SimulatedProcess, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const callOff = process.deliver(ms, resolve);
    const stop = (): void => {
      callOff();
      reject(new Stopped());
    };
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
