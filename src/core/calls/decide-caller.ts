/**
 * Callers besides the turn. Each shows the epoch of its lease with every command: one whose lease is over, was taken by
 * somebody else or never was, is refused, so that nobody claims or records anything after its end was recorded.
 */
import {
  CALLER_CALLS_MAX,
  CALLER_LEASE_MS_MAX,
  CALLERS_MAX,
  CELL_KEPT_MS_MAX,
  type CellCaller,
  type SessionCaller,
} from "../../protocol/calls/caller.ts";
import type { CallerCommand } from "../../protocol/calls/call-commands.ts";
import { refuse, type Refused } from "../../protocol/refusal.ts";
import { type CommandOf, type Session, type SessionCommand, TIMERS_MAX } from "../../protocol/session.ts";
import { type Entry, ENTRY_CHARS_MAX } from "../../protocol/transcript-entry.ts";
import { type Decision, type Draft, facts, type World } from "../decision.ts";
import { abandoned, CALLERS_TIMER, closedByCaller, ended, refOf, timerFor } from "./caller-ends.ts";
import { decideCall, type Holder } from "./decide-call.ts";

export const isOfCaller = (command: SessionCommand): command is CallerCommand =>
  "caller" in command || command.type === "caller.open" || command.type === "caller.resume";

export function decideCaller(session: Session, command: CallerCommand, world: World): Decision {
  if (command.type === "caller.open") return open(session, command, world);
  if (command.type === "caller.resume") return resume(session, command, world);
  const caller = session.callers?.find(({ id }) => id === command.caller.id);
  const lost = fenced(caller, command.caller.epoch, world.context.nowMs);
  if (caller === undefined || lost !== undefined) return lost ?? GONE;
  switch (command.type) {
    case "caller.renew":
      return renew(caller, command, world);
    case "caller.suspend":
      return suspend(session, { caller, command }, world);
    case "caller.close":
      return close(session, caller);
    case "call.open":
      return openCall(session, caller, command);
    default:
      return decideCall(holderOf(session, caller), command, world);
  }
}

const ARCHIVED = refuse("SESSION_ARCHIVED", "This session is archived; bring it back before using it.");
const GONE = refuse("LEASE_LOST", "This caller is not open in this session.");

function fenced(caller: SessionCaller | undefined, epoch: number, nowMs: number): Refused | undefined {
  if (caller === undefined) return GONE;
  if (caller.epoch !== epoch) return refuse("LEASE_LOST", `Epoch ${epoch} of caller ${caller.id} is over.`);
  if (caller.life.status === "suspended") return refuse("LEASE_LOST", `Caller ${caller.id} is suspended.`);
  if (caller.life.leaseUntilMs <= nowMs) return refuse("LEASE_LOST", `The lease of caller ${caller.id} ran out.`);
  return undefined;
}

function holderOf(session: Session, caller: SessionCaller): Holder {
  const held = cannotStart(session, caller);
  return {
    session,
    calls: caller.calls,
    epoch: caller.epoch,
    caller: refOf(caller),
    ...(held === undefined ? {} : { held }),
    closed: (call, outcome) => closedByCaller(caller, call, outcome),
  };
}

/** A cell starts nothing that its turn could not start. */
function cannotStart(session: Session, caller: SessionCaller): Refused | undefined {
  if (caller.life.status !== "running") return refuse("TURN_NOT_RUNNING", `Caller ${caller.id} is suspended.`);
  if (caller.kind === "cell") return parentProblem(session, caller.parent);
  return session.archived ? ARCHIVED : undefined; // a turn comes to its end, an agent outside does not
}

function parentProblem({ turn }: Session, { turnId, callId }: CellCaller["parent"]): Refused | undefined {
  if (turn.status !== "running" || turn.turnId !== turnId)
    return refuse("TURN_NOT_RUNNING", `Turn ${turnId} is not running in this session.`);
  if (turn.aborting || turn.ending)
    return refuse("TURN_NOT_RUNNING", "The turn is ending; no further change starts in it.");
  return turn.calls.some((call) => call.callId === callId)
    ? undefined
    : refuse("CALL_NOT_OPEN", `Call ${callId} is not open in this turn.`);
}

type InCall = Pick<CommandOf<"caller.resume">, "parent" | "turnEpoch">;

/** Only the holder of the turn may run a cell in one of its calls, and only one cell in each. */
function cellProblem(session: Session, { parent, turnEpoch }: InCall): Refused | undefined {
  const problem = parentProblem(session, parent);
  if (problem !== undefined) return problem;
  if (session.epoch !== turnEpoch)
    return refuse("LEASE_LOST", `Epoch ${turnEpoch} is over; another node holds the turn.`);
  const isTaken = session.callers?.some(
    (caller) => caller.kind === "cell" && caller.life.status === "running" && caller.parent.callId === parent.callId,
  );
  return isTaken === true ? refuse("SESSION_BUSY", `A cell runs in call ${parent.callId} already.`) : undefined;
}

const leaseFor = (askedMs: number, nowMs: number): number => Math.min(askedMs, nowMs + CALLER_LEASE_MS_MAX);

function open(session: Session, command: CommandOf<"caller.open">, { context }: World): Decision {
  const { callerId: id, node } = command;
  if (session.archived) return ARCHIVED;
  const { room, callers } = roomIn(session);
  if (callers.some((caller) => caller.id === id)) return refuse("SESSION_BUSY", `Caller ${id} is open already.`);
  if (callers.length >= CALLERS_MAX) return refuse("SESSION_BUSY", `A session has at most ${CALLERS_MAX} callers.`);
  const isTimerSet = session.timers.some((timer) => timer.key === CALLERS_TIMER);
  if (!isTimerSet && session.timers.length >= TIMERS_MAX)
    return refuse("SESSION_BUSY", `A session has at most ${TIMERS_MAX} timers.`);
  const problem = command.kind === "cell" ? cellProblem(session, command) : undefined;
  if (problem !== undefined) return problem;
  const epoch = nextEpoch(session);
  const fresh = { id, epoch, openedAtMs: context.nowMs, callCount: 0, calls: [] };
  const life = { status: "running", node, leaseUntilMs: leaseFor(command.leaseUntilMs, context.nowMs) } as const;
  const caller: SessionCaller =
    command.kind === "cell"
      ? { kind: "cell", ...fresh, parent: command.parent, life }
      : { kind: "external", ...fresh, connection: command.connection, life };
  return {
    events: [...room, { type: "caller.opened", caller }, ...timerFor(session, [...callers, caller])],
    reply: { callerId: id, epoch },
  };
}

/** The oldest suspended cell makes room: nothing of it is under way, and where it is resumed it gets another caller. */
function roomIn({ callers = [] }: Session): { room: Draft[]; callers: SessionCaller[] } {
  const settled = callers.length < CALLERS_MAX ? undefined : callers.find(({ life }) => life.status === "suspended");
  if (settled === undefined) return { room: [], callers };
  const { closings, notices } = ended(settled, "closed");
  return { room: [...closings, ...notices], callers: callers.filter((caller) => caller !== settled) };
}

const nextEpoch = ({ callerEpoch = 0 }: Session): number => callerEpoch + 1;

/** A lease can be made longer, never shorter: the timer is not moved, and may ring early but not late. */
function renew(caller: SessionCaller, command: CommandOf<"caller.renew">, { context }: World): Decision {
  if (caller.life.status === "suspended") return GONE;
  const untilMs = leaseFor(command.leaseUntilMs, context.nowMs);
  const leaseUntilMs = Math.max(untilMs, caller.life.leaseUntilMs);
  return facts({ type: "caller.renewed", callerId: caller.id, leaseUntilMs });
}

function suspend(
  session: Session,
  { caller, command }: { caller: SessionCaller; command: CommandOf<"caller.suspend"> },
  { context }: World,
): Decision {
  if (caller.kind !== "cell") return refuse("INVALID_REQUEST", "Only a cell can be suspended.");
  if (caller.life.status !== "running") return refuse("SESSION_BUSY", `Caller ${caller.id} is suspended already.`);
  const keptUntilMs = Math.min(command.keptUntilMs, context.nowMs + CELL_KEPT_MS_MAX);
  if (keptUntilMs <= context.nowMs)
    return refuse("INVALID_REQUEST", "A cell is kept until a moment that is still to come.");
  const { node, leaseUntilMs } = caller.life;
  const after: CellCaller = { ...caller, life: { status: "settling", node, leaseUntilMs, keptUntilMs } };
  return facts(
    { type: "caller.suspended", callerId: caller.id, keptUntilMs },
    ...timerFor(session, [...others(session, caller), after]),
  );
}

/**
 * The present holder resumes it under the same epoch. Anybody else can do so only when its lease has ended, and gets a
 * new epoch; calls that were claimed before then become unknown.
 */
function resume(session: Session, command: CommandOf<"caller.resume">, { context }: World): Decision {
  const { callerId, node, parent } = command;
  const cell = session.callers?.find(({ id }) => id === callerId);
  if (cell?.kind !== "cell") return GONE;
  const taking = takingOf(cell, command, context.nowMs);
  const problem = "refused" in taking ? taking : cellProblem(session, command);
  if ("refused" in taking || problem !== undefined) return problem ?? GONE;
  const leaseUntilMs = leaseFor(command.leaseUntilMs, context.nowMs);
  const epoch = taking.isOwn ? cell.epoch : nextEpoch(session);
  const left = taking.isOwn ? { closings: [], notices: [] } : abandoned(cell, "expired");
  const unknown = taking.isOwn ? [] : cell.calls.flatMap((call) => (call.claimed ? [call.callId] : []));
  const after: CellCaller = { ...cell, epoch, parent, life: { status: "running", node, leaseUntilMs } };
  return {
    events: [
      ...left.closings,
      { type: "caller.resumed", callerId, epoch, node, leaseUntilMs, parent },
      ...left.notices,
      ...timerFor(session, [...others(session, cell), after]),
    ],
    reply: { callerId, epoch, unknown },
  };
}

function takingOf(
  { id, life, epoch }: CellCaller,
  command: CommandOf<"caller.resume">,
  nowMs: number,
): { isOwn: boolean } | Refused {
  if (life.status === "running") return refuse("SESSION_BUSY", `Caller ${id} is running.`);
  if (life.keptUntilMs <= nowMs) return GONE;
  if (life.status === "suspended" || life.leaseUntilMs <= nowMs) return { isOwn: false };
  if (command.epoch === epoch) return { isOwn: true };
  if (command.sole && life.node !== command.node) return { isOwn: false };
  return refuse("LEASE_LOST", `Node ${life.node} holds this caller.`);
}

const others = ({ callers = [] }: Session, { id }: SessionCaller): SessionCaller[] =>
  callers.filter((caller) => caller.id !== id);

function close(session: Session, caller: SessionCaller): Decision {
  const { closings, notices } = ended(caller, "closed");
  return facts(...closings, ...notices, ...timerFor(session, others(session, caller)));
}

function openCall(session: Session, caller: SessionCaller, command: CommandOf<"call.open">): Decision {
  const problem = cannotStart(session, caller);
  if (problem !== undefined) return problem;
  const openCount = (session.callers ?? []).reduce((count, { calls }) => count + calls.length, 0);
  if (openCount >= CALLER_CALLS_MAX)
    return refuse("SESSION_BUSY", `At most ${CALLER_CALLS_MAX} calls of callers are open in a session.`);
  const { tool, args } = command;
  const callId = `${caller.id}/${caller.epoch}.${caller.callCount + 1}`; // no later lease has this epoch
  const ref = command.ref === undefined ? {} : { ref: command.ref };
  const under = caller.kind === "cell" ? { parentCallId: caller.parent.callId } : {};
  const by = refOf(caller);
  const entry: Entry = { kind: "call", caller: by, ...under, callId, tool, args, ...ref };
  if (JSON.stringify(entry).length > ENTRY_CHARS_MAX)
    return refuse("ENTRY_TOO_LARGE", `A call and its arguments have at most ${ENTRY_CHARS_MAX} characters.`);
  return {
    events: [
      { type: "entry.appended", entry },
      { type: "call.opened", caller: by, callId, tool, ...ref },
    ],
    reply: { callId },
  };
}
