/**
 * A gateway's scheduler with a real engine, outbox and timers, over a store that outlives it. It can be killed between any
 * two of its commits, before or after one of them.
 */
import type { FakeClock } from "./fake-clock.ts";
import { createSubAgents } from "../../src/agent/sub-agents/sub-agents.ts";
import { deliverBetweenSessions } from "../../src/compose/scheduling.ts";
import { anySlice, type SliceRegistry } from "../../src/core/slice.ts";
import { createEngine, type Engine } from "../../src/engine/engine.ts";
import { createEffectRouter } from "../../src/engine/effect-router.ts";
import { createOutbox, type Outbox } from "../../src/engine/outbox.ts";
import { createTimers } from "../../src/engine/timers.ts";
import { PlanModeSettings } from "../../src/plan-mode/protocol/settings.ts";
import type { SessionId } from "../../src/protocol/ids.ts";
import type { Session, SessionCommand } from "../../src/protocol/session.ts";
import { schedulerSlice } from "../../src/scheduler/machine/slice.ts";
import type { SchedulerPorts } from "../../src/scheduler/ports.ts";
import { createScheduler } from "../../src/scheduler/scheduler.ts";
import type { Store } from "../../src/store/store.ts";

const forever = new Promise<never>(() => undefined);
const ONLY_JOBS: SliceRegistry = new Map([["scheduler", anySlice(schedulerSlice)]]);
const SETTINGS = {
  planMode: PlanModeSettings.parse({ enabled: true, nudges: { exploringMinutes: [], executingMinutes: [] } }),
};

type Around = Partial<Pick<SchedulerPorts, "vouches" | "planBody">> & {
  slices?: SliceRegistry;
  /** What the agent does in each turn that it takes. */
  work?(session: Session, dispatch: (command: SessionCommand) => ReturnType<Engine["dispatch"]>): Promise<void>;
};

export type SchedulerProcess = {
  scheduler: ReturnType<typeof createScheduler>;
  dispatch: Engine["dispatch"];
  kill(): void;
  killAfter(commits: number, isBefore: boolean): void;
};

export function startSchedulerProcess(
  { store, clock }: { store: Store; clock: FakeClock },
  { slices = ONLY_JOBS, work, ...around }: Around = {},
): SchedulerProcess {
  const engine = createEngine({ store, clock, slices, settingsFor: () => SETTINGS, shared: false });
  const life = mortal(engine);
  const { dispatch } = life;
  const sessions = { ...engine, dispatch };
  const scheduler = createScheduler({ ...PORTS, ...around, sessions, clock });
  const children = createSubAgents({ sessions, history: async () => [] });
  /** The agent: takes the turn, does its work if it has any, and says nothing. */
  async function runTurn(id: SessionId, turnId: Parameters<typeof engine.dispatch>[1] & { type: "turn.start" }) {
    const started = await dispatch(id, turnId, { actor: { kind: "agent", sessionId: id } });
    if (!started.ok || started.session?.turn.status !== "running") return "done" as const;
    const on = { turnId: turnId.turnId, epoch: started.session.epoch };
    await work?.(started.session, (command) => dispatch(id, command, { actor: { kind: "agent", sessionId: id } }));
    const finish = { type: "turn.finish", ...on, outcome: "done", message: "" } as const;
    await dispatch(id, finish, { actor: { kind: "agent", sessionId: id } });
    return "done" as const;
  }
  const router = createEffectRouter({
    store: { ...store, orderDone: (done) => (life.isAlive() ? store.orderDone(done) : forever) },
    clock,
    node: `n${clock.now()}`,
    sole: true,
    report: () => undefined,
    reread: () => outbox.reread(),
    workerFor: () => ({
      slice: "scheduler",
      orders: [],
      perform: async (order, call) =>
        life.isAlive() ? scheduler.performOrder({ sessionId: call.sessionId, order }) : forever,
    }),
  });
  router.open();
  const outbox: Outbox = createOutbox({
    store,
    clock,
    shared: false,
    orders: router,
    report: () => undefined,
    run: async ({ sessionId: id, effect }) => {
      if (!life.isAlive()) return forever;
      if (effect.kind !== "run-turn")
        return deliverBetweenSessions({ sessionId: id, effect }, { children, scheduler, engine });
      const lease = { node: "n", leaseUntilMs: clock.now() + 30_000, sole: true };
      return runTurn(id, { type: "turn.start", turnId: effect.turnId, ...lease });
    },
  });
  const timers = createTimers({
    store,
    clock,
    report: () => undefined,
    async fire({ sessionId: id, timer }) {
      const command = { type: "timer.fire", key: timer.key, atMs: timer.atMs } as const;
      await dispatch(id, command, { actor: { kind: "system", reason: "timer" } });
    },
  });
  engine.onCommitted(() => {
    if (!life.isAlive()) return;
    outbox.wake();
    timers.wake();
  });
  outbox.wake();
  timers.wake();
  return { scheduler, ...life };
}

const PORTS = {
  history: async () => [],
  workspaceFor: () => "/workspace",
  recentChats: async () => [],
  isActive: () => true,
  vouches: async () => true,
  approvalsFor: () => undefined,
  planBody: async () => undefined,
  contributions: () => [],
  report: (error: unknown) => {
    throw error;
  },
};

type Life = Pick<SchedulerProcess, "dispatch" | "kill" | "killAfter"> & { isAlive(): boolean };

/** A killed process answers nobody. With nothing left it dies before the commit or right after it. */
function mortal(engine: Engine): Life {
  let alive = true;
  let left = Number.POSITIVE_INFINITY;
  let diesBefore = false;
  return {
    isAlive: () => alive,
    async dispatch(id, command, by) {
      if (!alive) return forever;
      left -= 1;
      if (left === 0 && diesBefore) {
        alive = false;
        return forever;
      }
      const outcome = await engine.dispatch(id, command, by);
      if (left <= 0) alive = false;
      return alive ? outcome : forever;
    },
    kill: () => void (alive = false),
    killAfter(commits, isBefore) {
      left = commits;
      diesBefore = isBefore;
    },
  };
}
