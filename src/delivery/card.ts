/** A card as delivery sees it: a name, a revision, what a surface draws, and what its buttons mean. */
import type { Scope } from "../protocol/actor.ts";
import type { Json, JsonObject } from "../protocol/json.ts";
import type { Session } from "../protocol/session.ts";

/** What pressing a button requests, in the name of the person who presses it. */
export type CardAction =
  | { kind: "set"; field: string; value: Json }
  /** With the person's words in the value, under `textField`. */
  | {
      kind: "set-text";
      field: string;
      value: JsonObject;
      textField: string;
      charsMax: number;
      label: string;
      scope: Scope;
    }
  | { kind: "action"; pluginId: string; action: string; params: JsonObject }
  | { kind: "command"; name: string; args: string };

export type Card = {
  /** Stable for as long as the card is about the same thing. */
  cardId: string;
  /** Changes whenever the card must be drawn again. */
  revisionHash: string;
  payload: Json;
  actions: Readonly<Record<string, CardAction>>;
  /**
   * Who is sent it as a new message: also those who follow whatever waits, or only those who follow the session. Any card is
   * drawn again where it stands already.
   */
  newFor: "everybody" | "session" | "nobody";
  /** A reminder: it is sent where the card of this name stands, and nowhere else. */
  remindsOf?: string;
  /** How far it was escalated. */
  escalation?: number;
};

/** The cards of a session as it is now, in the order in which they are shown. */
export type Describe = (session: Session) => readonly Card[];
