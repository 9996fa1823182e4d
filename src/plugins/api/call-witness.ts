/** Whoever watches what calls change: asked right before a call with a permit runs, and told when it has ended. */
import type { JsonObject } from "../../protocol/json.ts";
import type { Session } from "../../protocol/session.ts";
import type { ToolKind } from "../../protocol/gate.ts";

/** A call that was claimed and is about to change something. */
export type WitnessedCall = {
  session: Session;
  /** The sessions that it works for, from the nearest up. */
  above: readonly Session[];
  settings: Readonly<Record<string, unknown>>;
  callId: string;
  tool: string;
  kind: ToolKind;
  args: JsonObject;
  /** The folder that it works in, free of links. */
  workspace: string;
};

export type CallOutcome = { status: string; content: unknown };

/** Told once, in whatever way the call ended; it resolves before the result is recorded. */
export type Witnessing = { ended(outcome: CallOutcome): Promise<void> };

export type CallWitness = {
  /** Undefined: it does not care. `refusal`: the call is not run, and its result says why. It never throws. */
  begins(call: WitnessedCall): Promise<Witnessing | { refusal: string } | undefined>;
};
