/** How facts about callers and their calls change a session. A session without callers has no field for them. */
import type { CellCaller, OpenCall, SessionCaller } from "../../protocol/calls/caller.ts";
import type { CallerId } from "../../protocol/ids.ts";
import type { EventOf, Session, SessionEvent, TurnIn } from "../../protocol/session.ts";
import { never } from "../never.ts";

export type CallerEvent = Extract<SessionEvent, { type: `caller.${string}` | "call.opened" }>;

export function evolveCallers(session: Session, event: CallerEvent): Session {
  switch (event.type) {
    case "caller.opened":
      return opened(session, event.caller);
    case "caller.renewed":
      return onCaller(session, event.callerId, (caller) => renewed(caller, event.leaseUntilMs));
    case "caller.suspended":
      return onCaller(session, event.callerId, (caller) => suspended(caller, event.keptUntilMs));
    case "caller.resumed":
      return resumed(session, event);
    case "caller.closed":
      return withCallers(
        session,
        (session.callers ?? []).filter(({ id }) => id !== event.caller.id),
      );
    case "call.opened": {
      const { callId, tool } = event;
      return onCaller(session, event.caller.id, (caller) => ({
        ...caller,
        callCount: caller.callCount + 1,
        calls: [...caller.calls, { callId, tool, claimed: false }],
      }));
    }
    default:
      return never(event);
  }
}

/** A caller claimed a call. A change made by a cell counts as a change of its turn. */
export function claimedByCaller(session: Session, { caller, callId }: EventOf<"call.claimed">): Session {
  if (caller === undefined) return session;
  const next = onCaller(session, caller.id, (one) => ({ ...one, calls: markClaimed(one.calls, callId) }));
  if (caller.kind !== "cell" || next.turn.status !== "running") return next;
  return { ...next, turn: { ...next.turn, mutated: true } };
}

export function closedByCaller(session: Session, { caller, callId }: EventOf<"call.closed">): Session {
  if (caller === undefined) return session;
  return onCaller(session, caller.id, (one) =>
    rested({ ...one, calls: one.calls.filter((call) => call.callId !== callId) }),
  );
}

export const markClaimed = (calls: readonly OpenCall[], callId: string): OpenCall[] =>
  calls.map((call) => (call.callId === callId ? { ...call, claimed: true } : call));

/** The call in which a cell begins counts as started: after a crash it is unknown, and the cell does not begin twice. */
function opened(session: Session, caller: SessionCaller): Session {
  const next = { ...withCallers(session, [...(session.callers ?? []), caller]), callerEpoch: caller.epoch };
  return caller.kind === "cell" ? { ...next, turn: begunIn(next.turn, caller.parent) } : next;
}

function begunIn(turn: Session["turn"], { turnId, callId }: CellCaller["parent"]): Session["turn"] {
  if (turn.status !== "running" || turn.turnId !== turnId) return turn;
  return { ...turn, calls: markClaimed(turn.calls, callId) } satisfies TurnIn<"running">;
}

function resumed(session: Session, event: EventOf<"caller.resumed">): Session {
  const { callerId, epoch, node, leaseUntilMs, parent } = event;
  const next = onCaller(session, callerId, (caller) =>
    caller.kind === "cell" ? { ...caller, epoch, parent, life: { status: "running", node, leaseUntilMs } } : caller,
  );
  const callerEpoch = Math.max(epoch, session.callerEpoch ?? 0);
  return { ...next, callerEpoch, turn: begunIn(next.turn, parent) };
}

function renewed(caller: SessionCaller, leaseUntilMs: number): SessionCaller {
  if (caller.kind === "external") return { ...caller, life: { ...caller.life, leaseUntilMs } };
  return caller.life.status === "suspended" ? caller : { ...caller, life: { ...caller.life, leaseUntilMs } };
}

function suspended(caller: SessionCaller, keptUntilMs: number): SessionCaller {
  if (caller.kind !== "cell" || caller.life.status === "suspended") return caller;
  const { node, leaseUntilMs } = caller.life;
  return rested({ ...caller, life: { status: "settling", node, leaseUntilMs, keptUntilMs } });
}

/** A suspended cell without open calls needs no holder. */
function rested(caller: SessionCaller): SessionCaller {
  if (caller.kind !== "cell" || caller.life.status !== "settling" || caller.calls.length > 0) return caller;
  return { ...caller, life: { status: "suspended", keptUntilMs: caller.life.keptUntilMs } };
}

function onCaller(session: Session, id: CallerId, change: (caller: SessionCaller) => SessionCaller): Session {
  return withCallers(
    session,
    (session.callers ?? []).map((caller) => (caller.id === id ? change(caller) : caller)),
  );
}

export function withCallers(session: Session, callers: SessionCaller[]): Session {
  if (callers.length > 0) return { ...session, callers };
  if (session.callers === undefined) return session;
  const { callers: _none, ...rest } = session;
  return rest;
}
