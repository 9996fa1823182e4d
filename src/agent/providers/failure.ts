/**
 * What went wrong at a vendor, as a failure of the port. The vendor's own error carries the whole prompt and sometimes
 * part of the key, so it goes no further than this file: what is kept of it is short and has no secrets in it.
 */
import { AISDKError, APICallError } from "@ai-sdk/provider";
import { z } from "zod";
import { type FailureKind, ModelFailure } from "../model.ts";
import { type LocalizedText, localized } from "../../protocol/localized/localized-text.ts";

const VENDOR_WORDS_CHARS_MAX = 300;
const CAUSES_MAX = 8;
const BODY_CHARS_MAX = 20_000;

export type FailureContext = {
  /** `provider/model`, as the person wrote it. */
  model: string;
  /** Where the key is looked for; empty when none is needed. */
  keyNames: readonly string[];
  apiKey: string | undefined;
  tooLong: RegExp;
  /** Whether the answer had begun: what fails then has broken off. */
  begun: boolean;
};

/** Anything that the adapter or the network threw. What is no failure of the outside comes back as it is: a bug of ours. */
export function failureOf(error: unknown, context: FailureContext): unknown {
  const own = causes(error).find((cause) => cause instanceof ModelFailure);
  if (own !== undefined) return own;
  const said = vendorSaid(error);
  if (said !== undefined) return judged(said, context);
  if (!AISDKError.isInstance(error)) return error;
  // the SDK could not read what came: a line that was cut or is no JSON
  return new ModelFailure(localized("modelUnread", { model: context.model }), {
    kind: "broken-stream",
    retry: true,
    cause: new Error(error.name), // its message quotes what came
  });
}

type LocalizedLine = { status: number | undefined; code: string; words: string; retry: boolean; retryAfterMs: number };

/** Errors inside a stream have these fields; not every vendor fills them. */
const StreamError = z.object({
  message: z.string(),
  type: z.string().nullish(),
  code: z.union([z.string(), z.number()]).nullish(),
  statusCode: z.number().nullish(),
  isRetryable: z.boolean().nullish(),
});

/** Where vendors put the name of an error: `code` and `type` at OpenAI, `type` at Anthropic, `status` at Google. */
const Body = z.object({
  error: z.object({
    message: z.string().optional(),
    type: z.string().nullish(),
    code: z.union([z.string(), z.number()]).nullish(),
    status: z.string().nullish(),
  }),
});

function vendorSaid(error: unknown): LocalizedLine | undefined {
  if (APICallError.isInstance(error)) return saidByCall(error);
  if (error instanceof Error) return undefined;
  const told = StreamError.safeParse(error);
  if (!told.success) return typeof error === "string" ? { ...NOTHING, words: error, retry: true } : undefined;
  const { message, type, code, statusCode, isRetryable } = told.data;
  const status = statusCode ?? undefined;
  return { ...NOTHING, status, code: `${type ?? ""} ${code ?? ""}`, words: message, retry: isRetryable ?? true };
}

const NOTHING: LocalizedLine = { status: undefined, code: "", words: "", retry: false, retryAfterMs: 0 };

function saidByCall({
  statusCode,
  responseBody,
  responseHeaders = {},
  isRetryable,
  message,
  data,
}: APICallError): LocalizedLine {
  const body = Body.safeParse(data ?? parsed(responseBody));
  const { type, code, status, message: words } = body.success ? body.data.error : {};
  return {
    status: statusCode,
    code: [type, code, status].filter((name) => name !== undefined && name !== null).join(" "),
    words: words ?? message,
    retry: responseHeaders["x-should-retry"] === "false" ? false : isRetryable,
    retryAfterMs: retryAfterMs(responseHeaders, responseBody),
  };
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse((text ?? "").slice(0, BODY_CHARS_MAX));
  } catch {
    return undefined;
  }
}

/** Seconds, or a date; OpenAI also in milliseconds; Google in the body. */
function retryAfterMs(headers: Readonly<Record<string, string>>, body = ""): number {
  const exact = Number(headers["retry-after-ms"]);
  if (exact > 0) return exact;
  const header = headers["retry-after"];
  const seconds = Number(header ?? /"retryDelay":\s*"(\d+(?:\.\d+)?)s"/.exec(body.slice(0, BODY_CHARS_MAX))?.[1]);
  if (seconds >= 0) return seconds * 1_000;
  const at = Date.parse(header ?? "");
  return Number.isNaN(at) ? 0 : Math.max(0, at - Date.now());
}

type Verdict = { kind: FailureKind; retry: boolean; words: LocalizedText; retryAfterMs?: number };

function judged(said: LocalizedLine, context: FailureContext): ModelFailure {
  const plain = { ...said, words: withoutKey(said.words, context.apiKey).replace(/\.+$/, "") };
  const { words, ...verdict } = verdictOn(plain, context);
  const cause = new Error(`${said.status ?? "no status"} ${said.code} ${plain.words}`.trim());
  return new ModelFailure(words, { ...verdict, cause });
}

function verdictOn(said: LocalizedLine, context: FailureContext): Verdict {
  const { status, code, words, retry } = said;
  const { model } = context;
  if (status === 413 || context.tooLong.test(`${code} ${words}`))
    return { kind: "context-overflow", retry: false, words: localized("modelTooLong", { model }) };
  if (status === undefined) return withoutStatus(said, context);
  if (/insufficient_quota|billing/i.test(code)) return noCredit(model, words);
  switch (status) {
    case 401:
    case 403:
      return { kind: "auth", retry: false, words: keyRefused(status, context) };
    case 402:
      return noCredit(model, words);
    case 404:
      return { kind: "bad-request", retry: false, words: localized("modelNotThere", { model, words }) };
    case 429:
      return tooOften(said, model);
    default:
      if (status < 300) return brokeOff(model);
      if (status < 500 && !retry)
        return {
          kind: "bad-request",
          retry: false,
          words: localized("modelRefused", { model, status: `${status}`, words }),
        };
      return {
        kind: "overloaded",
        retry,
        words: localized("modelAway", { model, status: `${status}` }),
        retryAfterMs: said.retryAfterMs,
      };
  }
}

const brokeOff = (model: string): Verdict => ({
  kind: "broken-stream",
  retry: true,
  words: localized("modelBrokeOff", { model }),
});

const noCredit = (model: string, words: string): Verdict => ({
  kind: "quota",
  retry: false,
  words: localized("modelNoCredit", { model, words }),
});

function tooOften({ retry, retryAfterMs: waitMs }: LocalizedLine, model: string): Verdict {
  const seconds = Math.ceil(waitMs / 1_000);
  const words = waitMs > 0 ? localized("modelLimitsWait", { model, seconds }) : localized("modelLimits", { model });
  return { kind: "rate-limit", retry, words, retryAfterMs: waitMs };
}

/** Without a status it either came in the middle of an answer or never reached anybody. */
function withoutStatus({ code, words, retry }: LocalizedLine, { begun, model }: FailureContext): Verdict {
  if (/overloaded|rate_limit|server|internal|timeout/i.test(code))
    return { kind: "overloaded", retry: true, words: localized("modelAway", { model, status: code.trim() }) };
  if (code.trim() !== "")
    return { kind: "broken-stream", retry, words: localized("modelBrokeOffBecause", { model, words }) };
  return begun
    ? brokeOff(model)
    : { kind: "network", retry: true, words: localized("modelUnreachable", { model, words }) };
}

const keyRefused = (status: number, { keyNames, model }: FailureContext): LocalizedText =>
  keyNames.length === 0
    ? localized("modelKeyless", { model, status: `${status}` })
    : localized("modelKeyRefused", { model, status: `${status}`, keys: keyNames.join(" / ") });

/** One short line. A key that a vendor repeats is taken out, and whatever looks like one. */
function withoutKey(text: string, apiKey: string | undefined): string {
  const plain = apiKey === undefined || apiKey === "" ? text : text.replaceAll(apiKey, "***");
  return plain
    .replace(/\b(?:sk|pk|key|AIza)[-_A-Za-z0-9*]{8,}/g, "***")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, VENDOR_WORDS_CHARS_MAX)
    .toWellFormed();
}

function causes(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let next = error; next !== undefined && next !== null && chain.length < CAUSES_MAX;) {
    chain.push(next);
    next = next instanceof Error ? next.cause : undefined;
  }
  return chain;
}
