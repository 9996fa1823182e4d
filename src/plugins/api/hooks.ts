/**
 * Ordinary hooks (PG-09). They run after the trusted policies, in order of priority (greater first), each within its
 * time-out. What a hook answers can only make things stricter. A hook that fails or takes too long is passed over and counted
 * against its plugin; before a call that changes something a person is then asked, because the hook may have wanted that.
 */
import type { Json, JsonObject } from "../../protocol/json.ts";
import type { ToolEffect, ToolKind } from "../../protocol/gate.ts";

export const HOOK_MS_DEFAULT = 2_000;
export const HOOK_MS_MAX = 15_000;

type At = { sessionKey: string; agentId: string; sessionKind: string };
type InRun = At & { runId: string };

/** Of a call whose tool's name would mislead: a program of code mode is `code_mode_exec`, in this language. */
type Program = { toolKind?: string; toolInputKind?: string };
type OfCall = InRun & Program & { callId: string; tool: string; kind: ToolKind };

/** Arguments only for plugins whose manifest asks for `tool-arguments`, words only for `message-text`. */
export type HookEvents = {
  before_tool_call: OfCall & { effect: ToolEffect; args?: JsonObject };
  after_tool_call: OfCall & { status: string; durationMs: number };
  /** Before the model is asked for the first time in a turn; what it adds is recorded with the turn's input. */
  agent_turn_prepare: InRun & { turnCount: number; atMs: number };
  /** When the stable part of the prompt is put together; the same session must get the same words. */
  before_prompt: At & { modelId: string };
  message_received: At & { messageId: string; from: string; text?: string };
  message_sent: InRun & { text?: string };
  session_start: At & { surface: string };
  session_end: At & { reason: "reset" | "delete" };
  gateway_start: { version: string };
  gateway_stop: { version: string };
};
export type HookName = keyof HookEvents;

export type HookAnswers = {
  before_tool_call: { block: string } | { ask: string } | undefined;
  after_tool_call: undefined;
  agent_turn_prepare: { prependContext?: string; appendContext?: string } | undefined;
  before_prompt: { appendText?: string } | undefined;
  message_received: undefined;
  message_sent: undefined;
  session_start: undefined;
  session_end: undefined;
  gateway_start: undefined;
  gateway_stop: undefined;
};

export type HookHandler<Name extends HookName> = (
  event: HookEvents[Name],
) => HookAnswers[Name] | void | Promise<HookAnswers[Name] | void>;

export type HookOptions = { priority?: number; timeoutMs?: number };

/** What agents do, as it happens: facts that are already stored, without secrets, bounded. */
export type AgentEvent = {
  /** `turn.started`, `tool.finished`, `plan.approved`, … or `plugin.<id>.<name>` of a plugin that emits its own. */
  type: string;
  sessionKey: string;
  runId?: string;
  atMs: number;
  data: Json;
};

export type AgentEvents = {
  /** Patterns such as `plan.*`; needs `agent-events`. Returns the end of the subscription. */
  subscribe(types: readonly string[], handler: (event: AgentEvent) => void | Promise<void>): () => void;
  /** Under the plugin's own name, to those who watch the session; beyond the rate it is refused. */
  emit(event: { name: string; sessionKey: string; data?: Json }): Promise<{ emitted: boolean }>;
};
