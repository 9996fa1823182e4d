/** Who sends something, already proven by the surface, and under which key: the same key is the same request. */
import type { Dispatch } from "../engine/dispatch.ts";
import type { OperatorActor } from "../plugins/api/controls.ts";

export type Sender = Dispatch & { actor: OperatorActor };
