/**
 * One invocation of a plugin's command or action: the handler computes, and what it set, queued and asked for commits
 * together when it has returned. If somebody else changed the plugin's state meanwhile, it computes again.
 *
 *   handler ─▶ refusal ─────────────────────────────────▶ answer, nothing changed
 *          └─▶ result ─▶ one commit on `plugin:<id>` ──┬─▶ answer
 *                          (state · injections · line · turn) └─ changed meanwhile ─▶ handler again, at most three times
 */
import { randomUUID } from "node:crypto";
import type { Clock } from "../engine/clock.ts";
import type { Dispatch } from "../engine/dispatch.ts";
import type { Engine } from "../engine/engine.ts";
import type { CommandResult, HandlerCall } from "../plugins/api/command.ts";
import type { PluginHost } from "../plugins/host.ts";
import { onlyReads } from "../plugins/commands/command-registry.ts";
import { BadResult, commandResult } from "../plugins/commands/command-result.ts";
import { runReadOnly } from "../plugins/read-only-run.ts";
import { pluginInjection } from "../plugins/state/plugin-injection.ts";
import type { Actor, Scope } from "../protocol/actor.ts";
import type { SessionId } from "../protocol/ids.ts";
import { Json, JsonObject } from "../protocol/json.ts";
import { INJECTIONS_PER_COMMIT_MAX, PluginCommand, pluginSlice, PluginState } from "../protocol/plugin/plugin-state.ts";
import { type Refusal, refuse } from "../protocol/refusal.ts";
import { messageOf, type LocalizedLine, localized } from "../protocol/localized/localized-text.ts";
import { firstChars } from "../plugins/sdk.ts";
import type { Session } from "../protocol/session.ts";
import type { Store } from "../store/store.ts";
import type { Sender } from "./sender.ts";

const HANDLER_MS_MAX = 30_000;
const TRIES_MAX = 3;
const MESSAGE_CHARS_MAX = 16_384;
const NOTICE_CHARS_MAX = 4_000;
const RAN_CHARS_MAX = 200;

export type Invocation = {
  pluginId: string;
  /** The plugin's slice that `apply` sends commands to, if it has one. */
  slice: string | undefined;
  /** For the audit and the turn: `/deploy approve`. */
  cause: string;
  /** What the agent reads when it is resumed; the cause if left out. */
  ran?: string;
  scopes: readonly Scope[];
  actor: Extract<Actor, { kind: "operator" }>;
  by: Pick<Sender, "shown"> & Dispatch;
  run(call: HandlerCall): Promise<CommandResult>;
};
export type InvocationParts = {
  engine: Pick<Engine, "dispatch" | "session" | "cards">;
  store: Pick<Store, "artifact">;
  clock: Clock;
  host: Pick<PluginHost, "stateIn" | "lifeOf">;
  /** A handler threw or took too long: its plugin is to blame. */
  failed(pluginId: string, error: unknown): void;
};

export type Invoked = {
  reply: { ok: true; message: string; said?: LocalizedLine[] } | { ok: false; refusal: Refusal };
  applied: boolean;
};

type Staged = {
  isRead: boolean;
  /** It tried to change something although it may only read. */
  isRefused: boolean;
  values: Record<string, Json>;
  injections: Parameters<HandlerCall["enqueueNextTurnInjection"]>[0][];
};

export async function invoke(session: Session, asked: Invocation, parts: InvocationParts): Promise<Invoked> {
  let now = session;
  for (let tries = 1; ; tries++) {
    const attempt = await attemptOn(now, asked, parts);
    const again = !attempt.reply.ok && attempt.reply.refusal.code === "PLUGIN_STATE_CHANGED" && tries < TRIES_MAX;
    if (!again) return attempt;
    const fresh = await parts.engine.session(session.id);
    if (fresh === undefined) return attempt;
    now = fresh;
  }
}

async function attemptOn(session: Session, asked: Invocation, parts: InvocationParts): Promise<Invoked> {
  const staged: Staged = { isRead: false, isRefused: false, values: {}, injections: [] };
  const { pluginId } = asked;
  const { version } = PluginState.parse(session.slices[pluginSlice(pluginId)] ?? EMPTY);
  const life = parts.host.lifeOf(pluginId);
  const isOver = (): boolean => parts.host.lifeOf(pluginId) !== life;
  const machine = machineOf(session.id, asked, { ...parts, isOver });
  const result = await answered(asked, callOf({ session, staged, apply: machine.apply }, asked, parts), parts);
  const isApplied = machine.applied();
  const no = (refusal: Refusal): Invoked => ({ reply: { ok: false, refusal }, applied: isApplied });
  if (staged.isRefused) return no(onlyReading(asked));
  if ("refusal" in result) return no(result.refusal);
  const commit = commitOf({ result, staged, version }, asked);
  if (commit === undefined) return { reply: { ok: true, ...shownTo(result) }, applied: isApplied };
  if (isApplied && changesAnything(staged)) return no(mixed(asked, parts));
  if (isOver()) return no(switchedOff(asked));
  const order = { type: "slice.apply", slice: pluginSlice(asked.pluginId), command: JsonObject.parse(commit) } as const;
  const outcome = await parts.engine.dispatch(session.id, order, isApplied ? following(asked.by) : asked.by);
  if (!outcome.ok) return no(outcome.refusal);
  return { reply: { ok: true, ...shownTo(result) }, applied: true };
}

/** The sender's key stands for the machine's command; what follows it has one of its own, so that both are done once. */
const following = ({ idempotency, ...by }: Dispatch): Dispatch =>
  idempotency === undefined
    ? by
    : { ...by, idempotency: { ...idempotency, key: `${idempotency.key}${CONTINUATION_KEY}` } };
const CONTINUATION_KEY = "#continue";

type Calling = { session: Session; staged: Staged; apply: HandlerCall["apply"] };

function callOf({ session, staged, apply }: Calling, asked: Invocation, parts: InvocationParts): HandlerCall {
  const { pluginId, scopes, actor } = asked;
  const change = (work: () => void): void => {
    if (!onlyReads(scopes)) return work();
    staged.isRefused = true;
    throw new Error(onlyReading(asked).message);
  };
  return {
    atMs: parts.clock.now(),
    session: ownView(session, asked),
    actor,
    gatewayClientScopes: [...actor.scopes],
    state: {
      get(namespace) {
        staged.isRead = true;
        const set = Object.hasOwn(staged.values, namespace) ? staged.values[namespace] : undefined;
        return structuredClone(set ?? parts.host.stateIn(session, { pluginId, namespace }));
      },
      set: (namespace, value) => change(() => void (staged.values[namespace] = Json.parse(value))),
    },
    enqueueNextTurnInjection: (injection) =>
      change(() => {
        if (staged.injections.length >= INJECTIONS_PER_COMMIT_MAX)
          throw new Error(`${asked.cause} queued more than ${INJECTIONS_PER_COMMIT_MAX} texts for the agent`);
        staged.injections.push(injection);
      }),
    async apply(command) {
      if (!onlyReads(scopes)) return apply(command);
      staged.isRefused = true;
      return { ok: false, refusal: onlyReading(asked) };
    },
    ...(asked.by.shown === undefined ? {} : { shown: asked.by.shown.filter(({ slice }) => slice === asked.slice) }),
    cards: () => parts.engine.cards(session).filter(({ slice }) => slice === asked.slice),
    async artifact(kind, id) {
      const found = await parts.store.artifact(kind, id);
      return found?.sessionId === session.id ? found.body : undefined;
    },
  };
}

const changesAnything = ({ values, injections }: Staged): boolean =>
  Object.keys(values).length > 0 || injections.length > 0;

const onlyReading = ({ cause, pluginId }: Invocation): Refusal =>
  refuse("PLUGIN_FAILED", localized("pluginOnlyReads", { command: cause, plugin: pluginId })).refused;

/** What the machine was told has committed already; staged state could only follow in a commit of its own. */
function mixed(asked: Invocation, parts: InvocationParts): Refusal {
  const reason = "a command of a machine and staged state do not mix";
  parts.failed(asked.pluginId, new Error(`${asked.cause}: ${reason}`));
  return badResult(asked, reason);
}

const EMPTY: PluginState = { version: 0, values: {} };

/** A plugin's own machine takes one command for each invocation, in the sender's name. */
function machineOf(
  sessionId: SessionId,
  asked: Invocation,
  { engine, isOver }: InvocationParts & { isOver(): boolean },
) {
  const { slice, cause, by } = asked;
  let applied = false;
  const apply: HandlerCall["apply"] = async (command) => {
    if (slice === undefined) return { ok: false, refusal: NO_MACHINE };
    if (isOver()) return { ok: false, refusal: switchedOff(asked) };
    if (applied) throw new Error(`${cause} applied a second command`);
    applied = true;
    return engine.dispatch(sessionId, { type: "slice.apply", slice, command }, by);
  };
  return { apply, applied: () => applied };
}

/** Also when the plugin was enabled again meanwhile: this handler belongs to the earlier instance. */
const switchedOff = ({ cause, pluginId }: Invocation): Refusal =>
  refuse("PLUGIN_DISABLED", localized("pluginSwitchedOff", { command: cause, plugin: pluginId })).refused;

const NO_MACHINE: Refusal = {
  code: "UNKNOWN_SLICE",
  message: "The plugin of this command has no machine in sessions.",
};

/** Only the plugin's own slices: other plugins' state stays hidden. */
function ownView({ injections: _queue, timers: _timers, ...session }: Session, { pluginId, slice }: Invocation) {
  const own = new Set([slice, pluginSlice(pluginId)]);
  const slices = Object.fromEntries(Object.entries(session.slices).filter(([name]) => own.has(name)));
  return { ...session, slices };
}

async function answered(asked: Invocation, call: HandlerCall, parts: InvocationParts): Promise<CommandResult> {
  const late = Promise.withResolvers<typeof LATE>();
  const callOff = parts.clock.wakeAt(parts.clock.now() + HANDLER_MS_MAX, () => late.resolve(LATE));
  const reading = onlyReads(asked.scopes) ? { cause: asked.cause } : undefined;
  try {
    const result = await Promise.race([runReadOnly(reading, () => asked.run(call)), late.promise]);
    if (result !== LATE) return commandResult(result);
    parts.failed(asked.pluginId, new Error(`${asked.cause} gave no answer within ${HANDLER_MS_MAX} ms`));
    return { refusal: tooLong(asked) };
  } catch (error) {
    parts.failed(asked.pluginId, error);
    return { refusal: error instanceof BadResult ? badResult(asked, error.message) : failure(asked) };
  } finally {
    callOff();
  }
}

const LATE = Symbol("late");

const badResult = ({ cause, pluginId }: Invocation, reason: string): Refusal =>
  refuse("PLUGIN_FAILED", localized("pluginBadResult", { command: cause, plugin: pluginId, reason })).refused;
const failure = ({ cause, pluginId }: Invocation): Refusal =>
  refuse("PLUGIN_FAILED", localized("pluginFailed", { command: cause, plugin: pluginId })).refused;
const tooLong = ({ cause, pluginId }: Invocation): Refusal => {
  const seconds = HANDLER_MS_MAX / 1_000;
  return refuse("PLUGIN_FAILED", localized("pluginTooLong", { command: cause, plugin: pluginId, seconds })).refused;
};

type Result = Exclude<CommandResult, { refusal: Refusal }>;
type Outcome = { result: Result; staged: Staged; version: number };

const ranIn = ({ ran, cause }: Invocation) => ({ ran: firstChars(ran ?? cause, RAN_CHARS_MAX) });
const isShownToAll = ({ delivery, message = "" }: Result): boolean => delivery === "channel" && message !== "";

/** Undefined when there is nothing to store. A command that only reads resumes no agent, and its answer stays with its sender. */
function commitOf({ result, staged, version }: Outcome, asked: Invocation): PluginCommand | undefined {
  const { pluginId, cause, scopes } = asked;
  const continueAgent = result.continueAgent === true && !onlyReads(scopes);
  const isPublic = isShownToAll(result) && !onlyReads(scopes);
  const changes = Object.keys(staged.values).length > 0;
  if (!continueAgent && !isPublic && !changes && staged.injections.length === 0) return undefined;
  return PluginCommand.parse({
    type: "commit",
    ...(changes || staged.isRead ? { base: version, values: staged.values } : {}),
    injections: staged.injections.map((given) => pluginInjection(pluginId, given, randomUUID())),
    ...(isPublic ? { notice: firstChars(result.message ?? "", NOTICE_CHARS_MAX) } : {}),
    continueAgent,
    ...(continueAgent ? ranIn(asked) : {}),
    cause,
  });
}

function shownTo({ message = "", said = [], delivery }: Result): { message: string; said?: LocalizedLine[] } {
  if (delivery === "silent") return { message: "" };
  const text = firstChars(message, MESSAGE_CHARS_MAX);
  const shown = text.split("\n").length;
  return messageOf({ text, said: said.filter(({ line }) => line < shown) });
}
