/** One answer of the model, with everything that can go wrong on the way: silence, breaking off, too much, a stop. */
import type { Clock } from "../plugins/sessions.ts";
import type { Json } from "../protocol/json.ts";
import { CALLS_PER_STEP_MAX } from "../protocol/session.ts";
import type { ToolCall } from "../protocol/transcript.ts";
import { type Model, ModelFailure, type ModelPart, type ModelRequest } from "./model.ts";

export const MODEL_RETRIES_MAX = 4;
const RETRY_FIRST_MS = 1_000;
/** Between two parts of an answer; reasoning models think long before the first. */
export const MODEL_SILENCE_MS_MAX = 300_000;
const ANSWER_CHARS_MAX = 200_000;
/** Deeper than any tool's arguments; what is deeper still would exhaust the stack of whoever walks it. */
const ARGS_DEPTH_MAX = 64;

export type Answer =
  | { status: "answered"; text: string; calls: ToolCall[]; cutShort: boolean }
  /** The signal came first; `text` is what had been said by then. */
  | { status: "stopped"; text: string }
  | { status: "failed"; message: string };

export type Ask = {
  model: Model;
  request: Omit<ModelRequest, "signal">;
  signal: AbortSignal;
  clock: Clock;
  onText(text: string): void;
  report(error: unknown): void;
};

export async function askModel(ask: Ask): Promise<Answer> {
  for (let retries = 0; ; retries++) {
    const said = { text: "" };
    try {
      return await attempt(ask, said);
    } catch (error) {
      if (ask.signal.aborted) return { status: "stopped", text: said.text };
      ask.report(error);
      if (!(error instanceof ModelFailure)) return { status: "failed", message: BROKEN };
      if (!error.retry || retries >= MODEL_RETRIES_MAX) return { status: "failed", message: error.message };
    }
    if (said.text !== "") ask.onText("\n[the answer broke off; asking again]\n");
    await waitFor(ask, RETRY_FIRST_MS * 2 ** retries);
    if (ask.signal.aborted) return { status: "stopped", text: "" };
  }
}

const BROKEN = "The model could not be asked because of a fault in the gateway. The log tells more.";

async function attempt(ask: Ask, said: { text: string }): Promise<Answer> {
  const silent = new AbortController();
  const signal = AbortSignal.any([ask.signal, silent.signal]);
  const parts = ask.model.stream({ ...ask.request, signal })[Symbol.asyncIterator]();
  const calls: ToolCall[] = [];
  try {
    for (;;) {
      const part = await nextPart(parts, { ...ask, signal, silent });
      if (part === "stopped") return { status: "stopped", text: said.text };
      if (part.type === "end")
        return { status: "answered", text: said.text, calls, cutShort: part.reason === "length" };
      if (part.type === "call" && isDeeper(part.call.args, ARGS_DEPTH_MAX)) throw TOO_DEEP;
      if (part.type === "call") calls.push(part.call);
      else say(ask, said, part.delta);
      if (calls.length > CALLS_PER_STEP_MAX || said.text.length > ANSWER_CHARS_MAX) throw TOO_MUCH;
    }
  } finally {
    silent.abort(); // nobody listens any more, however this ended
    parts.return?.().catch(() => undefined); // not waited for: a stream that hangs would hang this too
  }
}

const TOO_MUCH = new ModelFailure("The model's answer was longer than one answer may be.", { retry: false });
const TOO_DEEP = new ModelFailure("The model nested the arguments of a call too deeply.", { retry: false });
const BROKE_OFF = new ModelFailure("The model broke off before its answer was complete.", { retry: true });
const SILENT = new ModelFailure("The model stopped answering.", { retry: true });

function say(ask: Ask, said: { text: string }, delta: string): void {
  const text = delta.replaceAll("\u0000", "");
  said.text += text;
  if (text !== "") ask.onText(text);
}

const isDeeper = (value: Json, depth: number): boolean =>
  value !== null &&
  typeof value === "object" &&
  (depth === 0 || Object.values(value).some((item) => isDeeper(item, depth - 1)));

type Listening = { clock: Clock; signal: AbortSignal; silent: AbortController };

async function nextPart(parts: AsyncIterator<ModelPart>, listening: Listening): Promise<ModelPart | "stopped"> {
  const { clock, signal, silent } = listening;
  if (signal.aborted) return "stopped";
  const stopped = Promise.withResolvers<"stopped">();
  const onAbort = (): void => stopped.resolve("stopped");
  const callOff = clock.wakeAt(clock.now() + MODEL_SILENCE_MS_MAX, () => silent.abort());
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    const next = await Promise.race([parts.next(), stopped.promise]);
    if (silent.signal.aborted) throw SILENT;
    if (next === "stopped") return next;
    if (next.done === true) throw BROKE_OFF;
    return next.value;
  } finally {
    callOff();
    signal.removeEventListener("abort", onAbort);
  }
}

function waitFor({ clock, signal }: Ask, waitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const callOff = clock.wakeAt(clock.now() + waitMs, done);
    function done(): void {
      callOff();
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done, { once: true });
  });
}
