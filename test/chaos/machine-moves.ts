/**
 * Moves of a random game against one session: what people, the agent, the clock and a bad network may do. A move says
 * what is tried ("approve the plan before this one"), and is made concrete against the state that it meets.
 */
import { digestOf } from "../../src/plugins/digest-of.ts";
import * as fc from "fast-check";
import type { Actor } from "../../src/protocol/actor.ts";
import { ApprovalId, OperatorId, TurnId } from "../../src/protocol/ids.ts";
import type { JsonObject } from "../../src/protocol/json.ts";
import { PlanModeState } from "../../src/plan-mode/protocol/state.ts";
import type { Session, SessionCommand } from "../../src/protocol/session.ts";
import { agent, alice, create, messageId } from "../kit/core.ts";

export type Attempt = { command: SessionCommand; actor: Actor };

export type Move =
  | { do: "message" | "start-turn" | "finish-turn" | "abort" | "fire-early" }
  | { do: "say"; calls: number }
  /** What a tool call leads to; led up to (message, turn, answer) unless it is to come out of the blue. */
  | { do: "claim" | "close-call"; ledUpTo: boolean }
  | { do: "apply"; command: JsonObject; ledUpTo: boolean }
  | { do: "plan"; command: JsonObject; by: "alice" | "bob" }
  | { do: "decide"; action: "approve" | "edit" | "reject"; on: "current" | "older" | "foreign"; by: "alice" | "agent" }
  | { do: "answer"; on: "current" | "foreign"; answer: string }
  | { do: "rename" | "reset" | "archive" }
  /** Time passes; what falls due fires. */
  | { do: "wait"; seconds: number }
  /** The process dies and the state is opened again. */
  | { do: "reopen" }
  /** An earlier request arrives once more, with its key. */
  | { do: "again"; back: number }
  /** A request is held up on its way and arrives after the next ones. */
  | { do: "hold-up"; move: Move }
  | { do: "deliver" };

const step = (n: number, status: string) => ({ step: `step ${n}`, status });
function submit(title: string): JsonObject {
  const body = { title, plan: [step(1, "pending"), step(2, "pending")] };
  return { type: "submit", body, digest: digestOf(body) };
}
const ask = { type: "ask", callId: "q", question: "Which?", options: ["one", "two"] };

const simple = fc.constantFrom<Move>(
  { do: "message" },
  { do: "start-turn" },
  { do: "start-turn" },
  { do: "finish-turn" },
  { do: "abort" },
  { do: "fire-early" },
  { do: "rename" },
);
const rare = fc.constantFrom<Move>({ do: "reset" }, { do: "archive" }, { do: "reopen" });
const ledUpTo = fc.nat(9).map((n) => n > 0);
const called = fc.record({ do: fc.constantFrom("claim" as const, "claim" as const, "close-call" as const), ledUpTo });
const applied = fc
  .constantFrom<JsonObject>(
    submit("A plan"),
    submit("Another plan"),
    submit("A third plan"),
    { type: "enter", reason: "to be safe" },
    ask,
    { type: "update", patch: { plan: [step(1, "in_progress")], merge: true } },
    { type: "update", patch: { plan: [step(1, "completed"), step(2, "cancelled")] } },
    { type: "status" },
  )
  .chain((command) => ledUpTo.map((led): Move => ({ do: "apply", command, ledUpTo: led })));
const ordered = fc
  .constantFrom<JsonObject>(
    { type: "enter", reason: "/plan on" },
    { type: "enter", reason: "/plan on" },
    { type: "leave" },
    { type: "decide", approval: { action: "auto", enabled: true } },
    { type: "decide", approval: { action: "auto", enabled: false } },
  )
  .chain((command) =>
    fc.constantFrom("alice" as const, "bob" as const).map((by): Move => ({ do: "plan", command, by })),
  );
const decided = fc.record({
  do: fc.constant("decide" as const),
  action: fc.constantFrom("approve" as const, "edit" as const, "reject" as const),
  on: fc.constantFrom("current" as const, "current" as const, "current" as const, "older" as const, "foreign" as const),
  by: fc.constantFrom("alice" as const, "alice" as const, "alice" as const, "agent" as const),
});
const answered = fc.record({
  do: fc.constant("answer" as const),
  on: fc.constantFrom("current" as const, "current" as const, "foreign" as const),
  answer: fc.constantFrom("1", "two", "neither"),
});
const said = fc.integer({ min: 1, max: 3 }).map((calls): Move => ({ do: "say", calls }));
const waited = fc.constantFrom(1, 30, 3_600).map((seconds): Move => ({ do: "wait", seconds }));
const network = fc.oneof(
  fc.nat(20).map((back): Move => ({ do: "again", back })),
  fc.oneof(decided, ordered, simple).map((move): Move => ({ do: "hold-up", move })),
  fc.constant<Move>({ do: "deliver" }),
);

export const moves = (max: number): fc.Arbitrary<Move[]> =>
  fc.array(
    fc.oneof(
      { weight: 5, arbitrary: simple },
      { weight: 8, arbitrary: applied },
      { weight: 8, arbitrary: decided },
      { weight: 5, arbitrary: called },
      { weight: 2, arbitrary: said },
      { weight: 2, arbitrary: ordered },
      { weight: 2, arbitrary: answered },
      { weight: 1, arbitrary: waited },
      { weight: 5, arbitrary: network },
      { weight: 1, arbitrary: rare },
    ),
    { minLength: 5, maxLength: max, size: "max" },
  );

const bob: Actor = { ...alice, id: OperatorId.parse("opr_bob"), name: "Bob" };
const FOREIGN = ApprovalId.parse("apr_foreign");

export type Seen = { session: Session | undefined; approvals: readonly ApprovalId[]; count: number };

/** What has to happen first so that a tool call can: someone asks, a turn starts, the model answers with calls. */
export function leadUpTo(move: Move, session: Session | undefined): Move | undefined {
  if (!("ledUpTo" in move) || !move.ledUpTo) return undefined;
  if (session?.archived === true) return { do: "archive" }; // brings it back
  if (session === undefined || session.turn.status === "idle") return { do: "message" };
  if (session.turn.status === "requested") return { do: "start-turn" };
  if (session.turn.ending || session.turn.aborting) return { do: "finish-turn" };
  return session.turn.calls.length === 0 ? { do: "say", calls: 2 } : undefined;
}

const order = (command: SessionCommand, actor: Actor = alice): Attempt => ({ command, actor });
const plan = (command: JsonObject, actor?: Actor) => order({ type: "slice.apply", slice: PLAN, command }, actor);
const as = (command: SessionCommand): Attempt => ({ command, actor: agent });

/** The request that a move makes in the state it meets. */
export function attemptOf(move: Move, seen: Seen): Attempt | undefined {
  const { session } = seen;
  if (session === undefined) return { command: create, actor: alice };
  switch (move.do) {
    case "message":
      return order({ type: "message.send", messageId: messageId(seen.count), text: `message ${seen.count}` });
    case "rename":
      return order({ type: "session.rename", title: `title ${seen.count}` });
    case "reset":
      return order({ type: "session.reset" });
    case "archive":
      return order({ type: "session.archive", archived: !session.archived });
    case "abort":
      return order({ type: "turn.abort" });
    case "plan":
      return plan(move.command, move.by === "bob" ? bob : alice);
    case "decide":
      return plan({ type: "decide", approval: decision(move, seen) }, move.by === "agent" ? { ...agent } : alice);
    case "answer":
      return plan({ type: "decide", approval: answer(move, session) });
    case "fire-early":
      return order({ type: "timer.fire", key: session.timers[0]?.key ?? "none", atMs: session.timers[0]?.atMs ?? 0 });
    default:
      return turnAttempt(move, session, seen);
  }
}

export const PLAN = "planMode";

function turnAttempt(move: Move, session: Session, seen: Seen): Attempt | undefined {
  const { turn } = session;
  const turnId = turn.status === "idle" ? TurnId.parse("trn_none") : turn.turnId;
  const on = { turnId, epoch: session.epoch };
  const calls = turn.status === "running" ? turn.calls : [];
  const callId = calls[0]?.callId ?? "none";
  switch (move.do) {
    case "start-turn":
      return as({ type: "turn.start", turnId, node: `n${seen.count}`, leaseUntilMs: LEASE_MS, sole: true });
    case "finish-turn":
      return as({ type: "turn.finish", ...on, outcome: "done", message: "" });
    case "say": {
      const made = Array.from({ length: move.calls }, (_, n) => ({
        callId: `c${seen.count}.${n}`,
        tool: "t",
        args: {},
      }));
      return as({ type: "turn.say", ...on, text: "so", calls: made });
    }
    case "claim":
      return as({ type: "call.claim", ...on, callId, kind: "file_edit", argsDigest: "d" });
    case "close-call":
      return as({ type: "call.finish", ...on, callId, status: "ok", content: "did it" });
    case "apply":
      return as({ type: "call.apply", ...on, callId, slice: PLAN, command: move.command });
    default:
      return undefined;
  }
}

const LEASE_MS = 9_999_999_999;

function planOf(session: Session | undefined): PlanModeState | undefined {
  return session === undefined ? undefined : PlanModeState.parse(session.slices[PLAN]);
}

function decision(move: Extract<Move, { do: "decide" }>, { session, approvals }: Seen): JsonObject {
  const now = planOf(session)?.now;
  const current = now !== undefined && "submission" in now ? now.submission.approvalId : (approvals.at(-1) ?? FOREIGN);
  const older = approvals.findLast((id) => id !== current) ?? FOREIGN;
  const approvalId = { current, older, foreign: FOREIGN }[move.on];
  return move.action === "reject"
    ? { action: move.action, approvalId, feedback: "not like this" }
    : { action: move.action, approvalId };
}

function answer(move: Extract<Move, { do: "answer" }>, session: Session): JsonObject {
  const asked = planOf(session)?.question;
  const approvalId = move.on === "foreign" ? FOREIGN : (asked?.approvalId ?? FOREIGN);
  return { action: "answer", approvalId, answer: move.answer };
}
