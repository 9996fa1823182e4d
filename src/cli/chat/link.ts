/** What a command needs of a connection: requests with answers, events as they come, and word of its ups and downs. */
import type { Person } from "../../protocol/card/person.ts";
import type { SessionId } from "../../protocol/ids.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { MethodName, ParamsOf, ResultOf } from "../../all-methods.ts";

export type LinkEvent = { event: string; payload: JsonObject };

export type LinkState =
  | { connected: true }
  /** It comes back by itself. */
  | { connected: false; ended: false }
  /** It does not: the token was revoked, or the gateway speaks another language now. */
  | { connected: false; ended: true };

export type Link = {
  /** The operator at this end: their own decisions are shown as theirs, and what they may not do is said. */
  operator(): Person;
  /** Rejects with a CliError: refused, or the gateway is gone. */
  call<Name extends Exclude<MethodName, "connect">>(method: Name, params: ParamsOf<Name>): Promise<ResultOf<Name>>;
  /** Events of a session from now on, over every reconnect; `onMissed` when so many were missed that it must be read anew. */
  follow(sessionId: SessionId, onMissed: () => void): Promise<void>;
  onEvent(listener: (event: LinkEvent) => void): () => void;
  onState(listener: (state: LinkState) => void): () => void;
  close(): void;
};
