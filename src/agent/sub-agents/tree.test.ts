/** Random trees of sub-agents whose orders and reports are carried in any order: what a parent sees stays true. */
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { anySlice } from "../../core/slice.ts";
import type { ChildOrder, ChildReport, OutboxEffect } from "../../core/effect.ts";
import { step } from "../../core/step.ts";
import type { Actor } from "../../protocol/actor.ts";
import { MessageId, SessionId } from "../../protocol/ids.ts";
import type { Session, SessionCommand } from "../../protocol/session.ts";
import { SUB_AGENTS_SLICE, SubAgentsState } from "../../protocol/sub-agents.ts";
import { subAgentsSlice } from "./slice.ts";

const ROOT = SessionId.parse("ses_root");
const SYSTEM: Actor = { kind: "system", reason: "sub-agents" };
const DEPTH = 4;
const slices = new Map([[SUB_AGENTS_SLICE, anySlice(subAgentsSlice)]]);

function forest() {
  const sessions = new Map<SessionId, Session>();
  const outbox: { from: SessionId; effect: OutboxEffect }[] = [];
  let fresh = 0;
  function dispatch(id: SessionId, command: SessionCommand, actor: Actor): void {
    fresh += 1;
    const context = {
      nowMs: fresh,
      actor,
      fresh: [0, 1, 2, 3].map((slot) => `${fresh}-${slot}`),
      settings: { [SUB_AGENTS_SLICE]: { max: 16 } },
    };
    const done = step(sessions.get(id), command, { context, slices });
    if ("refused" in done) return;
    if (done.session === undefined) sessions.delete(id);
    else sessions.set(id, done.session);
    outbox.push(...done.outbox.map((effect) => ({ from: id, effect })));
  }
  const create = (id: SessionId, parentId?: SessionId): void =>
    dispatch(
      id,
      {
        type: "session.create",
        sessionId: id,
        agentId: "main",
        kind: parentId === undefined ? "chat" : "subagent",
        surface: "cli",
        workspace: "/w",
        title: "",
        ...(parentId === undefined ? {} : { parentId }),
      },
      SYSTEM,
    );
  const apply = (id: SessionId, command: object, actor: Actor): void =>
    dispatch(id, { type: "slice.apply", slice: SUB_AGENTS_SLICE, command: command as never }, actor);
  const carryOut = (from: SessionId, effect: OutboxEffect): void => {
    if (effect.kind === "run-turn") return runTurn(from);
    if (effect.kind === "report-to-parent") return carryReport(from, effect);
    if (effect.kind !== "carry-out") carryOrder(from, effect);
  };
  function carryReport(childId: SessionId, { parentId, stamp, outcome }: ChildReport): void {
    const seen = outcome === "running" ? { status: "running" } : { status: "ended", outcome, text: "" };
    apply(parentId, { type: "observe", childId, stamp, seen }, SYSTEM);
  }
  function carryOrder(parentId: SessionId, order: ChildOrder): void {
    if (order.kind !== "start-child" && order.kind !== "tell-child") return;
    if (order.kind === "start-child") create(order.childId, parentId);
    const { messageId, text } = order;
    dispatch(order.childId, { type: "message.send", messageId, text }, { kind: "agent", sessionId: parentId });
  }
  function runTurn(id: SessionId): void {
    const turn = sessions.get(id)?.turn;
    if (turn?.status !== "requested") return;
    const begun = { type: "turn.start", turnId: turn.turnId, node: "n", leaseUntilMs: 0, sole: true } as const;
    dispatch(id, begun, { kind: "agent", sessionId: id });
  }
  create(ROOT);
  dispatch(ROOT, { type: "message.send", messageId: MessageId.parse("msg_0"), text: "go" }, SYSTEM);
  return { sessions, outbox, dispatch, apply, carryOut };
}
type Forest = ReturnType<typeof forest>;

const childrenOf = (session: Session | undefined) =>
  SubAgentsState.parse(session?.slices[SUB_AGENTS_SLICE] ?? { children: [] }).children;

function depthOf({ sessions }: Forest, id: SessionId): number {
  const parentId = sessions.get(id)?.parentId;
  return parentId === undefined ? 0 : 1 + depthOf({ sessions } as Forest, parentId);
}

/** Whether this session or anything below it has a turn, or an order for one on its way. */
function isWorking(made: Forest, id: SessionId): boolean {
  const session = made.sessions.get(id);
  if (session === undefined) return true; // ordered, and not there yet
  return session.turn.status !== "idle" || childrenOf(session).some((child) => isWorking(made, child.id));
}

/** In order for each sender, in any order among them. */
function carryNext(made: Forest, at: number): void {
  const senders = [...new Set(made.outbox.map(({ from }) => from))];
  const from = senders[at % Math.max(1, senders.length)];
  const index = made.outbox.findIndex((item) => item.from === from);
  const [item] = index < 0 ? [] : made.outbox.splice(index, 1);
  if (item !== undefined) made.carryOut(item.from, item.effect);
}

type Op = { what: "carry" | "spawn" | "finish" | "abort"; at: number };

function act(made: Forest, { what, at }: Op): void {
  if (what === "carry") return carryNext(made, at);
  const session = [...made.sessions.values()][at % made.sessions.size];
  if (session === undefined) return;
  if (what === "abort") return made.dispatch(session.id, { type: "turn.abort" }, SYSTEM);
  const { id, turn, epoch } = session;
  if (turn.status !== "running") return;
  const agent: Actor = { kind: "agent", sessionId: id };
  const finished = { type: "turn.finish", turnId: turn.turnId, epoch, outcome: "done", message: "" } as const;
  if (what === "finish") return made.dispatch(id, finished, agent);
  if (depthOf(made, id) < DEPTH) made.apply(id, { type: "spawn", task: "look" }, agent);
}

const ops = fc.array(
  fc.record({ what: fc.constantFrom("carry", "carry", "spawn", "finish", "abort" as const), at: fc.nat(999) }),
  { minLength: 20, maxLength: 150 },
);

it("[SB-01, SB-03] whoever is seen at rest rests with everything below it, and all come to be seen at rest", () => {
  fc.assert(
    fc.property(ops, (given) => {
      const made = forest();
      for (const op of given) {
        act(made, op);
        for (const session of made.sessions.values()) {
          const seen = childrenOf(session).filter((child) => child.status === "ended");
          expect(seen.filter((child) => isWorking(made, child.id))).toEqual([]);
        }
      }
      for (let rounds = 0; rounds < 2_000 && (made.outbox.length > 0 || isWorking(made, ROOT)); rounds++) {
        act(made, { what: "carry", at: rounds });
        act(made, { what: "finish", at: rounds });
      }
      const open = [...made.sessions.values()].flatMap(childrenOf).filter((child) => child.status === "running");
      expect(open).toEqual([]);
    }),
    { numRuns: 150 },
  );
});
