/**
 * Ordinary hooks around a tool call, as the pipeline knows them (GA-02, PG-09): all plugins' together, behind one port.
 * They come after the trusted policies and can only make things stricter. When the port itself fails or gives no answer in
 * time, nothing opens: a call that changes something is then put before a person, as if a hook had asked for it.
 */
import type { CallerRef } from "../protocol/calls/caller.ts";
import type { ToolEffect, ToolKind } from "../protocol/gate.ts";
import type { SessionId, TurnId } from "../protocol/ids.ts";
import type { JsonObject } from "../protocol/json.ts";
import type { SessionKind } from "../protocol/session.ts";
import type { CallStatus } from "../protocol/transcript-entry.ts";

export type HookedCall = {
  sessionId: SessionId;
  /** Absent where an agent outside makes the call. */
  turnId?: TurnId;
  /** Who makes the call; absent: the turn. */
  caller?: CallerRef;
  agentId: string;
  sessionKind: SessionKind;
  callId: string;
  tool: string;
  kind: ToolKind;
  effect: ToolEffect;
  /** What the call is, where its tool's name alone would mislead: a cell of code is `code_mode_exec`. */
  toolKind?: string;
  toolInputKind?: string;
  /** Frozen: what is judged here is what runs. */
  args: JsonObject;
};

/**
 * `ask`: a person must say yes to exactly this call, whatever the permission mode; a reading call, for which there is no
 * such yes, is refused instead. `reason` is read by the agent and by people.
 */
export type HookVerdict =
  | { verdict: "pass" }
  | { verdict: "block"; reason: string; by?: string }
  | { verdict: "ask"; reason: string; by?: string };

/** `applied`: the call was a command of a session extension, whose own facts say what came of it. */
export type CalledTool = HookedCall & { status: CallStatus | "applied"; durationMs: number };

export type ToolHooks = {
  /** False: no hook is registered, and the call is not even described. Absent means true. */
  listens?(): boolean;
  /** Answers at once where it can: a promise costs more than most hooks. Several answers are one: the strictest. */
  beforeToolCall(call: HookedCall): HookVerdict | Promise<HookVerdict>;
  /** A call that only reads begins: no fact of the session says so. What it throws is reported and changes nothing. */
  readStarted?(call: Pick<HookedCall, "sessionId" | "turnId" | "callId" | "tool">): void;
  /** After the result is stored. What it does or throws changes nothing any more. */
  afterToolCall(call: CalledTool): void | Promise<void>;
};
