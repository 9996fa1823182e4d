/** The model port: a transcript and a tool catalog go in, text and tool calls stream out. */
import type { JsonObject } from "../protocol/json.ts";
import type { Entry, ToolCall } from "../protocol/transcript.ts";

export type ToolSpec = { name: string; description: string; inputSchema: JsonObject };

export type ModelRequest = {
  sessionId: string;
  turnId: string;
  system: string;
  /** What was said and done so far, oldest first; notices are for people and are left out. */
  entries: readonly Entry[];
  tools: readonly ToolSpec[];
  workspace: string;
  signal: AbortSignal;
};

export type ModelPart =
  | { type: "text"; delta: string }
  | { type: "call"; call: ToolCall }
  | { type: "end"; reason: "stop" | "calls" | "length" };

/** The model could not answer. `retry` tells whether the same request may succeed later. */
export class ModelFailure extends Error {
  readonly retry: boolean;
  constructor(message: string, options: { retry: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.retry = options.retry;
  }
}

export type Model = {
  id: string;
  /** A scripted model says so wherever it shows. */
  scripted: boolean;
  stream(request: ModelRequest): AsyncIterable<ModelPart>;
};
