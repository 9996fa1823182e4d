/**
 * One turn, from its lease to its end. Each round is computed from what is stored, so a turn that is taken over after a
 * crash goes on exactly where its transcript ends (RT-03):
 *
 *   lease, drain and record the input (one commit) ─▶ ┌─▶ open calls? ── through the pipeline, one by one ──┐
 *                                                     │   else ask the model ─▶ turn.say ─▶ its calls ──────┤
 *                                                     └──────────────────────────────────────◀──────────────┘
 *                                        ending · nothing left to call · stopped · failed ─▶ turn.finish
 */
import type { History } from "../plugins/sessions.ts";
import type { SessionId, TurnId } from "../protocol/ids.ts";
import type { Refusal } from "../protocol/refusal.ts";
import type { CommandOf, Session } from "../protocol/session.ts";
import type { Entry, ToolCall } from "../protocol/transcript.ts";
import { askModel } from "./ask-model.ts";
import { distinctCalls } from "./distinct-calls.ts";
import { type Lease, type LeaseParts, type Running, takeLease } from "./lease.ts";
import type { Model, ToolSpec } from "./model.ts";
import { systemPrompt } from "./prompt.ts";
import { forModel } from "./transcript.ts";

export const MODEL_REQUESTS_MAX = 100;
/** Each round asks the model or makes calls; one that does neither is a bug, which must not hold the process. */
const ROUNDS_MAX = 3 * MODEL_REQUESTS_MAX;
/** A turn that was taken over this often never comes to its end. */
export const TURN_ATTEMPTS_MAX = 100;
const FINISH_TRIES_MAX = 5;
const FINISH_RETRY_MS = 200;

/** What the loop needs of the tools: the catalog, and the one road to a result. */
type Tools = {
  catalog(session: Session): readonly ToolSpec[];
  call(
    call: ToolCall,
    caller: { sessionId: SessionId; turnId: TurnId; epoch: number; signal: AbortSignal },
  ): Promise<{ status: "closed" } | { status: "stopped"; refusal: Refusal }>;
};

export type TurnRunnerParts = LeaseParts & {
  history: History;
  tools: Tools;
  modelFor(session: Session): Model;
  /** Text as it streams, for people who watch; what counts is the entry that follows. */
  onDelta(sessionId: SessionId, delta: { turnId: TurnId; text: string }): void;
  report(error: unknown): void;
};

export type TurnRunner = {
  /** `later`: the turn is not over, but not here and not now. */
  run(sessionId: SessionId, turnId: TurnId): Promise<"done" | "later">;
  running(): number;
  /** Begins nothing more; resolves when nothing runs. Turns stay as they are, to be resumed by the next start. */
  drain(): Promise<void>;
};

type Turn = { lease: Lease; parts: TurnRunnerParts };
type End = "done" | "later";

export function createTurnRunner(parts: TurnRunnerParts): TurnRunner {
  const active = new Map<TurnId, Promise<End>>();
  const leases = new Set<Lease>();
  let draining = false;

  async function hold(sessionId: SessionId, turnId: TurnId): Promise<End> {
    const taken = await takeLease({ sessionId, turnId }, parts);
    if ("none" in taken) return taken.none;
    const { lease } = taken;
    leases.add(lease);
    if (draining) lease.drain();
    try {
      return await runTurn({ lease, parts });
    } finally {
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

async function runTurn(turn: Turn): Promise<End> {
  const { lease, parts } = turn;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const running = await lease.look();
    if (running === undefined) return stopped(turn);
    if (running.turn.ending) return finish(turn, "done");
    if (running.turn.attempt > TURN_ATTEMPTS_MAX) return finish(turn, "failed", NEVER_ENDS);
    const entries = await parts.history(lease.sessionId, running.session.historyFrom);
    const mine = entries.filter((entry) => entry.kind !== "notice" && entry.turnId === lease.turnId);
    const open = openCalls(mine, running);
    const last = mine.at(-1);
    if (open.length > 0) await makeCalls(turn, open);
    else if (last?.kind === "assistant" && last.calls.length === 0) return finish(turn, "done"); // it had its last word
    else {
      if (mine.filter((entry) => entry.kind === "assistant").length >= MODEL_REQUESTS_MAX) {
        return finish(turn, "failed", TOO_MANY_REQUESTS);
      }
      const end = await converse(turn, running, entries);
      if (end !== undefined) return end;
    }
  }
  return finish(turn, "failed", TOO_MANY_REQUESTS);
}

const NEVER_ENDS = `The turn was started ${TURN_ATTEMPTS_MAX} times without coming to its end, so it was given up.`;
const TOO_MANY_REQUESTS = `The agent asked its model ${MODEL_REQUESTS_MAX} times in one turn and was stopped. Say how to go on.`;

/** Calls of the last answer that have no result yet, with the arguments that the transcript keeps. */
function openCalls(mine: readonly Entry[], { turn }: Running): ToolCall[] {
  const said = mine.findLast((entry) => entry.kind === "assistant");
  if (said?.kind !== "assistant") return [];
  return said.calls.filter((call) => turn.calls.some((open) => open.callId === call.callId));
}

/** One request and what follows from it; an end, if it came to one. */
async function converse(turn: Turn, { session }: Running, entries: readonly Entry[]): Promise<End | undefined> {
  const { lease, parts } = turn;
  const { sessionId, turnId } = lease;
  const answer = await askModel({
    model: parts.modelFor(session),
    request: {
      sessionId,
      turnId,
      system: systemPrompt(session),
      entries: forModel(entries),
      tools: parts.tools.catalog(session),
      workspace: session.workspace,
    },
    signal: lease.quiet,
    clock: parts.clock,
    onText: (text) => parts.onDelta(sessionId, { turnId, text }),
    report: parts.report,
  });
  if (answer.status === "stopped") return stopped(turn, answer.text);
  if (answer.status === "failed") return finish(turn, "failed", answer.message);
  const calls = distinctCalls(answer.calls, entries);
  const refusal = await say(turn, { text: answer.text, calls });
  if (refusal?.code === "ENTRY_TOO_LARGE") return finish(turn, "failed", refusal.message);
  if (refusal !== undefined) return stopped(turn, answer.text);
  if (calls.length === 0) return finish(turn, "done", answer.cutShort ? CUT_SHORT : "");
  await makeCalls(turn, calls);
  return undefined;
}

const CUT_SHORT = "The model reached the limit of one answer; its last words may be missing.";

async function say({ lease }: Turn, said: Pick<CommandOf<"turn.say">, "text" | "calls">): Promise<Refusal | undefined> {
  const { turnId, epoch } = lease;
  const text = said.text.toWellFormed();
  const outcome = await lease.dispatch({ type: "turn.say", turnId, epoch, text, calls: said.calls });
  if (outcome.ok) return undefined;
  if (outcome.refusal.code !== "ENTRY_TOO_LARGE" && lease.stopped() === undefined) lease.lose(); // the store did not take it
  return outcome.refusal;
}

/** One by one, each on the session as it is then: a call may end the turn, and a person may stop it in between. */
async function makeCalls({ lease, parts }: Turn, calls: readonly ToolCall[]): Promise<void> {
  const { sessionId, turnId, epoch } = lease;
  for (const call of calls) {
    const running = await lease.look();
    if (running === undefined || running.turn.ending) return;
    const end = await parts.tools.call(call, { sessionId, turnId, epoch, signal: lease.halt });
    if (end.status === "stopped" && end.refusal.code !== "TURN_NOT_RUNNING") return lease.lose();
    if (end.status === "stopped") return; // ending or aborting: the next look tells which
  }
}

/** Stopped from outside. Only an abort is recorded: a lost turn belongs to somebody else, a drained one to the next start. */
async function stopped(turn: Turn, text = ""): Promise<End> {
  if (turn.lease.stopped() !== "aborted") return "later";
  if (text !== "") await say(turn, { text, calls: [] });
  return finish(turn, "aborted");
}

async function finish(turn: Turn, outcome: CommandOf<"turn.finish">["outcome"], message = ""): Promise<End> {
  const { turnId, epoch } = turn.lease;
  for (let tries = 1; tries <= FINISH_TRIES_MAX; tries++) {
    const done = await turn.lease.dispatch({ type: "turn.finish", turnId, epoch, outcome, message });
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
