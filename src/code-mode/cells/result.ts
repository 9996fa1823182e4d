/** The three shapes that `exec` and `wait` answer with; which one, the host alone decides. */
import type { Json } from "../../protocol/json.ts";
import { type JsonObject } from "../../protocol/json.ts";
import type { ToolOutput } from "../../plugins/sdk.ts";
import type { CallReceipt, CellOutcome, ErrorCode, OutputItem } from "../sandbox/sandbox.ts";
import type { CodeModeTelemetry } from "./telemetry.ts";

export type PendingToolCall = {
  callId: string;
  toolId: string;
  state: "queued" | "running" | "awaiting_approval";
  startedAt: string;
};
export type ToolReceipt = { callId: string; toolId: string; state: CallReceipt["state"] };

export type CodeModeResult =
  | { status: "completed"; value: Json; output?: OutputItem[]; telemetry: CodeModeTelemetry }
  | {
      status: "waiting";
      runId: string;
      reason: "pending_tools" | "yield";
      pendingToolCalls?: PendingToolCall[];
      output?: OutputItem[];
      telemetry: CodeModeTelemetry;
    }
  | {
      status: "failed";
      error: string;
      code?: ErrorCode;
      output?: OutputItem[];
      calls?: ToolReceipt[];
      telemetry: CodeModeTelemetry;
    };

const ERROR_CHARS_MAX = 4_000;

export type Failure = {
  error: string;
  code?: ErrorCode | undefined;
  telemetry: CodeModeTelemetry;
  outcome?: CellOutcome | undefined;
  calls?: ToolReceipt[];
};

export function failedResult({ error, code, telemetry, outcome, calls = [] }: Failure): CodeModeResult {
  return {
    status: "failed",
    error: (error === "" ? "The cell failed." : error).slice(0, ERROR_CHARS_MAX).toWellFormed(),
    ...(code === undefined ? {} : { code }),
    ...outputOf(outcome),
    ...(calls.length === 0 ? {} : { calls }),
    telemetry,
  };
}

export const outputOf = (outcome: CellOutcome | undefined): { output?: OutputItem[] } =>
  outcome === undefined || outcome.output.length === 0 ? {} : { output: outcome.output };

export const resultJson = (result: CodeModeResult): JsonObject => {
  const content: JsonObject = JSON.parse(JSON.stringify(result));
  return content;
};

/** A cell that waits is no failure: the model goes on with `wait`. */
export function toolOutput(result: CodeModeResult): ToolOutput {
  return { status: result.status === "failed" ? "error" : "ok", content: resultJson(result) };
}
