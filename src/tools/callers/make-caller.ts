/** One caller as a plugin holds it: its calls go through the one pipeline, under the caller's lease. */
import { z } from "zod";
import type { CallAnswer, OpenCaller } from "../../plugins/api/calls.ts";
import { CallStopped } from "../../plugins/call-stopped.ts";
import type { Clock } from "../../plugins/sessions.ts";
import type { TurnId } from "../../protocol/ids.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { refuse, type Refusal, type Refused } from "../../protocol/refusal.ts";
import type { AnswerRedaction } from "../redaction/answer-redaction.ts";
import type { CallEnd } from "../call-record.ts";
import { SECRET_IN_CALL } from "../../protocol/calls/secret-in-call.ts";
import type { Toolbox } from "../call-tool.ts";
import type { CallerLease } from "./caller-lease.ts";

export type MadeCaller = {
  caller: OpenCaller;
  lease: CallerLease;
  /** Resolves when none of its calls is on its way. */
  idle(): Promise<unknown>;
};

type At = { lease: CallerLease; signal: AbortSignal; turnId?: TurnId };
type CallerParts = {
  tools: Pick<Toolbox, "call">;
  clock: Clock;
  /** Leaves the gateway's secrets out of what is recorded; absent: nothing is left out. */
  clean?: Pick<AnswerRedaction, "text" | "args"> | undefined;
  report(error: unknown): void;
};
type CallOptions = NonNullable<Parameters<OpenCaller["call"]>[2]>;

const Opened = z.object({ callId: z.string() });

export function makeCaller(at: At, { tools, clock, clean, report }: CallerParts): MadeCaller {
  const { lease } = at;
  const { sessionId, actor, ref, epoch, halt, running } = lease;
  const proof = { id: ref.id, epoch };
  const stops = AbortSignal.any([at.signal, lease.over, halt.signal]);
  let closing: Promise<void> | undefined;

  async function make(made: Call, options: CallOptions): Promise<CallAnswer | Refused> {
    if (stops.aborted) return OVER;
    const named = options.ref === undefined ? {} : { ref: options.ref };
    const call = clean === undefined ? made : withoutSecrets(made, clean);
    const opened = await lease.dispatch({ type: "call.open", caller: proof, ...call, ...named });
    if (!opened.ok) return { refused: opened.refusal };
    const { callId } = Opened.parse(opened.reply);
    if (call !== made) return answerSecret(callId);
    const signal = options.signal === undefined ? stops : AbortSignal.any([stops, options.signal]);
    const turn = at.turnId === undefined ? {} : { turnId: at.turnId };
    const end = await tools.call(
      { callId, ...call },
      { sessionId, ref, epoch, signal, leaseLeftMs: lease.leftMs, actor, ...turn },
    );
    return answer(callId, end);
  }

  async function answerSecret(callId: string): Promise<CallAnswer | Refused> {
    const answered = { status: "error", content: SECRET_IN_CALL } as const;
    const finished = await lease.dispatch({ type: "call.finish", caller: proof, callId, ...answered });
    return finished.ok ? { callId, ...answered } : { refused: finished.refusal };
  }

  async function answer(callId: string, end: CallEnd): Promise<CallAnswer | Refused> {
    if (end.status === "closed") return { callId, ...(end.result ?? ANSWER_LOST) };
    if (isUnclaimed(end.refusal)) {
      const content = `Not run: ${end.refusal.message}`;
      await lease.dispatch({ type: "call.finish", caller: proof, callId, status: "skipped", content });
    }
    return { refused: end.refusal };
  }

  async function close(): Promise<void> {
    halt.abort(new CallStopped(`its ${ref.kind === "cell" ? "program" : "caller"} was over`));
    await Promise.allSettled(running);
    if (!lease.over.aborted) await lease.dispatch({ type: "caller.close", caller: proof }).catch(report);
    lease.release();
  }

  const caller: OpenCaller = {
    id: ref.id,
    over: lease.over,
    call(tool, args, options = {}) {
      const work = make({ tool, args }, options);
      const settled = work.catch(() => undefined).finally(() => running.delete(settled));
      running.add(settled);
      return work;
    },
    async suspend(keptMs) {
      const keptUntilMs = clock.now() + keptMs;
      const outcome = await lease.dispatch({ type: "caller.suspend", caller: proof, keptUntilMs });
      return outcome.ok ? undefined : { refused: outcome.refusal };
    },
    close: () => (closing ??= close()),
  };
  return { caller, lease, idle: () => Promise.allSettled(running) };
}

type Call = { tool: string; args: JsonObject };

/** The same call where there is no secret in it. */
function withoutSecrets(call: Call, clean: Pick<AnswerRedaction, "text" | "args">): Call {
  const tool = clean.text(call.tool);
  const args = clean.args(call.args);
  return tool === call.tool && JSON.stringify(args) === JSON.stringify(call.args) ? call : { tool, args };
}

const OVER = refuse("LEASE_LOST", "This caller is over.");
/** The commit's own answer was lost on the way; what was stored is in the transcript. */
const ANSWER_LOST = {
  status: "unknown",
  content: "The result was recorded, but its answer was lost on the way: look before you repeat the call.",
} as const;

/** The claim was refused, so the call was not started. */
const isUnclaimed = ({ code }: Refusal): boolean =>
  code === "TURN_NOT_RUNNING" || code === "DRAINING" || code === "SESSION_ARCHIVED";
