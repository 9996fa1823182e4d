/** The work that commits leave: outbox, effect router and timers of one process, woken by the commits that concern them. */
import { setTimeout as sleep } from "node:timers/promises";
import type { DueTimer, Store } from "../store/store.ts";
import type { Clock } from "./clock.ts";
import type { Committed } from "./commit-feed.ts";
import { createEffectRouter, type EffectRouter, type RouterParts } from "./effect-router.ts";
import type { Engine } from "./engine.ts";
import { every } from "./every.ts";
import { createOutbox, type Outbox, type PendingWork, type RunEffect } from "./outbox.ts";
import { createTimers } from "./timers.ts";

/** With several nodes on one store, work that another node left behind is looked for this often. */
const SHARED_LOOK_EVERY_MS = 2_000;
/** A turn that the same commit began has asked the model by then. Real time, also where the clock is a test's. */
const UNHURRIED_MS = 20;

export type CommitWorkParts = Pick<RouterParts, "node" | "workerFor"> & {
  store: Store;
  clock: Clock;
  engine: Pick<Engine, "dispatch" | "onCommitted" | "settled">;
  shared: boolean;
  run: RunEffect;
  report(error: unknown): void;
};

export type CommitWork = {
  router: Pick<EffectRouter, "workersChanged">;
  /** Begins the work that earlier commits left; must be called when all workers are registered. */
  begin(): void;
  /** No timer fires and nothing is woken any more. */
  stop(): Promise<void>;
  /** After `stop`: resolves when nothing runs. */
  drain(): Promise<void>;
};

export function createCommitWork(parts: CommitWorkParts): CommitWork {
  const { store, clock, engine, shared, run, report, node, workerFor } = parts;
  const router = createEffectRouter({
    store,
    clock,
    node,
    sole: !shared,
    workerFor,
    report: (error) => report(error),
    reread: () => outbox.reread(),
    pause: () => sleep(UNHURRIED_MS, undefined, { ref: false }),
  });
  const outbox: Outbox = createOutbox({ store, clock, shared, report, run: known, orders: router });
  /** A row can be read before its commit is acknowledged: whoever performed it would find the session as it was before. */
  async function known(pending: PendingWork): Promise<"done" | "later"> {
    await engine.settled(pending.sessionId);
    return run(pending);
  }
  const timers = createTimers({ store, clock, report, fire: (due) => fire(engine, due) });
  const wake = (): void => {
    outbox.wake();
    timers.wake();
  };
  const stops = [
    engine.onCommitted((committed) => {
      if (leavesWork(committed)) outbox.wake();
      if (movesTimers(committed)) timers.wake();
    }),
    ...(shared ? [every({ clock }, SHARED_LOOK_EVERY_MS, wake)] : []),
  ];
  return {
    router,
    begin() {
      router.open();
      wake();
    },
    async stop() {
      for (const stop of stops) stop();
      await timers.stop();
    },
    drain: async () => void (await Promise.all([outbox.drain(), router.drain()])),
  };
}

/** Events that may leave work: a requested turn, an order of a slice, or a child's report, also that it rested already. */
const WORKING: ReadonlySet<string> = new Set([
  "session.stopped",
  "turn.requested",
  "turn.finished",
  "slice.changed",
  "call.refused",
  "session.deleted",
]);
const leavesWork = ({ events }: Committed): boolean => events.some(({ event }) => WORKING.has(event.type));
const movesTimers = ({ events }: Committed): boolean =>
  events.some(({ event }) => event.type === "timer.set" || event.type === "timer.cleared");

/** A refusal is ignored unless it can be retried: the timer or its session is gone. */
async function fire(engine: Pick<Engine, "dispatch">, { sessionId, timer }: DueTimer): Promise<void> {
  const command = { type: "timer.fire", key: timer.key, atMs: timer.atMs } as const;
  const outcome = await engine.dispatch(sessionId, command, { actor: { kind: "system", reason: "timer" } });
  if (!outcome.ok && outcome.refusal.retry === true) throw new Error(`timer ${timer.key}: ${outcome.refusal.message}`);
}
