/** The port that answers requests: one function per method, called after authentication, scope and schema. */
import type { z } from "zod";
import type { Actor, Scope } from "../protocol/actor.ts";
import type { SessionId } from "../protocol/ids.ts";
import type { MethodName, ParsedParamsOf, ResultOf } from "../protocol/methods.ts";
import type { Refused } from "../protocol/refusal.ts";

export type OperatorActor = Extract<Actor, { kind: "operator" }>;

/** The events of sessions on the caller's own connection. */
export type Subscriptions = {
  /** Missed events first, then live ones, without gap or repetition. */
  add(sessionId: SessionId, afterCursor: number | undefined): Promise<{ cursor: number; resumed: boolean } | Refused>;
  remove(sessionId: SessionId): void;
  /** From now on this connection receives notices of changed sessions. */
  watch(): void;
};

export type Caller = {
  /** Made by the server from the credential: the person, their scopes, and the surface (GW-09). */
  actor: OperatorActor;
  connectionId: string;
  subscriptions: Subscriptions;
};

/** `connect` is the transport's own; every other method is answered here. */
export type AnsweredMethod = Exclude<MethodName, "connect">;

/** A method that is registered while the gateway runs; undefined: nobody answers to this name now. */
export type LookUpMethod = (name: string) => LateMethod | undefined;
export type LateMethod = {
  scope: Scope;
  params: z.ZodType;
  answer(params: unknown, caller: Caller): Promise<object | Refused>;
};

export type MethodTable = {
  [Name in AnsweredMethod]: (params: ParsedParamsOf<Name>, caller: Caller) => Promise<ResultOf<Name> | Refused>;
};
