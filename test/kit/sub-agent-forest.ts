/**
 * Sessions with sub-agents below each other, over the real core, the real orders and the real reports. Rows are performed at
 * the same time, in any order, step by step between each other, more than once, and a kill drops what is under way.
 */
import { anySlice } from "../../src/core/slice.ts";
import type { OutboxEffect } from "../../src/core/effect.ts";
import { step } from "../../src/core/step.ts";
import { planModeSlice } from "../../src/plan-mode/machine/slice.ts";
import { PlanModeSettings } from "../../src/plan-mode/protocol/settings.ts";
import type { Sessions, SessionOutcome } from "../../src/plugins/sessions.ts";
import type { Actor } from "../../src/protocol/actor.ts";
import { SessionId } from "../../src/protocol/ids.ts";
import type { Session, SessionCommand, SessionEvent } from "../../src/protocol/session.ts";
import { type Child, SUB_AGENTS_SLICE, SubAgentsState } from "../../src/agent/sub-agents/protocol/sub-agents.ts";
import { createSubAgents } from "../../src/agent/sub-agents/sub-agents.ts";
import { subAgentsSlice } from "../../src/agent/sub-agents/slice.ts";

export const nextTick = () => new Promise<void>((resolve) => void setImmediate(resolve));

export const ROOT = SessionId.parse("ses_root");
export const SYSTEM: Actor = { kind: "system", reason: "sub-agents" };
export const slices = new Map([
  [planModeSlice.name, anySlice(planModeSlice)],
  [SUB_AGENTS_SLICE, anySlice(subAgentsSlice)],
]);

type Row = { from: SessionId; effect: OutboxEffect };

export function forest({ max = 16 }: { max?: number } = {}) {
  const sessions = new Map<SessionId, Session>();
  const answers = new Map<string, SessionOutcome>();
  const outbox: Row[] = [];
  let fresh = 0;
  const wokenAnew: SessionId[] = [];
  const history: { sessionId: SessionId; event: SessionEvent }[] = [];
  const settings = { [SUB_AGENTS_SLICE]: { max }, planMode: PlanModeSettings.parse({ enabled: true }) };

  function dispatch(id: SessionId, command: SessionCommand, actor: Actor): SessionOutcome {
    fresh += 1;
    const before = sessions.get(id);
    const context = {
      nowMs: fresh,
      actor,
      fresh: [0, 1, 2, 3].map((slot) => `${fresh}-${slot}`),
      settings,
    };
    const done = step(before, command, { context, slices });
    if ("refused" in done) return { ok: false, refusal: done.refused };
    if (done.session === undefined) sessions.delete(id);
    else sessions.set(id, done.session);
    if (isWokenAnew(before, done.session)) wokenAnew.push(id);
    history.push(...done.events.map((event) => ({ sessionId: id, event })));
    outbox.push(...done.outbox.map((effect) => ({ from: id, effect })));
    return { ok: true, reply: done.reply, session: done.session };
  }

  /** As the engine has it: the answer to a key is kept, unless it says "try again". */
  function once(key: string, answer: () => SessionOutcome): SessionOutcome {
    const known = answers.get(key) ?? answer();
    if (known.ok || known.refusal.retry !== true) answers.set(key, known);
    return known;
  }
  return { sessions, outbox, wokenAnew, history, settings, dispatch, once };
}
export type Forest = ReturnType<typeof forest>;

/** No person writes here, so only a newer order may begin a turn in a session that was stopped. */
const isWokenAnew = (before: Session | undefined, after: Session | undefined): boolean =>
  before?.stopped === true &&
  before.turn.status === "idle" &&
  after?.turn.status === "requested" &&
  (after.ordered ?? 0) <= (before.ordered ?? 0);

export const childrenOf = (session: Session | undefined): Child[] =>
  SubAgentsState.parse(session?.slices[SUB_AGENTS_SLICE] ?? { children: [] }).children;
export const isBusy = (session: Session): boolean =>
  session.turn.status !== "idle" || childrenOf(session).some((child) => child.status === "running");

/** Carries rows out step by step: each call to the store waits until a test lets it through. */
export function carrier(made: Forest) {
  const waiting: (() => void)[] = [];
  const busy = new Set<Row>();
  let life = 0;
  function ports(born: number): Sessions {
    const through = () =>
      new Promise<void>((resolve) => void waiting.push(() => (born === life ? resolve() : undefined)));
    return {
      async dispatch(id, command, { actor, idempotency }) {
        await through();
        const answer = () => made.dispatch(id, command, actor);
        return idempotency === undefined ? answer() : made.once(`${id} ${idempotency.key}`, answer);
      },
      async session(id) {
        await through();
        return made.sessions.get(id);
      },
    } as Sessions;
  }
  function run({ from, effect }: Row, sessions: Sessions): Promise<"done" | "later"> {
    if (effect.kind === "perform") return Promise.resolve("done");
    if (effect.kind !== "run-turn")
      return createSubAgents({ sessions, history: async () => [] }).perform({ sessionId: from, effect });
    const { turnId } = effect;
    made.dispatch(
      from,
      { type: "turn.start", turnId, node: "n", leaseUntilMs: 0, sole: true },
      { kind: "agent", sessionId: from },
    );
    return Promise.resolve("done");
  }
  async function settle(row: Row, born: number): Promise<void> {
    const end = await run(row, ports(born));
    if (born !== life) return;
    busy.delete(row);
    if (end === "done") made.outbox.splice(made.outbox.indexOf(row), 1);
  }
  return {
    begin(at: number): void {
      const idle = made.outbox.filter((row) => !busy.has(row));
      const row = idle[at % Math.max(1, idle.length)];
      if (row === undefined) return;
      busy.add(row);
      void settle(row, life);
    },
    letThrough(at: number): void {
      const [next] = waiting.splice(at % Math.max(1, waiting.length), 1);
      next?.();
    },
    /** What was under way is lost in mid-way; its rows are still there. */
    kill(): void {
      life += 1;
      waiting.length = 0;
      busy.clear();
    },
    isIdle: () => waiting.length === 0,
  };
}
export type Carrier = ReturnType<typeof carrier>;
