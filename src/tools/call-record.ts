/**
 * Records what happens to a call in the session. Every command carries the caller and the epoch, so a successor cannot
 * be overwritten.
 */
import { z } from "zod";
import type { Clock, SessionOutcome, Sessions } from "../plugins/sessions.ts";
import type { Actor } from "../protocol/actor.ts";
import type { CallerRef } from "../protocol/calls/caller.ts";
import type { GateRefusal, ToolKind } from "../protocol/gate.ts";
import type { SessionId, TurnId } from "../protocol/ids.ts";
import { Json, type JsonObject } from "../protocol/json.ts";
import type { Refusal } from "../protocol/refusal.ts";
import type { CommandOf, SliceGrant } from "../protocol/session.ts";
import { CallStatus } from "../protocol/transcript-entry.ts";
import { pause } from "./deadline.ts";
import type { CallResult } from "./tool-result.ts";

/** How often a result is offered to a failing store, before the turn is left to whoever takes it over. */
const RECORD_TRIES_MAX = 5;
const RECORD_RETRY_MS = 200;

/** Under whose lease a call is made: the turn's, or that of a caller of its own. `signal` stops it. */
export type Caller = TurnCaller | OtherCaller;
export type TurnCaller = Leased & { turnId: TurnId };
export type OtherCaller = Leased & {
  ref: CallerRef;
  /** Of a cell: the turn that it runs in. */
  turnId?: TurnId;
  /** In whose name its calls are recorded; absent: the agent's. */
  actor?: Extract<Actor, { kind: "agent" }>;
};
type Leased = {
  sessionId: SessionId;
  epoch: number;
  signal: AbortSignal;
  /** For how long the lease still holds; absent: nobody else can take it. */
  leaseLeftMs?: () => number;
};
export type CallAt = { callId: string; caller: Caller };

/** `stopped`: the call is still open, and this caller can do nothing more in the turn, for the reason given. */
export type CallEnd = { status: "closed"; result?: StoredResult } | { status: "stopped"; refusal: Refusal };
/** `followed`: a command of a slice was committed with the refusal, such as a question to a person. */
export type StoredResult = { status: CallStatus; content: Json; followed?: true };
export const CLOSED: CallEnd = { status: "closed" };

export type CallRecord = {
  claim(
    at: CallAt,
    gated: { kind: ToolKind; argsDigest: string; grant?: SliceGrant | undefined; under?: JsonObject },
  ): Promise<SessionOutcome>;
  finish(at: CallAt, result: CallResult): Promise<CallEnd>;
  refuse(
    at: CallAt,
    refusal: GateRefusal,
    beside?: Pick<CommandOf<"call.refuse">, "by" | "also" | "endTurn">,
  ): Promise<CallEnd>;
  apply(at: CallAt, change: { slice: string; command: JsonObject }): Promise<CallEnd>;
  /** Before it starts: the arguments that it will run with instead of the model's. `closed` means that they are stored. */
  rewrite(at: CallAt, form: { args: JsonObject; argsDigest: string; by: string }): Promise<CallEnd>;
};

type Closing =
  | CommandOf<"call.finish">
  | CommandOf<"call.refuse">
  | CommandOf<"call.apply">
  | CommandOf<"call.rewrite">;

export function createCallRecord(sessions: Sessions, clock: Clock): CallRecord {
  /** A store that cannot be read is treated like one that does not accept the commit. */
  function order({ caller }: CallAt, command: Closing | CommandOf<"call.claim">): Promise<SessionOutcome> {
    const { sessionId } = caller;
    const actor = ("actor" in caller ? caller.actor : undefined) ?? { kind: "agent" as const, sessionId };
    return sessions.dispatch(sessionId, command, { actor }).catch(() => ({ ok: false, refusal: STORE_AWAY }));
  }

  async function close(at: CallAt, command: Closing): Promise<CallEnd> {
    for (let tries = 1; ; tries++) {
      const outcome = await order(at, command);
      // a call that is closed already has its result: a reply that was lost on the way had committed
      if (outcome.ok) return closedWith(at, outcome.reply);
      if (outcome.refusal.code === "CALL_NOT_OPEN") return CLOSED;
      if (outcome.refusal.retry !== true || tries >= RECORD_TRIES_MAX) {
        return { status: "stopped", refusal: outcome.refusal };
      }
      await pause(clock, RECORD_RETRY_MS * 2 ** (tries - 1));
    }
  }

  return {
    claim: (at, gated) => order(at, { type: "call.claim", ...onCall(at), ...gated }),
    finish: (at, result) => close(at, { type: "call.finish", ...onCall(at), ...result }),
    refuse: (at, refusal, beside = {}) => close(at, { type: "call.refuse", ...onCall(at), refusal, ...beside }),
    apply: (at, change) => close(at, { type: "call.apply", ...onCall(at), ...change }),
    rewrite: (at, form) => close(at, { type: "call.rewrite", ...onCall(at), ...form }),
  };
}

const STORE_AWAY: Refusal = { code: "STORE_UNAVAILABLE", message: "The store cannot be reached.", retry: true };

/** A caller of its own is answered with the result that was stored; a turn reads it from its transcript. */
function closedWith({ caller }: CallAt, reply: Json): CallEnd {
  const result = "ref" in caller ? Stored.safeParse(reply) : undefined;
  return result?.success === true ? { status: "closed", result: result.data } : CLOSED;
}
const Stored = z.strictObject({ status: CallStatus, content: Json, followed: z.literal(true).exactOptional() });

const onCall = ({ callId, caller }: CallAt) => ({ ...proofOf(caller), callId });
const proofOf = (caller: Caller) =>
  "ref" in caller
    ? { caller: { id: caller.ref.id, epoch: caller.epoch } }
    : { turnId: caller.turnId, epoch: caller.epoch };
