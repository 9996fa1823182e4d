/**
 * Gets one answer from the models, and handles silence, broken streams, answers that are too long, and a stop.
 *
 *   for each model of the chain:  ask ──answered · stopped──▶ that is it
 *                                  │ ▲
 *                                  │ └── wait (backoff, or what Retry-After asks for) ◀── may work later
 *                                  └──────────── cannot work · asked too often ──▶ the next model
 *
 * A model that failed a moment ago is asked last, and once (model-health.ts). Every attempt is the same request: the input was recorded before the first one, so none loses anything.
 */
import { never } from "../plugins/sdk.ts";
import type { Clock } from "../plugins/sessions.ts";
import type { Json } from "../protocol/json.ts";
import { lines, type LocalizedText, localizedTextOf, localized } from "../protocol/localized/localized-text.ts";
import { CALLS_PER_STEP_MAX } from "../protocol/session.ts";
import type { Kept, ToolCall, Usage } from "../protocol/transcript-entry.ts";
import { type FailureKind, type Model, ModelFailure, type ModelPart, type ModelRequest } from "./model.ts";
import type { ModelHealth } from "./model-health.ts";

export const MODEL_RETRIES_MAX = 4;
const RETRY_FIRST_MS = 1_000;
/** Random jitter, so that gateways that failed together do not retry together. */
const JITTER = 0.25;
/** A provider that asks for more patience than this is given up for now. */
export const RETRY_AFTER_MS_MAX = 60_000;
/** Between two parts of an answer; reasoning models think long before the first. */
export const MODEL_SILENCE_MS_MAX = 300_000;
const ANSWER_CHARS_MAX = 200_000;
/** Deeper than any tool's arguments; deeper values would exhaust the stack of code that walks them. */
const ARGS_DEPTH_MAX = 64;

/** `usage` and `kept` are there when the model sent them. */
export type Answered = {
  status: "answered";
  text: string;
  calls: ToolCall[];
  cutShort: boolean;
  usage?: Usage;
  kept?: Kept;
};
export type Answer =
  | Answered
  /** Stopped by the signal; `text` is what had been received by then. */
  | { status: "stopped"; text: string }
  | Failed;
type Failed = { status: "failed"; kind: FailureKind; words: LocalizedText; retryAfterMs: number };

export type Ask = {
  /** Asked in this order, each when the one before it has failed. */
  models: readonly Model[];
  request: Omit<ModelRequest, "signal">;
  signal: AbortSignal;
  clock: Clock;
  onText(text: string): void;
  /** Notices of the gateway itself, such as a change to the next model; a brief one is only for whoever watches. */
  onNote(words: LocalizedText, how: "kept" | "brief"): Promise<void> | void;
  health: ModelHealth;
  report(error: unknown): void;
};

export async function askModel(ask: Ask): Promise<Answer> {
  const failures: Failed[] = [];
  let before: Model | undefined = ask.models[0];
  for (const { model, retriesMax } of inOrder(ask)) {
    if (model !== before) await ask.onNote(insteadOf(before, model, failures), "kept");
    before = model;
    const answer = await askPatiently({ ...ask, model, retriesMax });
    remember(ask.health, model, answer);
    // a conversation that is too long is no fault of the model: it is shortened, not taken elsewhere
    if (answer.status !== "failed" || answer.kind === "context-overflow") return answer;
    failures.push(answer);
  }
  const kind = failures.at(-1)?.kind ?? "other";
  return { status: "failed", kind, words: lines(failures.map(({ words }) => words)), retryAfterMs: 0 };
}

type Candidate = { model: Model; retriesMax: number };

/** Those that failed a moment ago come last; where all did, each gets the patience of a first request. */
function inOrder({ models, health }: Ask): Candidate[] {
  const found = models.map((model) => ({ model, standing: health.standing(model.id) }));
  const isAnyWell = found.some(({ standing }) => standing === "well");
  const rows = found.map(({ model, standing }) => ({
    model,
    isLast: standing === "resting",
    retriesMax: standing === "well" || !isAnyWell ? MODEL_RETRIES_MAX : 0,
  }));
  return [...rows.filter(({ isLast }) => !isLast), ...rows.filter(({ isLast }) => isLast)];
}

function insteadOf(before: Model | undefined, model: Model, failures: readonly Failed[]): LocalizedText {
  const instead = localized("askingInstead", { model: model.id });
  const why = failures.at(-1)?.words ?? localized("modelRests", { model: before?.id ?? "" });
  return lines([why, instead]);
}

function remember(health: ModelHealth, { id }: Model, answer: Answer): void {
  if (answer.status === "answered") health.answered(id);
  else if (answer.status === "failed") health.failed(id, answer);
  else health.untried(id);
}

type AskOne = Ask & Candidate;

async function askPatiently(ask: AskOne): Promise<Answer> {
  for (let retries = 0; ; retries++) {
    const spoken = { text: "" };
    let failure: ModelFailure;
    try {
      return await attempt(ask, spoken);
    } catch (error) {
      if (ask.signal.aborted) return { status: "stopped", text: spoken.text };
      ask.report(error);
      failure = error instanceof ModelFailure ? error : new ModelFailure(localized("modelFault"), { retry: false });
    }
    const { kind, message, said, retryAfterMs } = failure;
    const words = localizedTextOf({ message, said });
    if (!failure.retry || retries >= ask.retriesMax || retryAfterMs > RETRY_AFTER_MS_MAX)
      return { status: "failed", kind, words, retryAfterMs };
    const waitMs = Math.max(backoffMs(retries), retryAfterMs);
    const again = localized("askingAgainIn", { seconds: Math.ceil(waitMs / 1_000) });
    await ask.onNote(lines([words, again]), retries === 0 ? "kept" : "brief");
    await waitFor(ask, waitMs);
    if (ask.signal.aborted) return { status: "stopped", text: "" };
  }
}

/** Made once: an abort without a reason makes an error with its stack, for every answer. */
const OVER = new DOMException("The answer is over.", "AbortError");

const backoffMs = (retries: number): number => Math.round(RETRY_FIRST_MS * 2 ** retries * (1 - JITTER * Math.random()));

async function attempt(ask: AskOne, said: { text: string }): Promise<Answer> {
  const silent = new AbortController();
  const signal = AbortSignal.any([ask.signal, silent.signal]);
  const parts = ask.model.stream({ ...ask.request, signal })[Symbol.asyncIterator]();
  const heard = listenTo(parts, { clock: ask.clock, signal, silent });
  const answer: Answered = { status: "answered", text: "", calls: [], cutShort: false };
  try {
    for (;;) {
      const part = await heard.next();
      if (part === "stopped") return { status: "stopped", text: said.text };
      if (part.type === "end") return { ...answer, text: said.text, cutShort: part.reason === "length" };
      if (part.type === "text") takeText(ask, said, part.delta);
      else take(answer, part);
      if (answer.calls.length > CALLS_PER_STEP_MAX || said.text.length > ANSWER_CHARS_MAX) throw TOO_MUCH;
    }
  } finally {
    heard.end();
    silent.abort(OVER); // ends the stream, however the loop was left
    parts.return?.().catch(() => undefined); // not waited for: a stream that hangs would hang this too
  }
}

/** What is recorded with the text of an answer. */
function take(answer: Answered, part: Exclude<ModelPart, { type: "text" | "end" }>): void {
  switch (part.type) {
    case "call":
      if (isDeeper(part.call.args, ARGS_DEPTH_MAX)) throw TOO_DEEP;
      answer.calls.push(part.call);
      return;
    case "usage":
      answer.usage = part.usage;
      return;
    case "keep":
      answer.kept = part.kept;
      return;
    case "thinking":
      return;
    default:
      return never(part);
  }
}

const TOO_MUCH = new ModelFailure(localized("answerTooLong"), { retry: false });
const TOO_DEEP = new ModelFailure(localized("callTooDeep"), { retry: false });
const BROKE_OFF = new ModelFailure(localized("answerBrokeOff"), {
  retry: true,
  kind: "broken-stream",
});
const SILENT = new ModelFailure(localized("answerSilent"), { retry: true, kind: "timeout" });

function takeText(ask: Ask, said: { text: string }, delta: string): void {
  const text = delta.replaceAll("\u0000", "");
  said.text += text;
  if (text !== "") ask.onText(text);
}

const isDeeper = (value: Json, depth: number): boolean =>
  value !== null &&
  typeof value === "object" &&
  (depth === 0 || Object.values(value).some((item) => isDeeper(item, depth - 1)));

type Listening = { clock: Clock; signal: AbortSignal; silent: AbortController };

/**
 * The parts of one answer. The signal and the silence are watched once for all of them: a listener and a timer for each
 * part cost more than the part itself.
 */
function listenTo(parts: AsyncIterator<ModelPart>, { clock, signal, silent }: Listening) {
  let sinceMs = clock.now();
  let stop: (() => void) | undefined;
  let callOff = watchSilence();
  const onAbort = (): void => stop?.();
  signal.addEventListener("abort", onAbort, { once: true });

  function watchSilence(): () => void {
    const endMs = sinceMs + MODEL_SILENCE_MS_MAX;
    return clock.wakeAt(endMs, () => {
      if (sinceMs + MODEL_SILENCE_MS_MAX > endMs) callOff = watchSilence();
      else silent.abort();
    });
  }

  return {
    async next(): Promise<ModelPart | "stopped"> {
      if (signal.aborted) return "stopped";
      sinceMs = clock.now();
      const next = await new Promise<IteratorResult<ModelPart> | "stopped">((resolve, reject) => {
        stop = () => resolve("stopped");
        parts.next().then(resolve, reject);
      });
      if (silent.signal.aborted) throw SILENT;
      if (next === "stopped") return next;
      if (next.done === true) throw BROKE_OFF;
      return next.value;
    },
    end(): void {
      callOff();
      signal.removeEventListener("abort", onAbort);
    },
  };
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
