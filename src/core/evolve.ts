/** How each fact changes a session. Total and free of judgement: what may happen was settled in `decide`. */
import type { Injection } from "../protocol/injection.ts";
import type { Session, SessionEvent, Spent, Turn, TurnIn } from "../protocol/session.ts";
import type { Entry } from "../protocol/transcript-entry.ts";
import { backing } from "./held/attendance.ts";
import {
  type CallerEvent,
  claimedByCaller,
  closedByCaller,
  evolveCallers,
  markClaimed,
  withCallers,
} from "./calls/evolve-callers.ts";
import { AUTO_CONTINUE } from "./injections.ts";
import { never } from "./never.ts";
import type { SliceRegistry } from "./slice.ts";

/** `undefined` after a deletion: a session that is gone has no state. */
export function evolve(session: Session | undefined, event: SessionEvent, slices: SliceRegistry): Session | undefined {
  if (event.type === "session.created") return event.session;
  if (session === undefined) throw new Error(`${event.type} before session.created`);
  switch (event.type) {
    case "session.renamed":
      return { ...session, title: event.title };
    case "session.archived":
      return { ...session, archived: event.archived };
    case "session.reset":
      return withCallers({ ...session, ...emptied(session, slices) }, []);
    case "session.deleted":
      return undefined;
    case "session.stopped":
      return { ...quieted(session), ...settledOrder(event), stopped: true };
    case "session.ordered":
      return { ...awake(session), ...settledOrder(event) };
    case "slice.changed":
      return changeSlice(session, event, slices);
    case "slice.dropped":
      return { ...session, slices: withoutSlice(session, event.slice) };
    case "entry.appended":
      return { ...session, entryCount: event.n, ...spentBy(session, event.entry), ...coveredBy(event.entry) };
    case "timer.set":
      return { ...session, timers: [...withoutTimer(session, event.timer.key), event.timer] };
    case "timer.cleared":
      return { ...session, timers: withoutTimer(session, event.key) };
    case "message.queued":
      return { ...session, inbox: [...session.inbox, event.message] };
    case "injection.queued":
      return { ...session, injections: replaceInjection(session.injections, event.injection) };
    case "injection.dropped":
      return { ...session, injections: session.injections.filter((item) => item.id !== event.id) };
    case "caller.opened":
    case "caller.renewed":
    case "caller.suspended":
    case "caller.resumed":
    case "caller.closed":
    case "call.opened":
      return evolveCallers(session, event);
    default:
      return evolveTurn(session, event);
  }
}

/** Adds the usage of an answer to the session's totals. */
function spentBy({ spent = NOTHING_SPENT }: Session, entry: Entry): Pick<Session, "spent"> {
  if (entry.kind !== "assistant" || entry.usage === undefined) return {};
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, costUsd } = entry.usage;
  return {
    spent: {
      inputTokens: spent.inputTokens + inputTokens,
      outputTokens: spent.outputTokens + outputTokens,
      cacheReadTokens: spent.cacheReadTokens + cacheReadTokens,
      cacheWriteTokens: spent.cacheWriteTokens + cacheWriteTokens,
      costUsd: spent.costUsd + (costUsd ?? 0),
      answers: spent.answers + 1,
      answersWithoutPrice: spent.answersWithoutPrice + (costUsd === null ? 1 : 0),
    },
  };
}

const NOTHING_SPENT: Spent = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  costUsd: 0,
  answers: 0,
  answersWithoutPrice: 0,
};

/** A summary takes the place of what it covers. */
const coveredBy = (entry: Entry): Pick<Session, "compactedTo"> =>
  entry.kind === "summary" ? { compactedTo: entry.upTo } : {};

type TurnEvent = Exclude<Extract<SessionEvent, { type: `turn.${string}` | `call.${string}` }>, CallerEvent>;

function evolveTurn(session: Session, event: TurnEvent): Session {
  switch (event.type) {
    case "turn.requested":
      return { ...session, turn: requested(session, event) };
    case "turn.started":
      return {
        ...session,
        epoch: event.epoch,
        turnCount: session.turnCount + 1,
        unattendedTurns: isUnattended(session) ? (session.unattendedTurns ?? 0) : 0,
        inbox: [],
        injections: [],
        turn: started(event, session),
      };
    case "turn.taken-over":
      return { ...session, epoch: event.epoch, turn: takenOver(session, event) };
    case "turn.finished":
      return ended(session, event);
    case "turn.steered":
      return steered(session, event);
    case "turn.continued":
      return { ...session, unattendedTurns: event.unattendedTurns };
    case "turn.renewed":
      return onRunning(session, () => ({ leaseUntilMs: event.leaseUntilMs }));
    case "turn.ending":
      return onRunning(session, () => ({ ending: true }));
    case "turn.aborting":
      return onRunning(session, () => ({ aborting: true }));
    case "call.claimed":
      if (event.caller !== undefined) return claimedByCaller(session, event);
      return onRunning(session, (turn) => ({ mutated: true, calls: markClaimed(turn.calls, event.callId) }));
    case "call.closed":
      if (event.caller !== undefined) return closedByCaller(session, event);
      return onRunning(session, (turn) => ({ calls: turn.calls.filter((call) => call.callId !== event.callId) }));
    case "call.refused":
    case "call.rewritten":
      return session;
    case "turn.said":
      return onRunning(session, () => ({
        calls: event.calls.map(({ callId, tool }) => ({ callId, tool, claimed: false })),
      }));
    default:
      return never(event);
  }
}

/** A turn that was stopped, or found nothing to do, tells nothing about the model. */
function ended({ failed, ...session }: Session, { outcome }: Extract<TurnEvent, { type: "turn.finished" }>): Session {
  const isFailed = outcome === "failed" || (failed === true && outcome !== "done");
  return { ...session, turn: { status: "idle" }, ...(isFailed ? { failed: true } : {}) };
}

/** True when only the gateway itself requested the turn that begins. */
const isUnattended = ({ inbox, injections }: Session): boolean =>
  inbox.length === 0 && injections.every((injection) => injection.kind === AUTO_CONTINUE);

/** Input that this turn took up requests no further turn; what still waits does. */
function steered(session: Session, { messageIds }: Extract<TurnEvent, { type: "turn.steered" }>): Session {
  const inbox = session.inbox.filter((message) => !messageIds.includes(message.id));
  const again = inbox.length > 0 || session.injections.length > 0;
  const isAttended = session.inbox.some((message) => message.attended === true && messageIds.includes(message.id));
  const lent = session.inbox.some((message) => message.lent === true && messageIds.includes(message.id));
  const by = backing({ attended: isAttended, lent });
  return onRunning({ ...session, inbox, unattendedTurns: 0 }, () => ({ again, ...by }));
}

function onRunning(session: Session, change: (turn: TurnIn<"running">) => Partial<TurnIn<"running">>): Session {
  if (session.turn.status !== "running") return session;
  return { ...session, turn: { ...session.turn, ...change(session.turn) } };
}

function requested(session: Session, event: Extract<TurnEvent, { type: "turn.requested" }>): Turn {
  const { turn } = session;
  if (session.stopped === true) return turn;
  const { turnId, cause } = event;
  switch (turn.status) {
    case "running":
      return { ...turn, again: true, ...backedAgain(turn, event) };
    case "requested":
      return { ...turn, ...backing(event) };
    case "idle":
      if (session.kind === "external") return turn; // its agent runs outside: nothing here runs a turn
      return { status: "requested", turnId, cause, atMs: session.updatedAtMs, ...backing(event) };
    default:
      return never(turn);
  }
}

/** A message carries its own attendance and may be taken up before the next turn; every other cause is noted here. */
function backedAgain(turn: TurnIn<"running">, event: Extract<TurnEvent, { type: "turn.requested" }>) {
  const isAttended = event.attended === true && event.cause !== "message";
  return {
    ...(isAttended || turn.againAttended === true ? { againAttended: true } : {}),
    ...(event.continues === true || turn.againContinues === true ? { againContinues: true } : {}),
    ...((event.lent === true && event.cause !== "message") || turn.againLent === true ? { againLent: true } : {}),
  };
}

/** Nothing waits any more that could begin a turn. */
function quieted(session: Session): Session {
  const empty = { ...session, inbox: [], injections: [] };
  if (session.turn.status !== "running") return empty;
  const { againAttended: _attended, againContinues: _continues, againLent: _lent, ...turn } = session.turn;
  return { ...empty, turn: { ...turn, again: false } };
}

function awake({ stopped: _stopped, ...session }: Session): Session {
  return session;
}

const settledOrder = ({ order }: { order?: number | undefined }): Pick<Session, "ordered"> =>
  order === undefined ? {} : { ordered: order };

function started(event: Extract<TurnEvent, { type: "turn.started" }>, { turn, updatedAtMs }: Session): Turn {
  const { turnId, node, leaseUntilMs } = event;
  const fresh = { attempt: 1, ending: false, aborting: false, again: false, calls: [] };
  const by = turn.status === "requested" ? backing(turn) : {};
  return { status: "running", turnId, node, leaseUntilMs, startedAtMs: updatedAtMs, ...fresh, ...by };
}

function takenOver(session: Session, event: Extract<TurnEvent, { type: "turn.taken-over" }>): Turn {
  if (session.turn.status !== "running") return session.turn;
  return { ...session.turn, node: event.node, leaseUntilMs: event.leaseUntilMs, attempt: session.turn.attempt + 1 };
}

/** A reset keeps the session's name and place and forgets the rest; the epochs stay, so that what is old stays fenced off. */
function emptied(session: Session, slices: SliceRegistry): Partial<Session> {
  const initial = Object.fromEntries([...slices.values()].map((slice) => [slice.name, slice.initial]));
  return {
    epoch: session.epoch + 1,
    historyFrom: session.entryCount,
    turn: { status: "idle" },
    inbox: [],
    injections: [],
    timers: [],
    slices: initial,
  };
}

function changeSlice(
  session: Session,
  event: Extract<SessionEvent, { type: "slice.changed" }>,
  slices: SliceRegistry,
): Session {
  const slice = slices.get(event.slice);
  if (slice === undefined) return session; // a disabled plugin's facts stay in the log and move nothing
  const before = session.slices[slice.name] ?? slice.initial;
  return { ...session, slices: { ...session.slices, [slice.name]: slice.evolve(before, event.event) } };
}

function withoutSlice({ slices }: Session, name: string): Session["slices"] {
  const { [name]: _gone, ...rest } = slices;
  return rest;
}

const withoutTimer = (session: Session, key: string) => session.timers.filter((timer) => timer.key !== key);
const replaceInjection = (queue: readonly Injection[], injection: Injection) => [
  ...queue.filter((item) => item.id !== injection.id),
  injection,
];
