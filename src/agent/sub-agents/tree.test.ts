/**
 * Random trees of sub-agents, over the real orders and reports. Rows are carried out at the same time, in any order, step by
 * step between each other, more than once, and a kill drops what is under way: what a parent sees of its children stays true.
 */
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { anySlice } from "../../core/slice.ts";
import type { OutboxEffect } from "../../core/effect.ts";
import { step } from "../../core/step.ts";
import type { Sessions, SessionOutcome } from "../../plugins/sessions.ts";
import type { Actor } from "../../protocol/actor.ts";
import { MessageId, SessionId } from "../../protocol/ids.ts";
import type { Session, SessionCommand } from "../../protocol/session.ts";
import { type Child, SUB_AGENTS_SLICE, SubAgentsState } from "./protocol/sub-agents.ts";
import { createSubAgents } from "./sub-agents.ts";
import { subAgentsSlice } from "./slice.ts";

const nextTick = () => new Promise<void>((resolve) => void setImmediate(resolve));

const ROOT = SessionId.parse("ses_root");
const SYSTEM: Actor = { kind: "system", reason: "sub-agents" };
const slices = new Map([[SUB_AGENTS_SLICE, anySlice(subAgentsSlice)]]);

type Row = { from: SessionId; effect: OutboxEffect };

function forest() {
  const sessions = new Map<SessionId, Session>();
  const answers = new Map<string, SessionOutcome>();
  const outbox: Row[] = [];
  let fresh = 0;
  const wokenAnew: SessionId[] = [];

  function dispatch(id: SessionId, command: SessionCommand, actor: Actor): SessionOutcome {
    fresh += 1;
    const before = sessions.get(id);
    const context = {
      nowMs: fresh,
      actor,
      fresh: [0, 1, 2, 3].map((slot) => `${fresh}-${slot}`),
      settings: { [SUB_AGENTS_SLICE]: { max: 16 } },
    };
    const done = step(before, command, { context, slices });
    if ("refused" in done) return { ok: false, refusal: done.refused };
    if (done.session === undefined) sessions.delete(id);
    else sessions.set(id, done.session);
    if (isWokenAnew(before, done.session)) wokenAnew.push(id);
    outbox.push(...done.outbox.map((effect) => ({ from: id, effect })));
    return { ok: true, reply: done.reply, session: done.session };
  }

  /** As the engine has it: the answer to a key is kept, unless it says "try again". */
  function once(key: string, answer: () => SessionOutcome): SessionOutcome {
    const known = answers.get(key) ?? answer();
    if (known.ok || known.refusal.retry !== true) answers.set(key, known);
    return known;
  }
  return { sessions, outbox, wokenAnew, dispatch, once };
}
type Forest = ReturnType<typeof forest>;

/** No person writes here, so only a newer order may begin a turn in a session that was stopped. */
const isWokenAnew = (before: Session | undefined, after: Session | undefined): boolean =>
  before?.stopped === true &&
  before.turn.status === "idle" &&
  after?.turn.status === "requested" &&
  (after.ordered ?? 0) <= (before.ordered ?? 0);

const childrenOf = (session: Session | undefined): Child[] =>
  SubAgentsState.parse(session?.slices[SUB_AGENTS_SLICE] ?? { children: [] }).children;
const isBusy = (session: Session): boolean =>
  session.turn.status !== "idle" || childrenOf(session).some((child) => child.status === "running");

/** Carries rows out step by step: each call to the store waits until a test lets it through. */
function carrier(made: Forest) {
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
type Carrier = ReturnType<typeof carrier>;

const WEIGHTS = { begin: 8, through: 20, spawn: 4, send: 4, replace: 3, finish: 3, abort: 1, kill: 1 };
type What = keyof typeof WEIGHTS;
type Op = { what: What; at: number };

function act(made: Forest, carrying: Carrier, op: Op): void {
  switch (op.what) {
    case "begin":
      return carrying.begin(op.at);
    case "through":
      return carrying.letThrough(op.at);
    case "kill":
      return op.at % 5 === 0 ? carrying.kill() : undefined;
    default:
      return move(made, op);
  }
}

function move(made: Forest, { what, at }: Op): void {
  const session = [...made.sessions.values()][at % made.sessions.size];
  if (session === undefined) return;
  const { id, turn, epoch } = session;
  if (what === "abort" && !isSpared(id, at)) return void made.dispatch(id, { type: "turn.abort" }, SYSTEM);
  if (turn.status !== "running") return;
  const agent: Actor = { kind: "agent", sessionId: id };
  const finished = { type: "turn.finish", turnId: turn.turnId, epoch, outcome: "done", message: "" } as const;
  if (what === "finish" && !isSpared(id, at)) return void made.dispatch(id, finished, agent);
  const children = childrenOf(session);
  const command = orderTo(children[at % Math.max(1, children.length)], what);
  if (command !== undefined)
    made.dispatch(id, { type: "slice.apply", slice: SUB_AGENTS_SLICE, command: command as never }, agent);
}

/** The root's turn goes on for a while, or little would be ordered. */
const isSpared = (id: SessionId, at: number): boolean => id === ROOT && at % 7 > 0;

function orderTo(child: Child | undefined, what: What): object | undefined {
  if (what === "spawn") return { type: "spawn", task: "look" };
  if (child === undefined) return undefined;
  if (what === "send") return { type: "send", childId: child.id, text: "more" };
  return what === "replace" ? { type: "spawn", task: "instead", replaces: child.id } : undefined;
}

/** Sessions that work although the session above does not count them as running. */
const lost = ({ sessions }: Forest): SessionId[] =>
  [...sessions.values()].flatMap((session) => {
    if (session.parentId === undefined || !isBusy(session)) return [];
    const seen = childrenOf(sessions.get(session.parentId)).find((child) => child.id === session.id);
    return seen?.status === "running" ? [] : [session.id];
  });

const ROUNDS_MAX = 20_000;

async function repeat({ made, carrying }: Planted, whats: readonly What[], isOver: () => boolean): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX && !isOver(); round++) {
    for (const one of whats) act(made, carrying, { what: one, at: round });
    await nextTick();
  }
  expect(made.outbox).toEqual([]);
}

const carryAll = (planted: Planted): Promise<void> =>
  repeat(planted, ["begin", "through"], () => planted.made.outbox.length === 0 && planted.carrying.isIdle());

const toRest = (planted: Planted): Promise<void> =>
  repeat(
    planted,
    ["begin", "through", "finish"],
    () => planted.made.outbox.length === 0 && ![...planted.made.sessions.values()].some(isBusy),
  );

const what = fc.oneof(
  ...(Object.entries(WEIGHTS) as [What, number][]).map(([name, weight]) => ({
    weight,
    arbitrary: fc.constant(name),
  })),
);
const ops = fc.array(fc.record({ what, at: fc.nat(999) }), { minLength: 50, maxLength: 400, size: "max" });

type Planted = { made: Forest; carrying: Carrier };

function plant(): Planted {
  const made = forest();
  made.dispatch(
    ROOT,
    {
      type: "session.create",
      sessionId: ROOT,
      agentId: "main",
      kind: "chat",
      surface: "cli",
      workspace: "/w",
      title: "",
    },
    SYSTEM,
  );
  made.dispatch(ROOT, { type: "message.send", messageId: MessageId.parse("msg_0"), text: "go" }, SYSTEM);
  const carrying = carrier(made);
  carrying.begin(0);
  return { made, carrying };
}

it("[SB-01, SB-03, SB-04] whoever works is counted as running above, the stopped stay so, and all come to rest", async () => {
  await fc.assert(
    fc.asyncProperty(ops, async (given) => {
      const planted = plant();
      const { made, carrying } = planted;
      for (const op of given) {
        act(made, carrying, op);
        await nextTick();
        expect(lost(made)).toEqual([]);
      }
      await toRest(planted);
      expect(made.wokenAnew).toEqual([]);
      const open = [...made.sessions.values()].flatMap(childrenOf).filter((child) => child.status === "running");
      expect(open).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

it("[SB-04] after a reset at the top everything below comes to rest, and nothing of it begins anew", async () => {
  await fc.assert(
    fc.asyncProperty(ops, ops, async (given, after) => {
      const planted = plant();
      const { made, carrying } = planted;
      for (const op of given) {
        act(made, carrying, op);
        await nextTick();
      }
      made.dispatch(ROOT, { type: "session.reset" }, SYSTEM);
      const CARRYING = new Set<What>(["begin", "through", "finish", "kill"]);
      for (const op of after.filter((one) => CARRYING.has(one.what))) {
        act(made, carrying, op);
        await nextTick();
      }
      await carryAll(planted);
      const below = [...made.sessions.values()].filter(({ parentId }) => parentId !== undefined);
      expect(
        below.filter(({ turn }) => turn.status !== "idle" && !(turn.status === "running" && turn.aborting)),
      ).toEqual([]);
      await toRest(planted);
      expect(made.wokenAnew).toEqual([]);
      expect([...made.sessions.values()].filter(isBusy)).toEqual([]);
    }),
    { numRuns: 75 },
  );
});
