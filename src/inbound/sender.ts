/** Who sends something, already proven by the surface, and under which key: the same key is the same request. */
import type { Dispatch } from "../engine/dispatch.ts";
import type { Card } from "../protocol/card/card.ts";
import type { OperatorActor } from "../plugins/api/controls.ts";

/** `onChannel`: by a chat channel, where what is answered stands among others (CH-03). */
export type Sender = Dispatch & {
  actor: OperatorActor;
  onChannel?: true;
  /** What the surface proves to have shown this person, for commands that answer it (PL-20). */
  shown?: readonly Card[];
};
