/** A model that answers what a test wrote down, one step per request, and keeps the requests that it received. */
import { type Model, ModelFailure, type ModelPart, type ModelRequest } from "../agent/model.ts";
import type { JsonObject } from "../protocol/json.ts";
import type { Usage } from "../protocol/transcript-entry.ts";
import { asIs } from "../protocol/localized/localized-text.ts";

type ScriptedCall = { tool: string; args?: JsonObject; callId?: string };

export type ScriptStep = {
  /** Streamed in as many pieces as are given. */
  say?: string | readonly string[];
  /** After the text: wait for this (or for the request's signal) before going on. */
  until?: Promise<unknown>;
  /** Go on waiting when the request is aborted, as a badly written provider would. */
  deaf?: boolean;
  calls?: readonly ScriptedCall[];
  /** What the answer took; what is left out is nothing. */
  usage?: Partial<Usage>;
  /** Fail instead of ending: a failure of the model, or any other error. */
  fail?: { message: string; retry: boolean } | Error;
  /** End the stream without its last part. */
  breakOff?: boolean;
  reason?: "stop" | "calls" | "length";
};

export type ScriptedModel = Model & {
  readonly requests: readonly ModelRequest[];
  /** It was asked more often than the script has steps. */
  readonly problem: string | undefined;
  /** Resolves when the request with this number (from 1) has arrived. */
  asked(number: number): Promise<ModelRequest>;
};

/** With a function, the script is computed from each request. A request beyond the script's end is an error. */
export function scriptedModel(
  script: readonly ScriptStep[] | ((request: ModelRequest, number: number) => ScriptStep),
): ScriptedModel {
  const requests: ModelRequest[] = [];
  const waiting = new Map<number, PromiseWithResolvers<ModelRequest>>();
  let problem: string | undefined;

  function stepFor(request: ModelRequest): ScriptStep {
    const number = requests.length;
    const step = typeof script === "function" ? script(request, number) : script[number - 1];
    if (step !== undefined) return step;
    problem = `the script has no step ${number}`;
    throw new Error(problem);
  }

  return {
    id: "scripted",
    scripted: true,
    requests,
    get problem() {
      return problem;
    },
    asked(number) {
      const arrived = requests[number - 1];
      if (arrived !== undefined) return Promise.resolve(arrived);
      const promised = waiting.get(number) ?? Promise.withResolvers<ModelRequest>();
      waiting.set(number, promised);
      return promised.promise;
    },
    async *stream(request) {
      requests.push(request);
      waiting.get(requests.length)?.resolve(request);
      yield* play(stepFor(request), request, requests.length);
    },
  };
}

async function* play(step: ScriptStep, request: ModelRequest, number: number): AsyncGenerator<ModelPart> {
  for (const delta of [step.say ?? []].flat()) yield { type: "text", delta };
  await waitedFor(step, request.signal);
  if (step.fail !== undefined) throw failureOf(step.fail);
  const calls = step.calls ?? [];
  for (const [index, { tool, args = {}, callId = `call_${number}_${index + 1}` }] of calls.entries()) {
    yield { type: "call", call: { callId, tool, args } };
  }
  if (step.usage !== undefined) yield { type: "usage", usage: { ...NO_USAGE, ...step.usage } };
  if (step.breakOff !== true) yield { type: "end", reason: step.reason ?? (calls.length > 0 ? "calls" : "stop") };
}

const NO_USAGE: Usage = {
  model: "scripted",
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  costUsd: null,
};

async function waitedFor({ until, deaf }: ScriptStep, signal: AbortSignal): Promise<void> {
  if (until === undefined) return;
  await (deaf === true ? until : Promise.race([until, aborted(signal)]));
}

const failureOf = (fail: NonNullable<ScriptStep["fail"]>): Error =>
  fail instanceof Error ? fail : new ModelFailure(asIs(fail.message), fail);

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (): void => reject(new ModelFailure(asIs("aborted"), { retry: false }));
    if (signal.aborted) fail();
    else signal.addEventListener("abort", fail, { once: true });
  });
}
