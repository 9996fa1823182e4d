/**
 * What a session answers to a command: facts, or a refusal that says why and what to do. Pure and total.
 * Turns and tool calls are settled in decide-turn.ts; a slice's own commands by the slice.
 */
import { ATTACHMENT_ARTIFACT } from "../protocol/attachment-artifact.ts";
import { refuse } from "../protocol/refusal.ts";
import { localized } from "../protocol/localized/localized-text.ts";
import { type CommandOf, INBOX_MAX, type Session, type SessionCommand } from "../protocol/session.ts";
import { turnSettings } from "../protocol/settings/turn-settings.ts";
import { CALLERS_TIMER, expireCallers } from "./calls/caller-ends.ts";
import { decideCaller, isOfCaller } from "./calls/decide-caller.ts";
import { decideTurn, orphaned } from "./decide-turn.ts";
import { orderOf, stopSession, takenUp } from "./decide-order.ts";
import {
  applySlice,
  askSlices,
  authorOf,
  type Decision,
  type Draft,
  facts,
  requestTurn,
  sliceContext,
  type World,
} from "./decision.ts";
import { type Backing, backing, byPerson, isFromAbove } from "./held/attendance.ts";
import { queueInjection } from "./injections.ts";
import type { Context } from "./slice.ts";

export function decide(session: Session | undefined, command: SessionCommand, world: World): Decision {
  if (command.type === "session.create") return create(session, command, world);
  if (session === undefined)
    return refuse("SESSION_NOT_FOUND", "There is no such session. List them with sessions.list.");
  if (isOfCaller(command)) return decideCaller(session, command, world);
  const { context } = world;
  switch (command.type) {
    case "session.rename":
      return facts({ type: "session.renamed", title: command.title });
    case "session.archive":
      return facts({ type: "session.archived", archived: command.archived });
    case "session.reset":
      return reset(session, world);
    case "session.delete":
      return facts(...orphaned(session, "deleted").closings, { type: "session.deleted" });
    case "session.stop":
      return stopSession(session, command, context);
    case "message.send":
      return send(session, command, world);
    case "notice.add": {
      const { type: _type, ...words } = command;
      return facts({ type: "entry.appended", entry: { kind: "notice", ...words } });
    }
    case "injection.add":
      return {
        events: [
          ...queueInjection(session.injections, command.injection),
          ...(command.wake ? [requestTurn(context, command.injection.kind, { attended: byPerson(context) })] : []),
        ],
        reply: null,
      };
    case "timer.fire":
      return fire(session, command, world);
    case "slice.apply":
      return applySlice(session, command, world);
    case "slice.drop":
      return drop(session, command, world);
    default:
      return decideTurn(session, command, world);
  }
}

function create(session: Session | undefined, command: CommandOf<"session.create">, world: World): Decision {
  if (session !== undefined) return refuse("SESSION_EXISTS", `Session ${command.sessionId} exists already.`);
  const { type: _type, sessionId, ...given } = command;
  const { nowMs } = world.context;
  const counters = { epoch: 0, entryCount: 0, historyFrom: 0, turnCount: 0 };
  const queues = { inbox: [], injections: [], timers: [] };
  const slices = Object.fromEntries([...world.slices.values()].map((slice) => [slice.name, slice.initial]));
  const born: Session = {
    id: sessionId,
    ...given,
    archived: false,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    ...counters,
    turn: { status: "idle" },
    ...queues,
    slices,
  };
  return { events: [{ type: "session.created", session: born }, ...openings(born, world)], reply: { sessionId } };
}

/**
 * A reset or deletion removes the place where running work would be recorded, so its state is recorded now and a person
 * gets a notice.
 */
function reset(session: Session, world: World): Decision {
  const { closings, notices } = orphaned(session, "reset");
  return {
    events: [...closings, { type: "session.reset" }, ...openings(session, world, session.slices), ...notices],
    reply: null,
  };
}

function openings(session: Session, { context, slices }: World, before: Session["slices"] = {}): Draft[] {
  return [...slices.values()].flatMap((slice) =>
    (slice.on?.create?.(sliceContext(session, slice, context), before[slice.name]) ?? []).map((event) => ({
      type: "slice.changed" as const,
      slice: slice.name,
      event,
    })),
  );
}

function send(session: Session, command: CommandOf<"message.send">, world: World): Decision {
  const { context } = world;
  if (session.archived)
    return refuse("SESSION_ARCHIVED", "This session is archived; bring it back before writing in it.");
  if (session.kind === "external") return refuse("INVALID_REQUEST", localized("externalSession"));
  if (session.inbox.length >= INBOX_MAX) {
    return refuse("QUEUE_FULL", localized("inboxFull", { max: INBOX_MAX }));
  }
  const order = orderOf(session, command, context);
  if (order.status === "settled") return { events: [], reply: { messageId: command.messageId, queued: false } };
  if (order.status === "early") return order.refusal;
  const { messageId: id, text, attachments = [] } = command;
  const refs = attachments.map(({ bytes: _bytes, digest: _digest, ...ref }) => ref);
  const along = refs.length === 0 ? {} : { attachments: refs };
  const by = backing(messageBacking(session, command, context));
  const message = { id, text, from: authorOf(context), atMs: context.nowMs, ...along, ...by };
  return {
    events: [
      ...onMessage(session, world),
      ...takenUp(session, order, context),
      { type: "message.queued", message },
      requestTurn(context, "message", by),
      ...interruption(session, context),
    ],
    reply: { messageId: id, queued: session.turn.status !== "idle" },
    artifacts: attachments.map(({ digest, ...body }) => ({ kind: ATTACHMENT_ARTIFACT, id: body.id, digest, body })),
  };
}

function messageBacking(session: Session, { attended, lent }: CommandOf<"message.send">, context: Context): Backing {
  if (byPerson(context)) return { attended: true };
  return isFromAbove(session, context) ? { attended, lent } : {};
}

/** Only people's messages count here: a message from the gateway or from another session changes nothing by itself. */
function onMessage(session: Session, world: World): Draft[] {
  if (world.context.actor.kind !== "operator") return [];
  return askSlices(session, world, (slice, state, at) =>
    (slice.on?.message?.(state, at) ?? []).map((event): Draft => ({ type: "slice.changed", slice: slice.name, event })),
  ).flat();
}

/**
 * Where the settings say so, a person's message stops the running turn; its end requests the turn that takes the
 * message up.
 */
function interruption({ turn }: Session, context: Context): Draft[] {
  if (turn.status !== "running" || turn.aborting) return [];
  if (turnSettings(context.settings).queueMode !== "interrupt") return [];
  return [{ type: "turn.aborting", by: authorOf(context) }];
}

/** Only for a plugin that is no longer registered: state that has an owner is never cleaned up. */
function drop(session: Session, { slice, injectionKind }: CommandOf<"slice.drop">, { slices }: World): Decision {
  if (slices.has(slice)) return refuse("SESSION_BUSY", `The session extension "${slice}" is in use.`);
  const timers = session.timers.filter((timer) => timer.slice === slice);
  const queued = session.injections.filter((injection) => injection.kind === injectionKind);
  return facts(
    ...timers.map(({ key }): Draft => ({ type: "timer.cleared", key })),
    ...queued.map(({ id }): Draft => ({ type: "injection.dropped", id, reason: "cancelled" })),
    ...(slice in session.slices ? [{ type: "slice.dropped", slice } as const] : []),
  );
}

/** A timer fires once: the transaction that applies its command also takes it off the list. */
function fire(session: Session, command: CommandOf<"timer.fire">, world: World): Decision {
  const timer = session.timers.find((item) => item.key === command.key && item.atMs === command.atMs);
  if (timer === undefined) return refuse("TIMER_GONE", `Timer ${command.key} is no longer set.`);
  if (timer.key === CALLERS_TIMER) return expireCallers(session, timer, world);
  const cleared: Draft = { type: "timer.cleared", key: timer.key };
  const decision = applySlice(session, timer, world);
  if ("refused" in decision) return { events: [cleared], reply: null };
  return { events: [cleared, ...decision.events], reply: decision.reply };
}
