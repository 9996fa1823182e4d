/**
 * The children of a session. A child stands in here from the commit that ordered it, before its own session exists, and
 * until the commit in which it was seen at rest: whoever asks this state whether children are open misses none.
 */
import { MessageId, SessionId } from "../../protocol/ids.ts";
import { refuse } from "../../protocol/refusal.ts";
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
  on: { delete: (state) => running(state).map((child) => ({ kind: "stop-child", childId: child.id })) },
  describe: { awaits: (state) => running(state).length > 0 },
};

function decide(state: SubAgentsState, command: SubAgentsCommand, context: Context): Decision {
  switch (command.type) {
    case "spawn":
      return isOwnAgent(context) ? spawn(state, command, context) : NOT_YOURS;
    case "send":
      return isOwnAgent(context) ? send(state, command, context) : NOT_YOURS;
    case "observe":
      return context.actor.kind === "system" ? observe(state, command, context) : NOT_YOURS;
    default:
      return never(command);
  }
}

const isOwnAgent = ({ actor, session }: Context): boolean => actor.kind === "agent" && actor.sessionId === session.id;
const NOT_YOURS = refuse("PERMISSION_DENIED", "Only the agent of this session orders its sub-agents about.");

const running = ({ children }: SubAgentsState): Child[] => children.filter((child) => child.status === "running");

function spawn(state: SubAgentsState, { task, title, replaces }: CommandOf<"spawn">, context: Context): Decision {
  const { max } = SubAgentSettings.parse(context.settings ?? {});
  const others = running(state).filter((child) => child.id !== replaces);
  if (replaces !== undefined && others.length === running(state).length) return unknownChild(replaces);
  if (others.length >= max) {
    return refuse(
      "QUEUE_FULL",
      asIs(
        max === 0
          ? "Sub-agents are switched off here. Do the work yourself."
          : `${others.length} sub-agents run already, and ${max} may. Wait for one to return: end your turn.`,
      ),
      { running: others.map((child) => child.id), max },
    );
  }
  const childId = SessionId.parse(context.freshId("ses", CHILD_SLOT));
  const messageId = MessageId.parse(context.freshId("msg", MESSAGE_SLOT));
  const name = firstChars(oneLine(title ?? task), TITLE_CHARS_MAX);
  const event: SubAgentsEvent = {
    type: "child.spawned",
    childId,
    title: name,
    task,
    messageId,
    ...(replaces === undefined ? {} : { replaces }),
    ...attendance(context),
    atMs: context.nowMs,
  };
  return {
    events: [event],
    reply: { session_id: childId, title: name, running: others.length + 1, instructions: SPAWN_INSTRUCTIONS },
  };
}

function send(state: SubAgentsState, { childId, text }: CommandOf<"send">, context: Context): Decision {
  const child = state.children.find((item) => item.id === childId);
  if (child === undefined) return unknownChild(childId);
  if (child.status === "ended" && child.outcome === "gone") {
    return refuse("SESSION_NOT_FOUND", `The sub-agent ${childId} is gone. Spawn another one.`);
  }
  const { max } = SubAgentSettings.parse(context.settings ?? {});
  if (child.status === "ended" && running(state).length >= max) {
    return refuse("QUEUE_FULL", asIs(`${max} sub-agents run already. Wait for one to return: end your turn.`));
  }
  const messageId = MessageId.parse(context.freshId("msg", MESSAGE_SLOT));
  return {
    events: [{ type: "child.sent", childId, text, messageId, ...attendance(context), atMs: context.nowMs }],
    reply: { session_id: childId, sent: true, instructions: SEND_INSTRUCTIONS },
  };
}

const attendance = ({ unattended }: Context): { attended?: true } => (unattended === true ? {} : { attended: true });

const unknownChild = (childId: string) =>
  refuse("SESSION_NOT_FOUND", `${childId} is no sub-agent of this session that can be reached.`);

/** What was heard of a child. Old news, and news of a child that is not in the list, changes nothing. */
function observe(state: SubAgentsState, { childId, stamp, seen }: CommandOf<"observe">, context: Context): Decision {
  const child = state.children.find((item) => item.id === childId);
  if (child === undefined || stamp <= child.stamp) return { events: [], reply: { changed: false } };
  const { nowMs: atMs } = context;
  const event: SubAgentsEvent =
    seen.status === "running"
      ? { type: "child.resumed", childId, stamp, atMs }
      : { type: "child.ended", childId, stamp, outcome: seen.outcome, text: seen.text, atMs };
  return { events: [event], reply: { changed: true } };
}

function evolve(state: SubAgentsState, event: SubAgentsEvent): SubAgentsState {
  switch (event.type) {
    case "child.spawned": {
      const { childId: id, title, atMs, replaces, attended } = event;
      const others = state.children.filter((child) => child.id !== replaces);
      const born: Child = { status: "running", id, title, startedAtMs: atMs, stamp: UNHEARD, ...flag(attended) };
      return { children: kept([...others, born]) };
    }
    case "child.sent":
      return changed(state, event.childId, (child) => ({
        ...asRunning(child, child.stamp),
        // of two orders under way the return may answer either, so both must be attended
        attended: event.attended === true && (child.status === "ended" || child.attended === true),
      }));
    case "child.resumed":
      // one at rest works again without an order of this session, so no person who stood behind an order stands behind it
      return changed(state, event.childId, (child) => ({
        ...asRunning(child, event.stamp),
        attended: child.status === "running" && child.attended === true,
      }));
    case "child.ended":
      return changed(state, event.childId, ({ id, title, startedAtMs, attended }) => ({
        status: "ended",
        id,
        title,
        startedAtMs,
        stamp: event.stamp,
        endedAtMs: event.atMs,
        outcome: event.outcome,
        ...flag(attended),
      }));
    default:
      return never(event);
  }
}

const asRunning = ({ id, title, startedAtMs, attended }: Child, stamp: number): Child => ({
  status: "running",
  id,
  title,
  startedAtMs,
  stamp,
  ...flag(attended),
});

const flag = (attended: boolean | undefined): { attended?: true } => (attended === true ? { attended } : {});

const changed = (state: SubAgentsState, childId: string, change: (child: Child) => Child): SubAgentsState => ({
  children: state.children.map((child) => (child.id === childId ? change(child) : child)),
});

/** Those at rest are forgotten first, the oldest before the others; one that runs never is. */
function kept(children: Child[]): Child[] {
  const ended = children.filter((child) => child.status === "ended");
  const tooMany = new Set<Child>(ended.slice(0, Math.max(0, children.length - SUB_AGENTS_KEPT_MAX)));
  return children.filter((child) => !tooMany.has(child));
}
