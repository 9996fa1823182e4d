/**
 * Random trees of sub-agents, over the real orders and reports. Rows are carried out at the same time, in any order, step by
 * step between each other, more than once, and a kill drops what is under way: what a parent sees of its children stays true.
 */
import { setImmediate } from "node:timers/promises";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { anySlice } from "../../core/slice.ts";
import type { OutboxEffect } from "../../core/effect.ts";
import { step } from "../../core/step.ts";
import type { Sessions, SessionOutcome } from "../../plugins/sessions.ts";
import type { Actor } from "../../protocol/actor.ts";
import { MessageId, SessionId } from "../../protocol/ids.ts";
import type { Session, SessionCommand } from "../../protocol/session.ts";
import { type Child, SUB_AGENTS_SLICE, SubAgentsState } from "../../protocol/sub-agents.ts";
import { createSubAgents } from "./carry-out.ts";
import { subAgentsSlice } from "./slice.ts";

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
      return createSubAgents({ sessions, history: async () => [] }).carryOut({ sessionId: from, effect });
    const { turnId } = effect;
    made.dispatch(
      from,
      { type: "turn.start", turnId, node: "n", leaseUntilMs: 0, sole: true },
      { kind: "agent", sessionId: from },
    );
    return Promise.resolve("done");
  }
  return {
    begin(at: number): void {
      const idle = made.outbox.filter((row) => !busy.has(row));
      const row = idle[at % Math.max(1, idle.length)];
      if (row === undefined) return;
      busy.add(row);
      const born = life;
      void run(row, ports(born)).then((end) => {
        if (born !== life) return;
        busy.delete(row);
        if (end === "done") made.outbox.splice(made.outbox.indexOf(row), 1);
      });
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

const WHATS = ["begin", "through", "through", "through", "spawn", "send", "replace", "finish", "abort", "kill"] as const;
type Op = { what: (typeof WHATS)[number]; at: number };

function act(made: Forest, carrying: Carrier, { what, at }: Op): void {
  if (what === "begin") return carrying.begin(at);
  if (what === "through") return carrying.letThrough(at);
  if (what === "kill") return at % 5 === 0 ? carrying.kill() : undefined;
  const session = [...made.sessions.values()][at % made.sessions.size];
  if (session === undefined) return;
  if (what === "abort") return void made.dispatch(session.id, { type: "turn.abort" }, SYSTEM);
  const { id, turn, epoch } = session;
  if (turn.status !== "running") return;
  const agent: Actor = { kind: "agent", sessionId: id };
  const finished = { type: "turn.finish", turnId: turn.turnId, epoch, outcome: "done", message: "" } as const;
  if (what === "finish") return void made.dispatch(id, finished, agent);
  const children = childrenOf(session);
  const child = children[at % Math.max(1, children.length)];
  const order = (command: object): void =>
    void made.dispatch(id, { type: "slice.apply", slice: SUB_AGENTS_SLICE, command: command as never }, agent);
  if (what === "spawn") return order({ type: "spawn", task: "look" });
  if (child === undefined) return;
  order(what === "send" ? { type: "send", childId: child.id, text: "more" } : REPLACE(child.id));
}

const REPLACE = (replaces: SessionId) => ({ type: "spawn", task: "instead", replaces });

/** Sessions that work although the session above does not count them as running. */
const lost = ({ sessions }: Forest): SessionId[] =>
  [...sessions.values()].flatMap((session) => {
    if (session.parentId === undefined || !isBusy(session)) return [];
    const seen = childrenOf(sessions.get(session.parentId)).find((child) => child.id === session.id);
    return seen?.status === "running" ? [] : [session.id];
  });

const ROUNDS_MAX = 20_000;

async function toRest(made: Forest, carrying: Carrier): Promise<void> {
  const isOver = () => made.outbox.length === 0 && carrying.isIdle() && ![...made.sessions.values()].some(isBusy);
  for (let round = 0; round < ROUNDS_MAX && !isOver(); round++) {
    act(made, carrying, { what: "begin", at: round });
    act(made, carrying, { what: "through", at: round });
    act(made, carrying, { what: "finish", at: round });
    await setImmediate();
  }
  expect(made.outbox).toEqual([]);
}

const ops = fc.array(fc.record({ what: fc.constantFrom(...WHATS), at: fc.nat(999) }), {
  minLength: 20,
  maxLength: 200,
});

function planted() {
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
  return { made, carrying: carrier(made) };
}

it("[SB-01, SB-03, SB-04] whoever works is counted as running above, the stopped stay so, and all come to rest", async () => {
  await fc.assert(
    fc.asyncProperty(ops, async (given) => {
      const { made, carrying } = planted();
      for (const op of given) {
        act(made, carrying, op);
        await setImmediate();
        expect(lost(made)).toEqual([]);
      }
      await toRest(made, carrying);
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
      const { made, carrying } = planted();
      for (const op of given) {
        act(made, carrying, op);
        await setImmediate();
      }
      made.dispatch(ROOT, { type: "session.reset" }, SYSTEM);
      const CARRYING = new Set<Op["what"]>(["begin", "through", "finish", "kill"]);
      for (const op of after.filter(({ what }) => CARRYING.has(what))) {
        act(made, carrying, op);
        await setImmediate();
      }
      await toRest(made, carrying);
      expect(made.wokenAnew).toEqual([]);
      expect([...made.sessions.values()].filter(isBusy)).toEqual([]);
    }),
    { numRuns: 75 },
  );
});
