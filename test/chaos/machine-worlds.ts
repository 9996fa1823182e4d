/** One whole machine (engine and plan mode) over one store, which can be killed and opened again at any move. */
import { anySlice } from "../../src/core/slice.ts";
import type { Dispatch } from "../../src/engine/dispatch.ts";
import { createEngine, type Engine, type Outcome } from "../../src/engine/engine.ts";
import { planModeSlice } from "../../src/plan-mode/machine/slice.ts";
import { PlanModeSettings } from "../../src/plan-mode/protocol/settings.ts";
import type { Session, SessionCommand } from "../../src/protocol/session.ts";
import type { Store } from "../../src/store/store.ts";
import { sessionId } from "../kit/core.ts";
import type { FakeClock } from "../kit/fake-clock.ts";
import { type History, watchedHistory } from "./machine-invariants.ts";
import { PLAN } from "./machine-moves.ts";

export type StoreKind = {
  name: string;
  shared: boolean;
  fresh(): Promise<{ open(): Promise<Store>; dispose?(): Promise<void> }>;
};

export type World = {
  name: string;
  history: History;
  dispatch(command: SessionCommand, by: Dispatch): Promise<Outcome>;
  session(): Promise<Session | undefined>;
  /** What the timers owe at this moment, fired as the engine's timers would. */
  fireDue(): Promise<Outcome[]>;
  /** Takes the turn's row off the outbox, as its runner would once the turn has been taken on. */
  turnTaken(turnId: string): Promise<void>;
  /** Everything that is stored, with nothing that may differ between stores. */
  all(): Promise<unknown>;
  reopen(): Promise<void>;
  close(): Promise<void>;
};

const slices = new Map([[planModeSlice.name, anySlice(planModeSlice)]]);
const planSettings = PlanModeSettings.parse({ enabled: true, defaultActive: true, approvalTimeoutSeconds: 60 });

const settingsFor = () => ({ [PLAN]: planSettings });

export async function openWorld(kind: StoreKind, clock: FakeClock): Promise<World> {
  const place = await kind.fresh();
  const history = watchedHistory();
  let fresh = 0;
  const freshString = (): string => `f${fresh++}`;
  let store = await place.open();
  let engine = start(store);

  function start(opened: Store): Engine {
    const started = createEngine({ store: opened, slices, clock, settingsFor, freshString, shared: kind.shared });
    started.onCommitted((committed) => history.heard(committed));
    return started;
  }

  return {
    name: kind.name,
    history,
    dispatch: (command, by) => engine.dispatch(sessionId, command, by),
    session: () => engine.session(sessionId),
    async fireDue() {
      const due = await store.dueTimers({ atMs: clock.now(), limit: 100 });
      const fired: Outcome[] = [];
      for (const { timer } of due) {
        const command: SessionCommand = { type: "timer.fire", key: timer.key, atMs: timer.atMs };
        fired.push(await engine.dispatch(sessionId, command, { actor: { kind: "system", reason: "timer" } }));
      }
      return fired;
    },
    async turnTaken(turnId) {
      for (const pending of await store.pendingEffects({ id: 0, limit: 100 }))
        if (pending.effect.kind === "run-turn" && pending.effect.turnId === turnId) await store.effectDone(pending.id);
    },
    all: () => everything(store),
    async reopen() {
      await store.close();
      store = await place.open();
      engine = start(store);
    },
    async close() {
      await store.close();
      await place.dispose?.();
    },
  };
}

async function everything(store: Store): Promise<unknown> {
  const events = await store.events({ cursor: 0, limit: 500 });
  const pending = await store.pendingEffects({ id: 0, limit: 500 });
  const stored = await store.session(sessionId);
  const due = await store.dueTimers({ atMs: Number.MAX_SAFE_INTEGER, limit: 100 });
  expectSorted(events.map((event) => event.cursor));
  return {
    stored,
    events: events.map(({ cursor: _cursor, ...event }) => event),
    entries: (await store.entries({ sessionId, from: 0, before: null, limit: 500 })).map(({ event }) => event),
    pending: pending.map(({ effect }) => effect),
    due,
    nextTimerAtMs: await store.nextTimerAtMs(),
    list: await store.sessions({}, { cursor: null, limit: 10 }),
    artifacts: await store.artifacts({ kind: "plan", cursor: null, limit: 100 }),
    audit: await store.auditRows({ afterSeq: 0, limit: 500 }),
    verdict: await store.verifyAudit(),
  };
}

function expectSorted(cursors: number[]): void {
  if (cursors.some((cursor, at) => cursor <= (cursors[at - 1] ?? 0))) throw new Error("cursors do not grow");
}
