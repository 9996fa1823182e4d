/** The events that the client emits, by name and payload, and the emitter that delivers them. */
import type { SessionCards } from "../protocol/card/card.ts";
import type { SessionId, TurnId } from "../protocol/ids.ts";
import type { JsonObject } from "../protocol/json.ts";
import type { SessionsChanged, SessionView } from "../protocol/methods.ts";
import type { PluginsChanged } from "../protocol/plugin/plugin-packages.ts";
import type { BundledEvent } from "../bundled.ts";
import type { SessionEvent } from "../protocol/session.ts";
import type { LocalizedLine } from "../protocol/localized/localized-text.ts";

type OwnFact = Exclude<SessionEvent, { type: "slice.changed" | "session.created" }>;
type Fact = OwnFact | BundledEvent;
type Place = { sessionId: SessionId; atMs: number };

/** Events of the gateway by name, with what each carries. A plugin may add names that are not listed here. */
export type EventPayloads = {
  [Name in Fact["type"]]: Place & Omit<Extract<Fact, { type: Name }>, "type">;
} & {
  "session.created": Place & { session: SessionView };
  /** The cards of a session as they are now, and those that were closed since the last word of them. */
  "session.cards": { sessionId: SessionId } & SessionCards;
  /** A piece of an answer, or of a running call's output; not stored. Without a turn: output of a call of an agent outside. */
  "turn.delta": { sessionId: SessionId; turnId?: TurnId; text: string; callId?: string; said?: LocalizedLine[] };
  /** After `sessions.watch`: sessions of any kind, as they are now. */
  "sessions.changed": SessionsChanged;
  /** After `sessions.watch`: a plugin was switched on or off, or needs attention. */
  "plugins.changed": PluginsChanged;
  /** The gateway is about to close this connection; the client comes back by itself. */
  "gateway.draining": { cursor: number };
};

export type EventName = keyof EventPayloads;

export type HoldpointEvent<Name extends string = string> = {
  event: Name;
  payload: Name extends EventName ? EventPayloads[Name] : JsonObject;
  /** Present on durable events. */
  cursor?: number;
};

type Listener = (event: HoldpointEvent) => void;

export type Emitter = {
  /** `*` receives every event. */
  on(event: string, listener: Listener): () => void;
  emit(event: HoldpointEvent): void;
};

export function createEmitter(): Emitter {
  const listeners = new Map<string, Set<Listener>>();
  return {
    on(event, listener) {
      const heard = listeners.get(event) ?? new Set();
      listeners.set(event, heard.add(listener));
      return () => void heard.delete(listener);
    },
    emit(event) {
      for (const name of [event.event, "*"]) for (const listener of listeners.get(name) ?? []) listener(event);
    },
  };
}
