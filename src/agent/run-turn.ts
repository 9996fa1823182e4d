/**
 * One turn, from its lease to its end. Each round is computed from what is stored, so a turn that is taken over after a
 * crash goes on exactly where its transcript ends (RT-03):
 *
 *   lease, drain and record the input (one commit) ─▶ ┌─▶ open calls? ── through the pipeline, one by one ──┐
 *                                                     │   messages to steer by? ── turn.steer ──────────────┤
 *                                                     │   too long? ── a summary ─▶ turn.compact ───────────┤
 *                                                     │   else ask the model ─▶ turn.say ─▶ its calls ──────┤
 *                                                     │   only announced? ── turn.urge, three times ────────┤
 *                                                     └──────────────────────────────────────◀──────────────┘
 *                                        ending · nothing left to call · stopped · failed ─▶ turn.finish
 */
import { setImmediate as otherWork } from "node:timers/promises";
import type { SessionId, TurnId } from "../protocol/ids.ts";
import type { Refusal } from "../protocol/refusal.ts";
import { asIs, messageOf, localizedTextOf, localized } from "../protocol/localized/localized-text.ts";
import { type CommandOf, type Session, URGE_LEVELS } from "../protocol/session.ts";
import type { Entry, ToolCall } from "../protocol/transcript-entry.ts";
import { MODEL_REQUESTS_MAX, turnSettings } from "../protocol/settings/turn-settings.ts";
import { announces } from "./announcement.ts";
import type { Answered } from "./ask-model.ts";
import { converse } from "./converse.ts";
import { distinctCalls } from "./distinct-calls.ts";
import { type Lease, type Running, takeLease } from "./lease.ts";
import type { End, Turn, TurnRunnerParts } from "./turn.ts";
import { createTurnTranscript, type Transcript } from "./turn-transcript.ts";

export type { TurnRunnerParts } from "./turn.ts";

/** Each round asks the model, makes calls or takes something in; one that does nothing is a bug, which must not hold the process. */
const ROUNDS_MAX = 3 * MODEL_REQUESTS_MAX;
/** A turn that was taken over this often never comes to its end. */
export const TURN_ATTEMPTS_MAX = 100;
const FINISH_TRIES_MAX = 5;
const FINISH_RETRY_MS = 200;

export type TurnRunner = {
  /** `later`: the turn is not over, but it cannot go on in this process now. */
  run(sessionId: SessionId, turnId: TurnId): Promise<"done" | "later">;
  running(): number;
  /** Starts nothing more; resolves when nothing runs. Turns stay as they are, to be resumed by the next start. */
  drain(): Promise<void>;
};

export function createTurnRunner(parts: TurnRunnerParts): TurnRunner {
  const active = new Map<TurnId, Promise<End>>();
  const leases = new Set<Lease>();
  let draining = false;

  async function hold(sessionId: SessionId, turnId: TurnId): Promise<End> {
    const ahead = createReadAhead(sessionId, parts);
    const taken = await takeLease({ sessionId, turnId }, { ...parts, starting: ahead.begin });
    if ("none" in taken) {
      ahead.transcript.release();
      return taken.none;
    }
    const { lease } = taken;
    leases.add(lease);
    if (draining) lease.drain();
    try {
      const memory = { compactions: 0, noted: new Set<string>(), ...ahead.files() };
      return await runTurn({ lease, parts, transcript: ahead.transcript, memory });
    } finally {
      ahead.transcript.release();
      lease.release();
      leases.delete(lease);
    }
  }

  return {
    run(sessionId, turnId) {
      if (draining) return Promise.resolve("later");
      const already = active.get(turnId);
      if (already !== undefined) return already;
      const work = hold(sessionId, turnId).finally(() => active.delete(turnId));
      active.set(turnId, work);
      return work;
    },
    running: () => active.size,
    async drain() {
      draining = true;
      for (const lease of leases) lease.drain();
      await Promise.allSettled(active.values());
    },
  };
}

/** What the first request is made of is read while the turn's start is written: there it costs the turn nothing. */
function createReadAhead(sessionId: SessionId, { sessions, history, prompt }: TurnRunnerParts) {
  const transcript = createTurnTranscript(sessionId, { sessions, history });
  let reading: Turn["memory"]["reading"];
  return {
    transcript,
    begin(session: Session): void {
      const handedOver = otherWork(); // in this round the write is given to its thread
      transcript.readAhead(session, handedOver);
      reading = prompt.read && handedOver.then(() => prompt.read?.(session));
      reading?.catch(() => undefined); // reported where it is used, and not at all where the turn does not start
    },
    files: () => (reading === undefined ? {} : { reading }),
  };
}

async function runTurn(turn: Turn): Promise<End> {
  const { lease } = turn;
  for (let rounds = 0; rounds < ROUNDS_MAX; rounds++) {
    const running = await lease.look();
    if (running === undefined) return stopped(turn);
    if (running.turn.ending) return finish(turn, "done");
    if (running.turn.attempt > TURN_ATTEMPTS_MAX) return finish(turn, "failed", NEVER_ENDS);
    const items = await turn.transcript.of(running.session);
    const end = await round(turn, running, items);
    if (end !== undefined) return end;
  }
  return finish(turn, "failed", tooManyRequests(MODEL_REQUESTS_MAX));
}

/** What comes next, by what is stored; an end, if the turn came to one. */
async function round(turn: Turn, running: Running, items: Transcript): Promise<End | undefined> {
  const mine = ownEntries(turn, items);
  const open = openCalls(mine, running);
  if (open.length > 0) return makeCalls(turn, open);
  const last = mine.at(-1);
  if (last?.kind === "assistant" && last.calls.length === 0) return lastWord(turn, mine); // it has ended already
  const requestsMax = requestsMaxIn(turn, running);
  if (mine.filter((entry) => entry.kind === "assistant").length >= requestsMax) {
    return finish(turn, "failed", tooManyRequests(requestsMax));
  }
  if (await steered(turn, running)) return undefined;
  const answer = await converse(turn, running, items);
  if (answer === "again") return undefined;
  if (answer.status === "stopped") return stopped(turn, answer.text);
  if (answer.status === "failed") return finish(turn, "failed", answer.words);
  return take(turn, answer, items);
}

const ownEntries = ({ lease }: Turn, items: Transcript) =>
  items.flatMap(({ entry }) => ("turnId" in entry && entry.turnId === lease.turnId ? [entry] : []));

/** By setting, what people wrote meanwhile joins this turn before the model is asked again. */
async function steered({ lease, parts }: Turn, { session }: Running): Promise<boolean> {
  if (session.inbox.length === 0 || turnSettings(parts.settingsFor(session)).queueMode !== "steer") return false;
  const { turnId, epoch } = lease;
  const outcome = await lease.dispatch({ type: "turn.steer", turnId, epoch });
  return outcome.ok && outcome.reply !== null; // what waits may all be for a later turn
}

const NEVER_ENDS = localized("neverEnds", { times: TURN_ATTEMPTS_MAX });
const tooManyRequests = (times: number) => localized("tooManyRequests", { times });

/** A turn that nobody attends may have a smaller limit: nobody is there to stop it. */
const requestsMaxIn = ({ parts }: Turn, { session, turn }: Running): number =>
  turn.attended === true ? MODEL_REQUESTS_MAX : turnSettings(parts.settingsFor(session)).autoContinue.maxIterations;

/** Calls of the last answer that have no result yet, with the arguments that the transcript keeps. */
function openCalls(mine: readonly Entry[], { turn }: Running): ToolCall[] {
  const said = mine.findLast((entry) => entry.kind === "assistant");
  if (said?.kind !== "assistant") return [];
  return said.calls.filter((call) => turn.calls.some((open) => open.callId === call.callId));
}

/** Records an answer and makes its calls. */
async function take(turn: Turn, answer: Answered, items: Transcript): Promise<End | undefined> {
  const { text, usage, kept } = answer;
  const entries = items.map(({ entry }) => entry);
  const calls = distinctCalls(answer.calls, entries).map((call) => meant(turn, call));
  const refusal = await record(turn, {
    text,
    calls,
    ...(usage === undefined ? {} : { usage }),
    ...(kept === undefined ? {} : { kept }),
  });
  if (refusal?.code === "ENTRY_TOO_LARGE") return finish(turn, "failed", localizedTextOf(refusal));
  if (refusal !== undefined) return stopped(turn, text);
  if (calls.length > 0) return makeCalls(turn, calls);
  if (answer.cutShort) return finish(turn, "done", CUT_SHORT);
  return lastWord(turn, [
    ...ownEntries(turn, items),
    { kind: "assistant", turnId: turn.lease.turnId, text, calls: [] },
  ]);
}

/** What a name means follows from what the model was shown, never from its answer. */
function meant({ memory: { surface } }: Turn, { target: _target, ...call }: ToolCall): ToolCall {
  return surface?.kind === "projection" ? surface.bind(call) : call;
}

/** An answer without calls ends the turn, unless it only announced work: then the agent is urged, up to three times. */
async function lastWord(turn: Turn, mine: readonly Entry[]): Promise<End | undefined> {
  const last = mine.at(-1);
  if (last?.kind !== "assistant" || !announces(last.text)) return finish(turn, "done");
  const urged = mine.filter((entry) => entry.kind === "input" && entry.injectionIds.some(isUrge)).length;
  if (urged >= URGE_LEVELS) return finish(turn, "done", ONLY_ANNOUNCED);
  const { turnId, epoch } = turn.lease;
  const outcome = await turn.lease.dispatch({ type: "turn.urge", turnId, epoch, level: urged + 1 });
  return outcome.ok && outcome.reply !== null ? undefined : finish(turn, "done");
}

const isUrge = (injectionId: string): boolean => injectionId.startsWith("urge:");
const ONLY_ANNOUNCED = localized("onlyAnnounced", { times: URGE_LEVELS + 1 });

const CUT_SHORT = localized("cutShort");

type LocalizedLine = Omit<CommandOf<"turn.say">, "type" | "turnId" | "epoch">;

async function record({ lease }: Turn, said: LocalizedLine): Promise<Refusal | undefined> {
  const { turnId, epoch } = lease;
  const text = said.text.toWellFormed();
  const outcome = await lease.dispatch({ type: "turn.say", turnId, epoch, ...said, text });
  if (outcome.ok) return undefined;
  if (outcome.refusal.code !== "ENTRY_TOO_LARGE" && lease.stopped() === undefined) lease.lose(); // the store did not take it
  return outcome.refusal;
}

/** One by one, each on the session as it is then: a call may end the turn, and a person may stop it in between. */
async function makeCalls({ lease, parts }: Turn, calls: readonly ToolCall[]): Promise<undefined> {
  const { sessionId, turnId, epoch, leftMs: leaseLeftMs } = lease;
  for (const call of calls) {
    const running = await lease.look();
    if (running === undefined || running.turn.ending) return undefined;
    if (call.problem !== undefined) {
      await answerProblem(lease, call.callId, call.problem);
      continue;
    }
    const end = await parts.tools.call(call, { sessionId, turnId, epoch, signal: lease.halt, leaseLeftMs });
    if (end.status === "stopped") {
      if (end.refusal.code !== "TURN_NOT_RUNNING") lease.lose();
      return undefined; // ending or aborting: the next round decides which
    }
  }
  return undefined;
}

/** A call that cannot be made never reaches a tool: the model gets the reason and may call again. */
async function answerProblem(lease: Lease, callId: string, problem: string): Promise<void> {
  const { turnId, epoch } = lease;
  const outcome = await lease.dispatch({
    type: "call.finish",
    turnId,
    epoch,
    callId,
    status: "error",
    content: problem,
  });
  if (!outcome.ok && outcome.refusal.code !== "TURN_NOT_RUNNING") lease.lose();
}

/** Stopped from outside. Only an abort is recorded: a lost turn belongs to somebody else, a drained one to the next start. */
async function stopped(turn: Turn, text = ""): Promise<End> {
  if (turn.lease.stopped() !== "aborted") return "later";
  if (text !== "") await record(turn, { text, calls: [] });
  return finish(turn, "aborted");
}

const NOTHING = asIs("");

async function finish(turn: Turn, outcome: CommandOf<"turn.finish">["outcome"], words = NOTHING): Promise<End> {
  const { turnId, epoch } = turn.lease;
  for (let tries = 1; tries <= FINISH_TRIES_MAX; tries++) {
    const done = await turn.lease.dispatch({ type: "turn.finish", turnId, epoch, outcome, ...messageOf(words) });
    if (done.ok) return "done";
    if (done.refusal.retry !== true) return "later";
    await pause(turn.parts, FINISH_RETRY_MS * 2 ** (tries - 1));
  }
  return "later";
}

function pause({ clock }: TurnRunnerParts, waitMs: number): Promise<void> {
  return new Promise((resolve) => {
    clock.wakeAt(clock.now() + waitMs, resolve);
  });
}
