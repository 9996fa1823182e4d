/**
 * Turns. A turn belongs to the node that holds its lease: every command names the epoch it was leased under, and one that
 * names an older epoch is refused, so a node that was paused cannot write over its successor. What becomes of its calls
 * is decided in calls/decide-call.ts.
 */
import type { CallerCommand } from "../protocol/calls/call-commands.ts";
import { refuse } from "../protocol/refusal.ts";
import {
  messageOf,
  noticeOf,
  type LocalizedText,
  localizedTextOf,
  localized,
} from "../protocol/localized/localized-text.ts";
import type { CommandOf, OpenCall, Session, SessionCommand } from "../protocol/session.ts";
import { type Entry, ENTRY_CHARS_MAX } from "../protocol/transcript-entry.ts";
import { endCellsIn, ended } from "./calls/caller-ends.ts";
import { type CallOutcome, decideCall, type Holder } from "./calls/decide-call.ts";
import { withCallers } from "./calls/evolve-callers.ts";
import { decideCompact, continueUnattended, decideNote, decideSteer, decideUrge } from "./decide-talk.ts";
import { authorOf, type Decision, type Draft, facts, requestTurn, type Running, type World } from "./decision.ts";
import type { Context } from "./slice.ts";
import { turnInput } from "./turn-input.ts";

type TurnCommand = Exclude<Extract<SessionCommand, { type: `turn.${string}` | `call.${string}` }>, CallerCommand>;

export function decideTurn(session: Session, command: TurnCommand, world: World): Decision {
  if (command.type === "turn.start") return start(session, command, world);
  if (command.type === "turn.abort") return abort(session, world.context);
  const { turn } = session;
  if (turn.status !== "running" || turn.turnId !== command.turnId) {
    return refuse("TURN_NOT_RUNNING", `Turn ${command.turnId} is not running in this session.`);
  }
  if (session.epoch !== command.epoch)
    return refuse("LEASE_LOST", `Epoch ${command.epoch} is over; another node holds this turn.`);
  return decideRunning({ session, turn }, command, world);
}

type RunningCommand = Exclude<TurnCommand, { type: "turn.start" | "turn.abort" }>;

function decideRunning(running: Running, command: RunningCommand, world: World): Decision {
  switch (command.type) {
    case "turn.renew":
      return facts({ type: "turn.renewed", leaseUntilMs: command.leaseUntilMs });
    case "turn.say":
      return sayAnswer(running, command);
    case "turn.finish":
      return finish(running, command, world);
    case "turn.steer":
      return decideSteer(running);
    case "turn.urge":
      return decideUrge(running, command, world);
    case "turn.compact":
      return decideCompact(running, command, world);
    case "turn.note":
      return decideNote(command);
    default:
      return decideCall(holderOf(running), command, world);
  }
}

function start(session: Session, command: CommandOf<"turn.start">, world: World): Decision {
  const { turn } = session;
  if (turn.status === "running" && turn.turnId === command.turnId)
    return takeOver({ session, turn }, command, world.context);
  if (turn.status !== "requested" || turn.turnId !== command.turnId) {
    return refuse("TURN_NOT_RUNNING", `Turn ${command.turnId} is not waiting to be started.`);
  }
  const { turnId, node, leaseUntilMs } = command;
  const begun: Draft = { type: "turn.started", turnId, epoch: session.epoch + 1, node, leaseUntilMs };
  const input = turnInput(session, world, command.prepared);
  if (input === undefined) return facts(begun, { type: "turn.finished", turnId, outcome: "empty", message: "" });
  return facts(begun, { type: "entry.appended", entry: { kind: "input", turnId, ...input } });
}

/** The input of the turn was recorded when it first started, so its successor receives the same text. */
function takeOver({ session, turn }: Running, command: CommandOf<"turn.start">, context: Context): Decision {
  const { turnId, node, leaseUntilMs } = command;
  if (!command.sole && turn.node !== node && turn.leaseUntilMs > context.nowMs) {
    return refuse("LEASE_LOST", `Node ${turn.node} holds this turn.`);
  }
  const { closings, notices } = orphaned(session, "stopped");
  return facts(
    { type: "turn.taken-over", turnId, epoch: session.epoch + 1, node, leaseUntilMs },
    ...closings,
    ...notices,
  );
}

/** Closes claimed calls that nobody will report on as unknown: they are never started again, and people see a notice. */
export function orphaned(session: Session, cause: Orphaning): { closings: Draft[]; notices: Draft[] } {
  const { turn, callers = [] } = session;
  const lost = cause === "stopped" ? [] : callers.map((caller) => ended(caller, cause));
  const orphans = turn.status === "running" ? turn.calls.filter((call) => call.claimed) : [];
  // callers that end here must not be ended again by a closed call
  const alone = cause === "stopped" ? session : withCallers(session, []);
  const outcome = { status: "unknown", content: unknownOutcome(cause) } as const;
  return {
    closings: [
      ...lost.flatMap(({ closings }) => closings),
      ...(turn.status === "running" ? orphans.flatMap((call) => closed({ session: alone, turn }, call, outcome)) : []),
    ],
    notices: [
      ...lost.flatMap(({ notices }) => notices),
      ...orphans.map((call): Draft => ({
        type: "entry.appended",
        entry: { kind: "notice", ...noticeOf(unknownNotice(call, cause)) },
      })),
    ],
  };
}

type Orphaning = "stopped" | "reset" | "deleted";

const CAUSES: Readonly<Record<Orphaning, string>> = {
  stopped: "The gateway stopped",
  reset: "The session was reset",
  deleted: "The session was deleted",
};

const unknownOutcome = (cause: Orphaning): string =>
  `${CAUSES[cause]} while this call ran. Whether it took effect is unknown and it was not run again: look before you repeat it.`;
const unknownNotice = ({ tool }: OpenCall, cause: Orphaning): LocalizedText =>
  cause === "stopped" ? localized("unknownStopped", { tool }) : localized("unknownReset", { tool });

function sayAnswer({ turn }: Running, command: CommandOf<"turn.say">): Decision {
  if (turn.calls.length > 0) return refuse("CALL_NOT_OPEN", "Calls of the last answer have no results yet.");
  const { type: _type, epoch: _epoch, ...said } = command;
  const { turnId, calls } = said;
  const entry: Entry = { kind: "assistant", ...said };
  if (JSON.stringify(entry).length > ENTRY_CHARS_MAX) {
    return refuse("ENTRY_TOO_LARGE", localized("answerTooLarge", { max: ENTRY_CHARS_MAX }));
  }
  if (turn.aborting && calls.length > 0) {
    return refuse("TURN_NOT_RUNNING", "The turn is being stopped.");
  }
  const opened = calls.map(({ callId, tool }) => ({ callId, tool }));
  return facts({ type: "entry.appended", entry }, { type: "turn.said", turnId, calls: opened });
}

function finish({ session, turn }: Running, command: CommandOf<"turn.finish">, world: World): Decision {
  const { turnId, outcome } = command;
  const words = localizedTextOf(command);
  const skipped = turn.calls.flatMap((call) =>
    closed(
      { session, turn },
      call,
      call.claimed
        ? { status: "unknown", content: unknownOutcome("stopped") }
        : { status: "skipped", content: SKIPPED },
    ),
  );
  const level = outcome === "failed" ? ({ level: "error" } as const) : {};
  const notice: Draft[] =
    words.text === "" ? [] : [{ type: "entry.appended", entry: { kind: "notice", ...noticeOf(words), ...level } }];
  const finished: Draft = { type: "turn.finished", turnId, outcome, ...messageOf(words) };
  if (session.stopped === true) return facts(...skipped, ...notice, finished);
  const more = turn.again || session.inbox.length > 0;
  const by = {
    attended: turn.againAttended === true || hasWords(session),
    continues: turn.againContinues,
    lent: turn.againLent === true || session.inbox.some((message) => message.lent === true),
  };
  if (more) return facts(...skipped, ...notice, finished, requestTurn(world.context, "queued", by));
  const next = outcome === "done" && skipped.length === 0 ? continueUnattended({ session, turn }, world) : [];
  return facts(...skipped, ...notice, finished, ...next);
}

/** A person's message waits for the next turn. */
const hasWords = ({ inbox }: Session): boolean => inbox.some((message) => message.attended === true);

const SKIPPED = "Not run: the turn ended before this call.";

function abort(session: Session, context: Context): Decision {
  if (session.turn.status === "idle") return refuse("TURN_NOT_RUNNING", "No turn is running in this session.");
  const by = authorOf(context);
  if (session.turn.status === "running") return facts({ type: "turn.aborting", by });
  return facts({ type: "turn.finished", turnId: session.turn.turnId, outcome: "aborted", message: "" });
}

/** The turn as the holder of its calls. */
const holderOf = (running: Running): Holder => ({
  session: running.session,
  calls: running.turn.calls,
  epoch: running.session.epoch,
  ...(running.turn.aborting || running.turn.ending ? { held: ENDING } : {}),
  closed: (call, outcome) => closed(running, call, outcome),
});

const ENDING = refuse("TURN_NOT_RUNNING", "The turn is ending; no further change starts in it.");

function closed({ session, turn }: Running, call: OpenCall, { status, content }: CallOutcome): Draft[] {
  const { callId, tool } = call;
  return [
    ...endCellsIn(session, callId),
    { type: "entry.appended", entry: { kind: "result", turnId: turn.turnId, callId, tool, status, content } },
    { type: "call.closed", callId, tool, status },
  ];
}
