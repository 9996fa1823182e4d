/**
 * The children of a session. A child stands in here from the commit that ordered it, before its own session exists, and
 * until the commit in which it was seen at rest, one that is being stopped too: whoever asks this state whether children
 * are open misses none.
 */
import { MessageId, SessionId } from "../../protocol/ids.ts";
import { refuse, type Refused } from "../../protocol/refusal.ts";
import { asIs } from "../../protocol/localized/localized-text.ts";
import {
  type Child,
  SUB_AGENTS_KEPT_MAX,
  SUB_AGENTS_SLICE,
  SubAgentsCommand,
  type SubAgentsEvent,
  SubAgentSettings,
  SubAgentsState,
} from "./protocol/sub-agents.ts";
import { firstChars, never, oneLine, type Slice, type SliceContext, type SliceDecision } from "../../plugins/sdk.ts";
import { effects } from "./effects.ts";
import { SEND_INSTRUCTIONS, SPAWN_INSTRUCTIONS } from "./texts.ts";

type Context = SliceContext<SubAgentSettings>;
type Decision = SliceDecision<SubAgentsEvent>;
type CommandOf<Type extends SubAgentsCommand["type"]> = Extract<SubAgentsCommand, { type: Type }>;

const CHILD_SLOT = 0;
const MESSAGE_SLOT = 1;
/** A child that was never heard of stands below everything that can be said of it. */
const UNHEARD = 1;
const TITLE_CHARS_MAX = 80;

const INITIAL: SubAgentsState = { children: [] };

export const subAgentsSlice: Slice<SubAgentsState, SubAgentsCommand, SubAgentsEvent, SubAgentSettings> = {
  name: SUB_AGENTS_SLICE,
  state: SubAgentsState,
  command: SubAgentsCommand,
  settings: SubAgentSettings,
  initial: INITIAL,
  decide,
  evolve,
  effects,
  on: {
    delete: (state) =>
      running(state).map((child) => ({ kind: "stop-child", childId: child.id, order: nextOrder(child) })),
    // nobody stands behind what returns to a session that was stopped
    stop: (state, { nowMs }) =>
      active(state).map((child) => ({ type: "child.stopping", childId: child.id, atMs: nowMs })),
  },
  describe: { awaits: (state) => running(state).length > 0 },
};

function decide(state: SubAgentsState, command: SubAgentsCommand, context: Context): Decision {
  switch (command.type) {
    case "spawn":
      return refuseOrder(context) ?? spawn(state, command, context);
    case "send":
      return refuseOrder(context) ?? send(state, command, context);
    case "observe":
      return context.actor.kind === "system" ? observe(state, command, context) : NOT_YOURS;
    default:
      return never(command);
  }
}

const isOwnAgent = ({ actor, session }: Context): boolean => actor.kind === "agent" && actor.sessionId === session.id;
const NOT_YOURS = refuse("PERMISSION_DENIED", "Only the agent of this session orders its sub-agents about.");

const STOPPED = refuse("SESSION_BUSY", "This session was stopped: it orders nothing more.");

/** The turn of a session that was stopped may still be ending; what it ordered then would outlive the stop. */
function refuseOrder(context: Context): Refused | undefined {
  if (!isOwnAgent(context)) return NOT_YOURS;
  return context.session.stopped === true ? STOPPED : undefined;
}

const running = ({ children }: SubAgentsState): Child[] => children.filter((child) => child.status === "running");

/** Those that work on what they were told; one that is being stopped leaves its place to others. */
const active = (state: SubAgentsState): Child[] =>
  running(state).filter((child) => child.status === "running" && child.stopping !== true);

const nextOrder = ({ order = 0 }: Child): number => order + 1;

function spawn(state: SubAgentsState, { task, title, replaces }: CommandOf<"spawn">, context: Context): Decision {
  const { max } = SubAgentSettings.parse(context.settings ?? {});
  const others = active(state).filter((child) => child.id !== replaces);
  if (replaces !== undefined && others.length === active(state).length) return unknownChild(replaces);
  const full = refuseFull(state, { others, isReplacing: replaces !== undefined, max });
  if (full !== undefined) return full;
  const childId = SessionId.parse(context.freshId("ses", CHILD_SLOT));
  const messageId = MessageId.parse(context.freshId("msg", MESSAGE_SLOT));
  const name = firstChars(oneLine(title ?? task), TITLE_CHARS_MAX);
  const by = { ...backingIn(context), atMs: context.nowMs };
  const stopped: SubAgentsEvent[] =
    replaces === undefined ? [] : [{ type: "child.stopping", childId: replaces, ...by }];
  const event: SubAgentsEvent = {
    type: "child.spawned",
    childId,
    title: name,
    task,
    messageId,
    ...(replaces === undefined ? {} : { replaces }),
    ...by,
  };
  return {
    events: [...stopped, event],
    reply: { session_id: childId, title: name, running: others.length + 1, instructions: SPAWN_INSTRUCTIONS },
  };
}

type Places = { others: readonly Child[]; isReplacing: boolean; max: number };

/** Also those that are being stopped have a limit: replacing again and again starts no more than twice as many. */
function refuseFull(state: SubAgentsState, { others, isReplacing, max }: Places) {
  const stopping = running(state).length - active(state).length;
  const isStuck = isReplacing && stopping >= max;
  if (others.length < max && !isStuck) return undefined;
  return refuse(
    "QUEUE_FULL",
    asIs(
      max === 0
        ? "Sub-agents are switched off here. Do the work yourself."
        : isStuck
          ? `${stopping} sub-agents are still being stopped. Wait for one to return: end your turn.`
          : `${others.length} sub-agents run already, and ${max} may. Wait for one to return: end your turn.`,
    ),
    { running: others.map((child) => child.id), max },
  );
}

function send(state: SubAgentsState, { childId, text }: CommandOf<"send">, context: Context): Decision {
  const child = state.children.find((item) => item.id === childId);
  if (child === undefined) return unknownChild(childId);
  if (child.status === "ended" && child.outcome === "gone") {
    return refuse("SESSION_NOT_FOUND", `The sub-agent ${childId} is gone. Spawn another one.`);
  }
  if (child.status === "running" && child.stopping === true) {
    return refuse("SESSION_BUSY", `The sub-agent ${childId} is being stopped. Wait until it has returned.`);
  }
  const { max } = SubAgentSettings.parse(context.settings ?? {});
  if (child.status === "ended" && active(state).length >= max) {
    return refuse("QUEUE_FULL", asIs(`${max} sub-agents run already. Wait for one to return: end your turn.`));
  }
  const messageId = MessageId.parse(context.freshId("msg", MESSAGE_SLOT));
  return {
    events: [{ type: "child.sent", childId, text, messageId, ...backingIn(context), atMs: context.nowMs }],
    reply: { session_id: childId, sent: true, instructions: SEND_INSTRUCTIONS },
  };
}

type Backing = { attended?: boolean | undefined; lent?: boolean | undefined };

/** Who stands behind the turn that gives an order: a person, an approved plan alone, or nobody that is known here. */
function backingIn({ unattended, session: { turn } }: Context): Backing {
  if (turn.status === "running" && turn.lent === true) return { lent: true };
  return unattended === true ? {} : { attended: true };
}

const unknownChild = (childId: string) =>
  refuse("SESSION_NOT_FOUND", `${childId} is no sub-agent of this session that can be reached.`);

/** What was seen of a child. Old news, and news of a child that is not in the list, changes nothing. */
function observe(state: SubAgentsState, command: CommandOf<"observe">, context: Context): Decision {
  const { childId, stamp, seen, order = 0 } = command;
  const child = state.children.find((item) => item.id === childId);
  if (child === undefined || stamp <= child.stamp) return { events: [], reply: { changed: false } };
  const { nowMs: atMs } = context;
  // an order that it had not received when it came to rest will wake it, so what it says is a return and not its end
  const isOpen = seen.status === "ended" && seen.outcome !== "gone" && order < (child.order ?? 0);
  const event: SubAgentsEvent =
    seen.status === "running"
      ? { type: "child.resumed", childId, stamp, atMs }
      : { type: "child.ended", childId, stamp, outcome: seen.outcome, text: seen.text, ...(isOpen ? OPEN : {}), atMs };
  return { events: [event], reply: { changed: true } };
}

const OPEN = { open: true };

function evolve(state: SubAgentsState, event: SubAgentsEvent): SubAgentsState {
  switch (event.type) {
    case "child.spawned": {
      const { childId: id, title, atMs } = event;
      const born: Child = {
        status: "running",
        id,
        title,
        startedAtMs: atMs,
        stamp: UNHEARD,
        order: 1,
        ...flags(event),
      };
      return { children: kept([...state.children, born]) };
    }
    case "child.sent":
      return changed(state, event.childId, (child) => ({
        ...asRunning(child, child.status === "ended" ? event : weaker(event, child)),
        order: nextOrder(child),
      }));
    case "child.stopping":
      return changed(state, event.childId, (child) => ({
        ...asRunning(child, weaker(event, child)),
        order: nextOrder(child),
        stopping: true,
      }));
    case "child.resumed":
      // one at rest works again without an order of this session, so no person who stood behind an order stands behind it
      return changed(state, event.childId, (child) => ({
        ...asRunning(child, child.status === "running" ? child : {}),
        stamp: event.stamp,
      }));
    case "child.ended":
      return changed(state, event.childId, (child) =>
        event.open === true ? { ...asRunning(child, child), stamp: event.stamp } : asEnded(child, event),
      );
    default:
      return never(event);
  }
}

type ChildIn<Status extends Child["status"]> = Extract<Child, { status: Status }>;

const knownOf = ({ id, title, startedAtMs, stamp, order }: Child) => ({
  id,
  title,
  startedAtMs,
  stamp,
  ...(order === undefined ? {} : { order }),
});

const asRunning = (child: Child, by: Backing): ChildIn<"running"> => ({
  status: "running",
  ...knownOf(child),
  ...flags(by),
  ...(child.status === "running" && child.stopping === true ? { stopping: true } : {}),
});

const asEnded = (child: Child, event: Extract<SubAgentsEvent, { type: "child.ended" }>): ChildIn<"ended"> => ({
  status: "ended",
  ...knownOf(child),
  ...flags(child),
  stamp: event.stamp,
  endedAtMs: event.atMs,
  outcome: event.outcome,
});

const flags = ({ attended, lent }: Backing): { attended?: true; lent?: true } => ({
  ...(attended === true ? { attended } : {}),
  ...(lent === true ? { lent } : {}),
});

/** Of two orders under way the return may answer either, so it has no more behind it than the weaker one. */
function weaker(one: Backing, other: Backing): Backing {
  if (one.attended === true && other.attended === true) return { attended: true };
  return [one, other].every(({ attended, lent }) => attended === true || lent === true) ? { lent: true } : {};
}

const changed = (state: SubAgentsState, childId: string, change: (child: Child) => Child): SubAgentsState => ({
  children: state.children.map((child) => (child.id === childId ? change(child) : child)),
});

/** Those at rest are forgotten first, the oldest before the others; one that runs never is. */
function kept(children: Child[]): Child[] {
  const ended = children.filter((child) => child.status === "ended");
  const tooMany = new Set<Child>(ended.slice(0, Math.max(0, children.length - SUB_AGENTS_KEPT_MAX)));
  return children.filter((child) => !tooMany.has(child));
}
