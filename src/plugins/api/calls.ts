/**
 * Calls that a plugin makes for somebody else than the turn: a code cell, or an agent that runs outside. They pass the
 * same gate, hooks and permission prompt as the model's own, and are recorded under the caller. Only bundled and trusted
 * plugins.
 */
import type { By } from "../../protocol/actor.ts";
import type { CallerId, SessionId } from "../../protocol/ids.ts";
import type { Json, JsonObject } from "../../protocol/json.ts";
import type { Refused } from "../../protocol/refusal.ts";
import type { CallStatus } from "../../protocol/transcript-entry.ts";
import type { ToolContext } from "../tool.ts";

/** What the gateway passes to the tool in which a cell runs. */
export type CellPlace = Pick<ToolContext, "sessionId" | "turnId" | "callId" | "epoch" | "caller" | "signal">;

/** The gateway renews the lease as long as this process lives; `signal` is the connection's, and closes the caller. */
export type ExternalCaller = {
  kind: "external";
  sessionId: SessionId;
  connection: string;
  signal: AbortSignal;
  /** The person whose own program it is: its calls are recorded as theirs. Absent: an agent's. */
  lentTo?: By;
};
export type CellCaller = { kind: "cell"; parent: CellPlace };

/**
 * A refusal by the gate is a result, too: `status` is then `refused`. `followed`: a command of a slice was committed with
 * it, such as a question to a person whether this very call may run.
 */
export type CallAnswer = { callId: string; status: CallStatus; content: Json; followed?: true };

export type OpenCaller = {
  readonly id: CallerId;
  /** Aborts when the caller is gone: closed, lost to somebody else, suspended and settled, or without a store. */
  readonly over: AbortSignal;
  /** `refused`: the call was not made at all. `ref` is what the caller itself calls it. */
  call(tool: string, args: JsonObject, options?: { signal?: AbortSignal; ref?: string }): Promise<CallAnswer | Refused>;
  /** Suspends a cell, which may be resumed for so long. Calls on their way are recorded when they end. */
  suspend(keptMs: number): Promise<Refused | undefined>;
  /** Stops what runs, records it, and leaves. */
  close(): Promise<void>;
};

/** Claimed calls that nobody reported on: they were not repeated. */
export type ResumedCell = { caller: OpenCaller; unknown: readonly string[] };

/** The end of a call that a caller made, as the transcript has it; `ref` is what the caller itself called it. */
export type RecordedCall = Omit<CallAnswer, "followed"> & { tool: string; ref?: string };

export type CallsApi = {
  /** A session in which an agent from outside works: people plan and approve in it, and no model is asked. */
  createSession(given: {
    title: string;
    agentId?: string;
    workspace?: string;
  }): Promise<{ sessionId: SessionId } | Refused>;
  open(given: ExternalCaller | CellCaller): Promise<OpenCaller | Refused>;
  /** A suspended cell goes on in another call, maybe in another turn, or after a restart. */
  resume(given: { callerId: CallerId; parent: CellPlace }): Promise<ResumedCell | Refused>;
  /** How the calls of a caller ended, newest first: for whoever resumes a cell and did not see its calls end. */
  results(given: { sessionId: SessionId; callerId: CallerId }): Promise<readonly RecordedCall[]>;
};
