/**
 * Turns and the calls in them. A turn belongs to the node that holds its lease: every command names the epoch it was
 * leased under, and one that names an older epoch is refused, so a node that was paused cannot write over its successor.
 *
 *   call:  open ──claim──▶ claimed ──finish──▶ closed       (mutating: claimed in the store before it starts)
 *           └──finish · refuse · apply──────▶ closed        (reading, refused, or a command of a slice)
 *                    claimed ──node died──▶ closed as "unknown", never started again
 */
import type { Json } from "../protocol/json.ts";
import { refuse } from "../protocol/refusal.ts";
import { messageOf, noticeOf, say, type Words, wordsOf } from "../protocol/said/say.ts";
import type { CommandOf, OpenCall, Session, SessionCommand } from "../protocol/session.ts";
import { type CallStatus, type Entry, ENTRY_CHARS_MAX } from "../protocol/transcript.ts";
import { compact, continued, note, steer, urge } from "./decide-talk.ts";
import {
  applySlice,
  authorOf,
  type Decision,
  type Draft,
  facts,
  requestTurn,
  type Running,
  type World,
} from "./decision.ts";
import { askGuards, claimFacts } from "./guards.ts";
import { refuseHeld } from "./hold.ts";
import { never } from "./never.ts";
import type { Context, GatedCall } from "./slice.ts";
import { turnInput } from "./turn-input.ts";

type TurnCommand = Extract<SessionCommand, { type: `turn.${string}` | `call.${string}` }>;

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
      return steer(running);
    case "turn.urge":
      return urge(running, command, world);
    case "turn.compact":
      return compact(running, command, world);
    case "turn.note":
      return note(command);
    case "call.claim":
      return claim(running, command, world);
    case "call.finish":
      return onOpenCall(running, command.callId, (call) => ({
        events: closed(running, call, { status: command.status, content: command.content }),
        reply: null,
      }));
    case "call.refuse":
      return onOpenCall(running, command.callId, (call) => refuseCall(running, { call, command }, world));
    case "call.rewrite":
      return onOpenCall(running, command.callId, ({ callId, tool }) => {
        const { args, argsDigest, by } = command;
        return facts({ type: "call.rewritten", callId, tool, args, argsDigest, by });
      });
    case "call.apply":
      return onOpenCall(running, command.callId, (call) => applyCall(running, { call, command }, world));
    default:
      return never(command);
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

/** Claimed calls that nobody will report on any more: closed as unknown, never started again, and shown to people. */
export function orphaned(session: Session, cause: Orphaning): { closings: Draft[]; notices: Draft[] } {
  const { turn } = session;
  if (turn.status !== "running") return { closings: [], notices: [] };
  const orphans = turn.calls.filter((call) => call.claimed);
  const outcome = { status: "unknown", content: unknownOutcome(cause) } as const;
  return {
    closings: orphans.flatMap((call) => closed({ session, turn }, call, outcome)),
    notices: orphans.map((call) => ({
      type: "entry.appended",
      entry: { kind: "notice", ...noticeOf(unknownNotice(call, cause)) },
    })),
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
const unknownNotice = ({ tool }: OpenCall, cause: Orphaning): Words =>
  cause === "stopped" ? say("unknownStopped", { tool }) : say("unknownReset", { tool });

function sayAnswer({ session, turn }: Running, command: CommandOf<"turn.say">): Decision {
  if (turn.calls.length > 0) return refuse("CALL_NOT_OPEN", "Calls of the last answer have no results yet.");
  const { type: _type, epoch: _epoch, ...said } = command;
  const { turnId, calls } = said;
  const entry: Entry = { kind: "assistant", ...said };
  if (JSON.stringify(entry).length > ENTRY_CHARS_MAX) {
    return refuse("ENTRY_TOO_LARGE", say("answerTooLarge", { max: ENTRY_CHARS_MAX }));
  }
  if (session.turn.status === "running" && turn.aborting && calls.length > 0) {
    return refuse("TURN_NOT_RUNNING", "The turn is being stopped.");
  }
  const opened = calls.map(({ callId, tool }) => ({ callId, tool }));
  return facts({ type: "entry.appended", entry }, { type: "turn.said", turnId, calls: opened });
}

function finish({ session, turn }: Running, command: CommandOf<"turn.finish">, world: World): Decision {
  const { turnId, outcome } = command;
  const words = wordsOf(command);
  const skipped = turn.calls.flatMap((call) =>
    closed(
      { session, turn },
      call,
      call.claimed
        ? { status: "unknown", content: unknownOutcome("stopped") }
        : { status: "skipped", content: SKIPPED },
    ),
  );
  const notice: Draft[] =
    words.text === "" ? [] : [{ type: "entry.appended", entry: { kind: "notice", ...noticeOf(words) } }];
  const finished: Draft = { type: "turn.finished", turnId, outcome, ...messageOf(words) };
  const more = turn.again || session.inbox.length > 0;
  const by = { attended: turn.againAttended === true || hasWords(session), continues: turn.againContinues };
  if (more) return facts(...skipped, ...notice, finished, requestTurn(world.context, "queued", by));
  const next = outcome === "done" && skipped.length === 0 ? continued({ session, turn }, world) : [];
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

/** The last gate, on the state that commits: whatever was true when the call was judged, this is what counts. */
function claim(running: Running, command: CommandOf<"call.claim">, world: World): Decision {
  const { session, turn } = running;
  if (turn.aborting || turn.ending)
    return refuse("TURN_NOT_RUNNING", "The turn is ending; no further change starts in it.");
  return onOpenCall(running, command.callId, (call) => {
    if (call.claimed)
      return refuse("CALL_ALREADY_CLAIMED", `Call ${call.callId} was claimed before; it starts at most once.`);
    const { argsDigest, kind } = command;
    const { callId, tool } = call;
    const gated: GatedCall = { tool, kind, effect: "write", argsDigest, ...reliedOn(command) };
    const held = refuseHeld(session, gated, world);
    if (held !== undefined) return refuse("PLAN_MODE_BLOCKED", held.message, { refusal: held });
    const verdict = askGuards(session, gated, world);
    if (!verdict.allowed) return refuse("PLAN_MODE_BLOCKED", verdict.refusal.message, { refusal: verdict.refusal });
    const under = { ...command.under, ...verdict.under };
    const claimed: Draft = { type: "call.claimed", callId, tool, argsDigest, epoch: session.epoch, under };
    return { events: [claimed, ...claimFacts(session, gated, world)], reply: { under } };
  });
}

const reliedOn = ({ grant, under }: CommandOf<"call.claim">): Pick<GatedCall, "grant" | "under"> => ({
  ...(grant === undefined ? {} : { grant }),
  ...(under === undefined ? {} : { under }),
});

/** The refusal stands whatever the slice says to what else should follow: a no must not depend on a second answer. */
function refuseCall(
  running: Running,
  { call, command }: { call: OpenCall; command: CommandOf<"call.refuse"> },
  world: World,
): Decision {
  const { refusal, also, endTurn } = command;
  const follows = also === undefined ? undefined : applySlice(running.session, also, world);
  const ending: Draft[] = endTurn === true ? [{ type: "turn.ending" }] : [];
  return facts(
    { type: "call.refused", callId: call.callId, refusal },
    ...closed(running, call, { status: "refused", content: refusal }),
    ...(follows !== undefined && "events" in follows ? follows.events : []),
    ...ending,
  );
}

/** A tool whose result is a command of a slice: its change and its result commit together, so a replay applies it once. */
function applyCall(
  running: Running,
  { call, command }: { call: OpenCall; command: CommandOf<"call.apply"> },
  world: World,
): Decision {
  const decision = applySlice(running.session, command, world);
  if ("refused" in decision) {
    const { code, message, details } = decision.refused;
    const content = details === undefined ? { error: code, message } : { error: code, message, details };
    return { events: closed(running, call, { status: "error", content }), reply: content };
  }
  return {
    events: [...decision.events, ...closed(running, call, { status: "ok", content: decision.reply })],
    reply: decision.reply,
  };
}

function onOpenCall({ turn }: Running, callId: string, answer: (call: OpenCall) => Decision): Decision {
  const call = turn.calls.find((item) => item.callId === callId);
  if (call === undefined) return refuse("CALL_NOT_OPEN", `Call ${callId} is not open in this turn.`);
  return answer(call);
}

function closed(
  { turn }: Running,
  call: OpenCall,
  { status, content }: { status: CallStatus; content: Json },
): Draft[] {
  const { callId, tool } = call;
  return [
    { type: "entry.appended", entry: { kind: "result", turnId: turn.turnId, callId, tool, status, content } },
    { type: "call.closed", callId, tool, status },
  ];
}
