/**
 * A slice is a machine of its own inside a session: plan mode is one, a deploy approval could be another.
 * It decides on its commands, evolves by its events and asks for effects, all of it pure; the session stores its
 * state, and the same transaction carries everything that one command caused.
 */
import type { z } from "zod";
import type { Actor } from "../protocol/actor.ts";
import type { CallerRef } from "../protocol/calls/caller.ts";
import type { Card } from "../protocol/card/card.ts";
import type { GateRefusal, ToolEffect, ToolKind } from "../protocol/gate.ts";
import type { Json, JsonObject } from "../protocol/json.ts";
import { refuse, type Refused } from "../protocol/refusal.ts";
import type { Session, SliceEvent, SliceGrant } from "../protocol/session.ts";
import type { CallStatus } from "../protocol/transcript-entry.ts";
import type { Effect, LastOrder } from "./effect.ts";

/** Random strings handed in with each command: 128 bits each, so that an id made of one cannot be guessed. */
export const FRESH_STRINGS = 4;

/** Time, chance and identity as data: with the same context the same command has the same answer. */
export type Context = {
  nowMs: number;
  actor: Actor;
  fresh: readonly string[];
  /** Settings per slice, resolved for this session's agent and binding. */
  settings: Readonly<Record<string, unknown>>;
  /** Ids of operators and of passkeys that were revoked: what they decided before counts no more. Absent: none. */
  revoked?: ReadonlySet<string>;
};

export type SliceContext<Settings> = {
  nowMs: number;
  actor: Actor;
  settings: Settings;
  session: Pick<
    Session,
    | "id"
    | "agentId"
    | "kind"
    | "role"
    | "workspace"
    | "surface"
    | "turn"
    | "turnCount"
    | "timers"
    | "injections"
    | "slices"
    | "stopped"
    | "callers"
  >;
  /** No person's message or decision started the running turn: no rule may approve anything in it. */
  readonly unattended?: boolean;
  /** As in `Context`. */
  readonly revoked?: ReadonlySet<string> | undefined;
  /** A fresh id with this prefix; `slot` tells apart several ids of one command. */
  freshId(prefix: string, slot: number): string;
};

export type SliceDecision<Event> = { events: Event[]; reply: Json } | Refused;

/** One tool call as the gate sees it, before its executor may run. */
export type GatedCall = {
  tool: string;
  kind: ToolKind;
  effect: ToolEffect;
  argsDigest: string;
  /** The one-off permission by which a policy let the call pass; the guard of its slice must find it unspent. */
  grant?: SliceGrant;
  /** The caller; absent when the turn makes the call. The same rules hold for all. */
  caller?: CallerRef;
  /** In a claim: what the pipeline's policies allowed the call by; a guard may find that it no longer holds. */
  under?: JsonObject;
};
/** `under` names what the call is allowed by, such as the approval in force: it is kept with the claim. */
export type GuardVerdict = { allowed: true; under?: JsonObject } | { allowed: false; refusal: GateRefusal };

/**
 * A machine: its shapes, what it decides, how its facts change it, and what they ask for. What else it may answer stands
 * in `on` (facts of the session that it follows up) and in `describe` (what others read off its state).
 * States, commands and events are JSON; zod's optional fields keep TypeScript from seeing it, so it is not demanded.
 */
export type Slice<State, Command, Event extends { type: string }, Settings> = {
  name: string;
  state: z.ZodType<State>;
  command: z.ZodType<Command>;
  settings: z.ZodType<Settings>;
  initial: State;
  decide(state: State, command: Command, context: SliceContext<Settings>): SliceDecision<Event>;
  /** A new state, or the same: one that was committed is not changed in place, and is frozen where a session is large. */
  evolve(state: State, event: Event): State;
  effects(state: State, event: Event, context: SliceContext<Settings>): Effect[];
  /** Checked in the transaction that claims a mutating call: it has the last word, on the state that commits. */
  guard?(state: State, call: GatedCall, context: SliceContext<Settings>): GuardVerdict;
  on?: SliceHandlers<State, Event, Settings>;
  describe?: SliceDescriptions<State, Event, Settings>;
};

/** `by`: the id of the policy that refused, or the name of the slice whose guard did; absent where neither was asked. */
export type RefusedCall = GateRefusal & { by?: string };

/** A call that ran: with which arguments, from when on, and what came of it. */
export type FinishedCall = {
  callId: string;
  tool: string;
  args: JsonObject;
  startedAtMs: number;
  /** It had a permit to change something. */
  claimed?: true;
  status: CallStatus;
  content: Json;
};

/** How a slice reacts to events of its session. All of it commits with the event. */
export type SliceHandlers<State, Event, Settings> = {
  /** A session was created, or reset; `before` is the state that a reset took away. */
  create?(context: SliceContext<Settings>, before?: State): Event[];
  /** A person sent a message to the agent. */
  message?(state: State, context: SliceContext<Settings>): Event[];
  /** A call that the guard allowed was claimed: a one-off permission is spent. */
  claim?(state: State, call: GatedCall, context: SliceContext<Settings>): Event[];
  /** A call of this session ended with a result, read or write. */
  result?(state: State, call: FinishedCall, context: SliceContext<Settings>): Event[];
  /** A call was refused in this session, by this slice's policy or by another. */
  refusal?(state: State, refusal: RefusedCall, context: SliceContext<Settings>): Effect[];
  turnEnd?(state: State, outcome: string, context: SliceContext<Settings>): Event[];
  /** The session above stopped this one. */
  stop?(state: State, context: SliceContext<Settings>): Event[];
  /** Another slice of this session emitted an event. */
  peerEvent?(state: State, fact: { slice: string; event: SliceEvent }, context: SliceContext<Settings>): Event[];
  /** The same, where nothing of its own changes by it: what the event asks of this slice, such as work outside. */
  peerEffects?(state: State, fact: { slice: string; event: SliceEvent }, context: SliceContext<Settings>): Effect[];
  /** The session is reset or deleted: orders for its child sessions and for the worker; `state` is the last one before. */
  delete?(state: State): LastOrder[];
};

/** What others derive from a slice's state. Pure, without a clock. */
export type SliceDescriptions<State, Event, Settings> = {
  /**
   * Text that each turn's input contains besides what is queued. It becomes part of the recorded input, so that a
   * retried turn receives the same bytes.
   */
  turnText?(state: State, context: SliceContext<Settings>): string[];
  /** What the agent's heartbeat says about this session; bounded by the slice. */
  heartbeat?(state: State, context: SliceContext<Settings>): string[];
  /** What the agent must not forget when the older part of the conversation is summarised. */
  preserved?(state: State, context: SliceContext<Settings>): string[];
  /** For an agent that stopped by itself: `hold` leaves it alone, `work` says that approved work is unfinished. */
  continuation?(state: State, context: SliceContext<Settings>): Continuation;
  /** A person signed what this very run may do, and it is not done yet: a run of a job is not held while one says so. */
  mandate?(state: State, context: SliceContext<Settings>): boolean;
  /** Whether a child session still works for this one: this session does not rest before it does. */
  awaits?(state: State): boolean;
  /** Commands that make things safer, such as a rejection: still taken when the disk is nearly full. */
  vital?(command: JsonObject): boolean;
  /** The stored documents that this command rests on; where one is gone or altered, what was decided is refused. */
  restsOn?(state: State, command: JsonObject): RestsOn[];
  /** The mode that this slice puts the session in; undefined in the normal one. Lists show it without reading the slice. */
  mode?(state: State): string | undefined;
  /** What waits for a person, if anything: the inbox lists it without reading the slice. */
  waiting?(state: State): Waiting | undefined;
  /** The cards that people see in this session now, what waits first; a deadline is data on a card. */
  cards?(state: State, context: CardContext<Settings>): Card[];
  /**
   * The last state of a card that this event closed; undefined when the event does not close it. `earlier`: what else happened
   * since the card was drawn.
   */
  closedCard?(card: Card, event: Event, earlier: readonly Event[]): Card | undefined;
  /** What surfaces need besides the state to offer this slice's controls: which of them there are by the settings. */
  controls?(state: State, context: CardContext<Settings>): JsonObject | undefined;
};

/** `isIntact` gets the body and the digest as they are stored now. */
export type RestsOn = { kind: string; id: string; isIntact(body: Json, digest: string): boolean };

export type CardContext<Settings> = Pick<SliceContext<Settings>, "session" | "settings">;

export type Continuation = "hold" | "work" | undefined;

export type Waiting = {
  kind: "approval" | "question";
  id: string;
  title: string;
  sinceMs: number;
  deadlineMs: number | null;
};

/** Slices of all shapes in one registry. */
export type AnySlice = Slice<Json, JsonObject, SliceEvent, unknown>;
export type SliceRegistry = ReadonlyMap<string, AnySlice>;

/**
 * Forgets a slice's types so that it can stand in the registry. Safe because what reaches it is its own: states and
 * events that it made itself, and commands that `decide` parses before it looks at them.
 */
export function anySlice<State, Command, Event extends { type: string }, Settings>(
  slice: Slice<State, Command, Event, Settings>,
): AnySlice {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above: this is the one place where the types are forgotten
  const erased = slice as unknown as AnySlice;
  return {
    ...erased,
    decide(state, command, context) {
      const parsed = slice.command.safeParse(command);
      if (!parsed.success) return refuse("INVALID_REQUEST", `${slice.name}: ${firstIssue(parsed.error)}`);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parsed one line above
      return erased.decide(state, parsed.data as JsonObject, context);
    },
  };
}

function firstIssue(error: z.core.$ZodError): string {
  const issue = error.issues[0];
  return issue === undefined ? "invalid command" : `${issue.path.join(".") || "command"}: ${issue.message}`;
}
