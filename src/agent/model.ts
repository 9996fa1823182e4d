/** The model port: a transcript and a tool catalog go in, text and tool calls stream out. */
import type { JsonObject } from "../protocol/json.ts";
import type { LocalizedLine, LocalizedText } from "../protocol/localized/localized-text.ts";
import type { Entry, Kept, ToolCall, Usage } from "../protocol/transcript-entry.ts";

export type ToolSpec = { name: string; description: string; inputSchema: JsonObject };

export type ModelRequest = {
  sessionId: string;
  turnId: string;
  system: string;
  /** What was said and done so far, oldest first; notices are for people and are left out. */
  entries: readonly Entry[];
  tools: readonly ToolSpec[];
  /** Where it is there, the request that leaves names exactly these tools, or does not leave. */
  toolsExactly?: readonly string[];
  workspace: string;
  /** Images that people attached to what the entries say, by their ids; older ones may be left out. */
  pictures?: ReadonlyMap<string, Picture>;
  signal: AbortSignal;
};

export type Picture = { mediaType: string; /** In base64. */ bytes: string };

export type ModelPart =
  | { type: "text"; delta: string }
  | { type: "call"; call: ToolCall }
  /** The model is working and has nothing to show yet: a sign of life. */
  | { type: "thinking" }
  | { type: "usage"; usage: Usage }
  /** What this model needs to get back together with this answer. */
  | { type: "keep"; kept: Kept }
  | { type: "end"; reason: "stop" | "calls" | "length" };

/** Why a model could not answer. Whoever acts on a failure branches on this, never on its words. */
export type FailureKind =
  | "missing-key"
  | "auth"
  | "quota"
  | "rate-limit"
  | "overloaded"
  | "network"
  | "timeout"
  | "broken-stream"
  /** The conversation is longer than the model's window: asking again cannot help, compaction can. */
  | "context-overflow"
  | "bad-request"
  | "filtered"
  | "other";

type FailureOptions = { retry: boolean; kind?: FailureKind; retryAfterMs?: number; cause?: unknown };

/** The model could not answer. `retry`: the same request may succeed later; the message is for people. */
export class ModelFailure extends Error {
  readonly retry: boolean;
  readonly kind: FailureKind;
  /** How long the provider asks to be left alone. */
  readonly retryAfterMs: number;
  /** The meaning of each line of the message, for translation. */
  readonly said: LocalizedLine[];
  constructor(words: LocalizedText, { retry, kind = "other", retryAfterMs = 0, cause }: FailureOptions) {
    super(words.text, { cause });
    this.said = words.said;
    this.retry = retry;
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}

export type Model = {
  id: string;
  /** True for a scripted model, which is marked wherever it is shown. */
  scripted: boolean;
  /** How much it can read at once, where that is known. */
  contextTokens?: number;
  stream(request: ModelRequest): AsyncIterable<ModelPart>;
};
