/**
 * What becomes of one call, whoever made it: a turn, a cell, or an agent outside. The proof of life has been checked
 * before; what differs between them is in the holder.
 *
 *   call:  open ──claim──▶ claimed ──finish──▶ closed       (mutating: claimed in the store before it starts)
 *           └──finish · refuse · apply──────▶ closed        (reading, refused, or a command of a slice)
 *                    claimed ──its holder died──▶ closed as "unknown", never started again
 */
import type { CallerRef, OpenCall } from "../../protocol/calls/caller.ts";
import { type GateRefusal, RefusalCompletion } from "../../protocol/gate.ts";
import type { Json } from "../../protocol/json.ts";
import { refuse, type Refused } from "../../protocol/refusal.ts";
import type { CommandOf, Session } from "../../protocol/session.ts";
import type { CallStatus } from "../../protocol/transcript-entry.ts";
import { applySlice, type Decision, type Draft, type World } from "../decision.ts";
import { askGuards, claimFacts, resultFacts } from "../guards.ts";
import { refuseHeld } from "../held/held-runs.ts";
import { never } from "../never.ts";
import type { GatedCall } from "../slice.ts";

export type CallOutcome = { status: CallStatus; content: Json };

/** Who holds an open call, and which events record its end. */
export type Holder = {
  session: Session;
  calls: readonly OpenCall[];
  /** The epoch of the lease under which the holder acts. */
  epoch: number;
  /** Absent when the turn itself makes the call. */
  caller?: CallerRef;
  /** Why no further call may start; undefined when one may. */
  held?: Refused;
  closed(call: OpenCall, outcome: CallOutcome): Draft[];
};

export type CallCommand = CommandOf<"call.claim" | "call.finish" | "call.refuse" | "call.rewrite" | "call.apply">;

export function decideCall(holder: Holder, command: CallCommand, world: World): Decision {
  if (command.type === "call.claim" && holder.held !== undefined) return holder.held;
  const call = holder.calls.find((item) => item.callId === command.callId);
  if (call === undefined) {
    const where = holder.caller === undefined ? "in this turn" : `for caller ${holder.caller.id}`;
    return refuse("CALL_NOT_OPEN", `Call ${command.callId} is not open ${where}.`);
  }
  switch (command.type) {
    case "call.claim":
      return claim(holder, { call, command }, world);
    case "call.finish": {
      const { status, content } = command;
      const events = [...holder.closed(call, { status, content }), ...seen(holder, { call, command }, world)];
      return settled(holder, { status, content }, { events, reply: null });
    }
    case "call.refuse":
      return refuseCall(holder, { call, command }, world);
    case "call.rewrite": {
      const { args, argsDigest, by } = command;
      const { callId, tool } = call;
      return {
        events: [{ type: "call.rewritten", callId, tool, args, argsDigest, by, ...byCaller(holder) }],
        reply: null,
      };
    }
    case "call.apply":
      return applyCall(holder, { call, command }, world);
    default:
      return never(command);
  }
}

/** What slices take from the result, in the commit that records it. */
function seen(
  { session }: Holder,
  { call, command }: { call: OpenCall; command: CommandOf<"call.finish"> },
  world: World,
): Draft[] {
  const { ran, status, content } = command;
  if (ran === undefined) return [];
  const { callId, tool } = call;
  const claimed = call.claimed ? { claimed: true as const } : {};
  return resultFacts(session, { callId, tool, ...ran, ...claimed, status, content }, world);
}

const byCaller = ({ caller }: Pick<Holder, "caller">): { caller?: CallerRef } =>
  caller === undefined ? {} : { caller };

/** A caller receives the result in the reply, because it has no transcript to read it from. */
function settled(holder: Holder, outcome: CallOutcome, decision: { events: Draft[]; reply: Json }): Decision {
  return holder.caller === undefined ? decision : { ...decision, reply: outcome };
}

/** The last gate, checked against the state that commits: it overrides whatever was true when the call was judged. */
function claim(
  holder: Holder,
  { call, command }: { call: OpenCall; command: CommandOf<"call.claim"> },
  world: World,
): Decision {
  if (call.claimed)
    return refuse("CALL_ALREADY_CLAIMED", `Call ${call.callId} was claimed before; it starts at most once.`);
  const { session, epoch } = holder;
  const { argsDigest, kind } = command;
  const { callId, tool } = call;
  const gated: GatedCall = { tool, kind, effect: "write", argsDigest, ...reliedOn(command), ...byCaller(holder) };
  const held = refuseHeld(session, gated, world);
  if (held !== undefined) return refuse("PLAN_MODE_BLOCKED", held.message, { refusal: held });
  const verdict = askGuards(session, gated, world);
  if (!verdict.allowed) {
    const { refusal, by } = verdict;
    return refuse("PLAN_MODE_BLOCKED", refusal.message, { refusal, by });
  }
  const under = { ...command.under, ...verdict.under };
  const claimed: Draft = { type: "call.claimed", callId, tool, argsDigest, epoch, under, ...byCaller(holder) };
  return { events: [claimed, ...claimFacts(session, gated, world)], reply: { under } };
}

const reliedOn = ({ grant, under }: CommandOf<"call.claim">): Pick<GatedCall, "grant" | "under"> => ({
  ...(grant === undefined ? {} : { grant }),
  ...(under === undefined ? {} : { under }),
});

/** The call stays refused even when the slice refuses the command that should follow it. */
function refuseCall(
  holder: Holder,
  { call, command }: { call: OpenCall; command: CommandOf<"call.refuse"> },
  world: World,
): Decision {
  const { also, endTurn, by } = command;
  const follows = also === undefined ? undefined : applySlice(holder.session, also, world);
  const applied = follows !== undefined && "events" in follows ? follows : { events: [], reply: null };
  const refusal = { ...command.refusal, ...completion(applied.reply) };
  const ending: Draft[] = endTurn === true ? [{ type: "turn.ending" }] : [];
  const outcome = { status: "refused", content: refusal } as const;
  const events: Draft[] = [
    { type: "call.refused", callId: call.callId, refusal, ...(by === undefined ? {} : { by }), ...byCaller(holder) },
    ...holder.closed(call, outcome),
    ...applied.events,
    ...ending,
  ];
  const decision = settled(holder, outcome, { events, reply: null });
  // a caller whose call was put before a person waits for the answer instead of giving up
  return applied.events.length === 0 || holder.caller === undefined || "refused" in decision
    ? decision
    : { ...decision, reply: { ...outcome, followed: true } };
}

/** What the slice fills in once its command is applied: when a refusal changes the mode, only the slice knows since when. */
const completion = (reply: Json): Partial<GateRefusal> => RefusalCompletion.safeParse(reply).data?.refusal ?? {};

/** A tool whose result is a command of a slice: its change and its result commit together, so a replay applies it once. */
function applyCall(
  holder: Holder,
  { call, command }: { call: OpenCall; command: CommandOf<"call.apply"> },
  world: World,
): Decision {
  const decision = applySlice(holder.session, command, world);
  if ("refused" in decision) {
    const { code, message, details } = decision.refused;
    const content = details === undefined ? { error: code, message } : { error: code, message, details };
    const outcome = { status: "error", content } as const;
    return settled(holder, outcome, { events: holder.closed(call, outcome), reply: content });
  }
  const outcome = { status: "ok", content: decision.reply } as const;
  const events = [...decision.events, ...holder.closed(call, outcome)];
  return settled(holder, outcome, { events, reply: decision.reply });
}
