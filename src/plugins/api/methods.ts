/** RPC methods and plain addresses that a plugin answers, and what of the gateway it works with while it does. */
import type { z } from "zod";
import type { Scope } from "../../protocol/actor.ts";
import type { SessionId } from "../../protocol/ids.ts";
import type { Json, JsonObject } from "../../protocol/json.ts";
import type { Refused } from "../../protocol/refusal.ts";
import type { OnBehalfOf, SessionOutcome } from "../sessions.ts";
import type { PluginSession } from "./command.ts";
import type { OperatorActor } from "./controls.ts";

/** An immutable document of a session, such as a plan revision: stored by an effect, never changed. */
export type StoredDocument = {
  sessionId: SessionId;
  kind: string;
  id: string;
  digest: string;
  body: Json;
  atMs: number;
};
export type DocumentQuery = { kind: string; sessionId?: SessionId; cursor: string | null; limit: number };
export type DocumentPage = { items: StoredDocument[]; nextCursor: string | null };

export type Documents = {
  get(kind: string, id: string): Promise<StoredDocument | undefined>;
  /** Newest first. Refused: the cursor is none that an earlier page returned. */
  list(query: DocumentQuery): Promise<DocumentPage | Refused>;
};

/** Whether an operator, or a browser's log-in, still stands for what they made: false once either was revoked. */
export type Vouches = (id: string) => Promise<boolean>;

export type ReadSession = (sessionKey: string) => Promise<PluginSession | undefined>;

/** The caller, and what can be done in their name. */
export type MethodCall = {
  actor: OperatorActor;
  nowMs: number;
  /** The caller, with the request's own key where it carries one: handed on, a repeated request is carried out once. */
  by: OnBehalfOf;
  vouches: Vouches;
  /** A refusal that names the scopes that the caller lacks for this; undefined when they lack none. */
  lacking(what: string, scopes: readonly Scope[]): Refused | undefined;
  /** Sends a command to a slice that this plugin registered; any other is refused. */
  apply(sessionId: SessionId, order: { slice: string; command: JsonObject }): Promise<SessionOutcome>;
  /** Sets a field of `sessions.patch` that this plugin registered, by the same port and under the same rules. */
  setField(set: { sessionId: SessionId; field: string; value: Json }): Promise<SessionOutcome>;
};

export type PluginMethod<Params, Result> = {
  /** `plans.list`. A plugin that is not bundled puts its own id before the dot. */
  name: string;
  scope: Scope;
  /** One sentence for people who read the protocol. */
  about: string;
  params: z.ZodType<Params>;
  result: z.ZodType<Result>;
  answer(params: Params, call: MethodCall): Promise<Result | Refused>;
};

export type GatewayMethodHandler = (
  params: JsonObject,
  call: MethodCall,
) => JsonObject | Refused | Promise<JsonObject | Refused>;

type MethodRow = { scope: Scope | "public"; summary: string; params: z.ZodType; result: z.ZodType };
type MethodRows = Record<string, MethodRow>;
export type Answers<Rows extends MethodRows> = {
  [Name in keyof Rows]: (
    params: z.output<Rows[Name]["params"]>,
    call: MethodCall,
  ) => Promise<z.output<Rows[Name]["result"]> | Refused>;
};

/** The methods of a table with their answers. Shapes are still made when they are first asked for. */
export function methodsOf<Rows extends MethodRows>(
  rows: Rows,
  answers: Answers<Rows>,
): PluginMethod<unknown, object>[] {
  return Object.entries(rows).map(([name, row]) => {
    if (row.scope === "public") throw new Error(`${name}: a plugin has no public methods`);
    return {
      name,
      scope: row.scope,
      about: row.summary,
      get params() {
        return row.params;
      },
      get result() {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every result in the tables is an object
        return row.result as z.ZodType<object>;
      },
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its parameters are parsed by the schema of the same row
      answer: answers[name] as unknown as PluginMethod<unknown, object>["answer"],
    };
  });
}

/** A plain address that reads: whoever knows it gets the answer, without a token. */
export type PluginRoute = {
  /** Everything below it is the plugin's. One that is not bundled has `/plugins/<its id>/`. */
  below: string;
  answer(request: { path: string; nowMs: number; vouches: Vouches }): Promise<PluginAnswer>;
};
export type PluginAnswer = { status: number; body: string; headers?: Readonly<Record<string, string>> };
