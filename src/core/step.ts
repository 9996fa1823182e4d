/**
 * One command, taken to its end: decide, evolve, and fold the effects in until nothing more follows.
 * What comes out is everything that must commit together.
 */
import type { AuditFact } from "../protocol/audit.ts";
import type { Injection } from "../protocol/injection.ts";
import type { Json } from "../protocol/json.ts";
import type { Refused } from "../protocol/refusal.ts";
import { noticeOf } from "../protocol/localized/localized-text.ts";
import {
  type CommandOf,
  type Session,
  type SessionCommand,
  type SessionEvent,
  type SliceEvent,
  TIMERS_MAX,
} from "../protocol/session.ts";
import { type Backing, byPerson } from "./held/attendance.ts";
import { auditOf } from "./audit.ts";
import { decide } from "./decide.ts";
import { takenUp } from "./decide-order.ts";
import { askSlices, type Decision, type Draft, requestTurn, sliceContext, type World } from "./decision.ts";
import type { Artifact, ChildReport, Effect, OutboxEffect, SliceWork } from "./effect.ts";
import { evolve } from "./evolve.ts";
import { reportToParent } from "./child-report.ts";
import { orderBacking } from "./held/held-runs.ts";
import { queueInjection } from "./injections.ts";
import { never } from "./never.ts";
import { type AnySlice, type Context, FRESH_STRINGS, type RefusedCall } from "./slice.ts";

/** A command that causes more than this has a loop in its effects. */
const STEP_EVENTS_MAX = 512;

/** A line for the gateway's log, and the slice that asks for it. */
export type LoggedLine = { slice: string; text: string };

export type Step = {
  /** Undefined when the command deleted the session. */
  session: Session | undefined;
  events: SessionEvent[];
  outbox: OutboxEffect[];
  artifacts: Artifact[];
  audit: AuditFact[];
  /** Lines for the gateway's log, in the order in which they were asked for. */
  logged: LoggedLine[];
  reply: Json;
};

export function step(before: Session | undefined, command: SessionCommand, world: World): Step | Refused {
  if (before === undefined && command.type === "message.send" && command.creates !== undefined)
    return createAndSend(command, command.creates, world);
  const steady = steadyTime(before, world.context);
  const decision = decide(before, command, { ...world, context: steady });
  if ("refused" in decision) return decision;
  return fold(before, decision, { ...world, context: steady });
}

type Sending = CommandOf<"message.send">;

/** Both or neither: a session whose first message was refused would be an empty one that nobody asked for. */
function createAndSend(message: Sending, creates: NonNullable<Sending["creates"]>, world: World): Step | Refused {
  const created = step(undefined, { type: "session.create", ...creates }, world);
  if ("refused" in created) return created;
  const fresh = world.context.fresh.slice(FRESH_STRINGS); // an id of the creation must not be given again
  const sent = step(created.session, message, { ...world, context: { ...world.context, fresh } });
  if ("refused" in sent) return sent;
  return {
    ...sent,
    events: [...created.events, ...sent.events],
    outbox: [...created.outbox, ...sent.outbox],
    artifacts: [...created.artifacts, ...sent.artifacts],
    audit: [...created.audit, ...sent.audit],
    logged: [...created.logged, ...sent.logged],
  };
}

/** A clock that steps back must not revive what has expired: within one session time never runs backwards. */
function steadyTime(session: Session | undefined, context: Context): Context {
  if (session === undefined || session.updatedAtMs <= context.nowMs) return context;
  return { ...context, nowMs: session.updatedAtMs };
}

function fold(before: Session | undefined, decision: Exclude<Decision, Refused>, world: World): Step {
  const out: Step = {
    session: touched(before, world.context),
    events: [],
    outbox: [],
    artifacts: [...(decision.artifacts ?? [])],
    audit: [],
    logged: [],
    reply: decision.reply,
  };
  const drafts = [...decision.events];
  for (let draft = drafts.shift(); draft !== undefined; draft = drafts.shift()) {
    if (out.events.length >= STEP_EVENTS_MAX)
      throw new Error(`step of ${before?.id ?? "a new session"} does not come to an end`);
    const event = numbered(draft, out.session);
    const last = out.session;
    out.session = evolve(last, event, world.slices);
    out.events.push(event);
    out.audit.push(...auditOf(event));
    out.outbox.push(...workAfter(event, { last, session: out.session }, world));
    for (const [owner, effects] of asked(out.session, event, world)) {
      for (const effect of effects) take(effect, { out, drafts, owner }, world);
    }
    drafts.push(...followUps(out.session, event, world));
  }
  const reports = reportToParent(before, out, world);
  out.outbox.push(...reports);
  if (out.session !== undefined) out.session = withReported(out.session, reports);
  return out;
}

/** The stamp of the newest report is kept, so that the next one is newer. */
const withReported = (session: Session, [report]: readonly ChildReport[]): Session =>
  report === undefined ? session : { ...session, reported: report.stamp };

type Change = { last: Session | undefined; session: Session | undefined };

/** A requested turn is run; when a session ends, slices cancel what child sessions do and order what is left to do. */
function workAfter(event: SessionEvent, { last, session }: Change, world: World): OutboxEffect[] {
  const turn = session?.turn;
  const isAsked = last?.turn.status === "requested"; // however many events request a turn, it is run once
  if (turn?.status === "requested" && !isAsked) return [{ kind: "run-turn", turnId: turn.turnId }];
  if (last === undefined || (event.type !== "session.reset" && event.type !== "session.deleted")) return [];
  return askSlices(last, world, (slice, state) => lastOrders(slice, state, world)).flat();
}

const lastOrders = (slice: AnySlice, state: Json, { context }: World): OutboxEffect[] =>
  (slice.on?.delete?.(state) ?? []).map((order) =>
    order.kind === "perform" ? orderedBy(slice.name, order, context) : order,
  );

const touched = (session: Session | undefined, context: Context): Session | undefined =>
  session === undefined ? undefined : { ...session, updatedAtMs: context.nowMs };

const numbered = (draft: Draft, session: Session | undefined): SessionEvent =>
  draft.type === "entry.appended" ? { ...draft, n: (session?.entryCount ?? 0) + 1 } : draft;

/** The effects of one event, each with the name of the slice that asks for it. */
function asked(session: Session | undefined, event: SessionEvent, { context, slices }: World): [string, Effect[]][] {
  if (session === undefined) return [];
  const own = (slice: AnySlice) => [stateOf(session, slice), sliceContext(session, slice, context)] as const;
  if (event.type === "call.refused") {
    return [...slices.values()].map((slice) => {
      const [state, at] = own(slice);
      return [slice.name, slice.on?.refusal?.(state, refusedCall(event), at) ?? []];
    });
  }
  if (event.type !== "slice.changed" || !slices.has(event.slice)) return [];
  return [...slices.values()].map((slice) => {
    const [state, at] = own(slice);
    const isOwn = slice.name === event.slice;
    return [
      slice.name,
      isOwn ? slice.effects(state, event.event, at) : (slice.on?.peerEffects?.(state, event, at) ?? []),
    ];
  });
}

const refusedCall = ({ refusal, by }: Extract<SessionEvent, { type: "call.refused" }>): RefusedCall =>
  by === undefined ? refusal : { ...refusal, by };

/** Events that slices add when a turn ends, the session is stopped, or another slice emits an event. */
function followUps(session: Session | undefined, event: SessionEvent, { context, slices }: World): Draft[] {
  if (session === undefined) return [];
  if (event.type !== "slice.changed" && event.type !== "turn.finished" && event.type !== "session.stopped") return [];
  const follows = (slice: AnySlice): SliceEvent[] => {
    const state = stateOf(session, slice);
    const at = sliceContext(session, slice, context);
    const { on = {} } = slice;
    if (event.type === "session.stopped") return on.stop?.(state, at) ?? [];
    if (event.type === "turn.finished") return on.turnEnd?.(state, event.outcome, at) ?? [];
    return event.slice === slice.name ? [] : (on.peerEvent?.(state, event, at) ?? []);
  };
  return [...slices.values()].flatMap((slice) =>
    follows(slice).map((fact): Draft => ({ type: "slice.changed", slice: slice.name, event: fact })),
  );
}

const stateOf = (session: Session, slice: AnySlice): Json => session.slices[slice.name] ?? slice.initial;

type EffectOf<Kind extends Effect["kind"]> = Extract<Effect, { kind: Kind }>;
type Fold = { out: Step; drafts: Draft[]; owner: string };

function take(effect: Effect, { out, drafts, owner }: Fold, world: World): void {
  const { session } = out;
  const { context } = world;
  if (session === undefined) return;
  switch (effect.kind) {
    case "inject":
      drafts.push(...queueInjection(queueAfter(session, drafts), { ...effect.injection, createdAtMs: context.nowMs }));
      return;
    case "cancel-injections":
      drafts.push(...cancelled(session, effect));
      return;
    case "request-turn":
      drafts.push(...takenUp(session, {}, context), requestTurn(context, effect.cause, backedBy(effect, context)));
      return;
    case "end-turn":
      drafts.push({ type: "turn.ending" });
      return;
    case "notify":
      if (effect.logged === true) out.logged.push({ slice: owner, text: effect.text });
      drafts.push({
        type: "entry.appended",
        entry: { kind: "notice", ...noticeOf({ text: effect.text, said: effect.said ?? [] }) },
      });
      return;
    case "set-timer":
      if (session.timers.length >= TIMERS_MAX)
        throw new Error(`${owner} set more than ${TIMERS_MAX} timers in ${session.id}`);
      drafts.push({
        type: "timer.set",
        timer: { key: `${owner}/${effect.key}`, atMs: effect.atMs, slice: owner, command: effect.command },
      });
      return;
    case "clear-timer":
      drafts.push(...clearing(`${owner}/${effect.key}`, session, drafts));
      return;
    case "write-artifact":
      out.artifacts.push(effect.artifact);
      return;
    case "audit":
      out.audit.push(effect.fact);
      return;
    case "perform":
      out.outbox.push(orderedBy(owner, effect, context));
      return;
    case "start-child":
    case "tell-child":
      out.outbox.push({ ...effect, ...orderBacking(session, world) });
      return;
    case "stop-child":
    case "drop-child":
      out.outbox.push(effect);
      return;
    default:
      never(effect);
  }
}

const backedBy = ({ attended, continues, lent }: EffectOf<"request-turn">, context: Context): Backing => ({
  attended: attended === true || byPerson(context),
  continues,
  lent,
});

/** The queue as it will be once the drafts of this very command are folded in: they count towards its limit. */
function queueAfter({ injections }: Session, drafts: readonly Draft[]): Injection[] {
  let queue = [...injections];
  for (const draft of drafts) {
    if (draft.type === "injection.queued") {
      queue = [...queue.filter(({ id }) => id !== draft.injection.id), draft.injection];
    } else if (draft.type === "injection.dropped") queue = queue.filter(({ id }) => id !== draft.id);
  }
  return queue;
}

const ORDER_KEY = /^[ -~]{1,200}$/;

/** Checks the order of an outside plugin's slice, because an invalid one would stay in the outbox for ever. */
function orderedBy(slice: string, { order, key }: EffectOf<"perform">, { nowMs: atMs }: Context): SliceWork {
  if (typeof order.do !== "string" || order.do === "") throw new Error(`${slice} gave an order without \`do\``);
  if (key === undefined) return { kind: "perform", slice, order, atMs };
  if (!ORDER_KEY.test(key)) throw new Error(`${slice} gave an order whose key is not 1 to 200 plain characters`);
  return { kind: "perform", slice, order, key, atMs };
}

/** A timer that an earlier fact of this very command has set is not in the session yet, and is cleared all the same. */
function clearing(key: string, session: Session, drafts: readonly Draft[]): Draft[] {
  const isSet = session.timers.some((timer) => timer.key === key);
  const isBeingSet = drafts.some((draft) => draft.type === "timer.set" && draft.timer.key === key);
  return isSet || isBeingSet ? [{ type: "timer.cleared", key }] : [];
}

function cancelled(session: Session, { cycleId, approvalId }: EffectOf<"cancel-injections">): Draft[] {
  return session.injections
    .filter((injection) => injection.cycleId === cycleId)
    .filter((injection) => approvalId === undefined || injection.approvalId === approvalId)
    .map((injection) => ({ type: "injection.dropped", id: injection.id, reason: "cancelled" }));
}
