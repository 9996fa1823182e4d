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
import { pluginInjection } from "../plugins/state/plugin-injection.ts";
import type { Actor, Scope } from "../protocol/actor.ts";
import type { SessionId } from "../protocol/ids.ts";
import { Json, JsonObject } from "../protocol/json.ts";
import { INJECTIONS_PER_COMMIT_MAX, PluginCommand, pluginSlice, PluginState } from "../protocol/plugin-state.ts";
import { type Refusal, refuse } from "../protocol/refusal.ts";
import { messageOf, type LocalizedLine, localized } from "../protocol/localized/localized-text.ts";
import { firstChars } from "../plugins/sdk.ts";
import type { Session } from "../protocol/session.ts";
import type { Store } from "../store/store.ts";

const HANDLER_MS_MAX = 30_000;
const TRIES_MAX = 3;
const MESSAGE_CHARS_MAX = 16_384;
const NOTICE_CHARS_MAX = 4_000;

export type Invocation = {
  pluginId: string;
  /** The plugin's slice that `apply` sends commands to, if it has one. */
  slice: string | undefined;
  /** For the audit and the turn: `/deploy approve`. */
  cause: string;
  scopes: readonly Scope[];
  actor: Extract<Actor, { kind: "operator" }>;
  by: Dispatch;
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
  const staged: Staged = { isRead: false, values: {}, injections: [] };
  const { pluginId } = asked;
  const { version } = PluginState.parse(session.slices[pluginSlice(pluginId)] ?? EMPTY);
  const life = parts.host.lifeOf(pluginId);
  const isOver = (): boolean => parts.host.lifeOf(pluginId) !== life;
  const machine = machineOf(session.id, asked, { ...parts, isOver });
  const call: HandlerCall = {
    atMs: parts.clock.now(),
    session: ownView(session, asked),
    actor: asked.actor,
    state: {
      get(namespace) {
        staged.isRead = true;
        const set = Object.hasOwn(staged.values, namespace) ? staged.values[namespace] : undefined;
        return structuredClone(set ?? parts.host.stateIn(session, { pluginId, namespace }));
      },
      set: (namespace, value) => void (staged.values[namespace] = Json.parse(value)),
    },
    enqueueNextTurnInjection(injection) {
      if (staged.injections.length >= INJECTIONS_PER_COMMIT_MAX)
        throw new Error(`${asked.cause} queued more than ${INJECTIONS_PER_COMMIT_MAX} texts for the agent`);
      staged.injections.push(injection);
    },
    apply: machine.apply,
    cards: () => parts.engine.cards(session).filter(({ slice }) => slice === asked.slice),
    async artifact(kind, id) {
      const found = await parts.store.artifact(kind, id);
      return found?.sessionId === session.id ? found.body : undefined;
    },
  };
  const result = await answered(asked, call, parts);
  if ("refusal" in result) return { reply: { ok: false, refusal: result.refusal }, applied: machine.applied() };
  if (onlyReads(asked.scopes) && changesAnything(staged))
    return { reply: { ok: false, refusal: onlyReading(asked) }, applied: false };
  const commit = commitOf({ result, staged, version }, asked);
  if (commit === undefined) return { reply: { ok: true, ...shownTo(result) }, applied: machine.applied() };
  if (machine.applied()) throw new Error(`${asked.cause}: a command of a machine and staged state do not mix`);
  const order = { type: "slice.apply", slice: pluginSlice(asked.pluginId), command: JsonObject.parse(commit) } as const;
  if (isOver()) return { reply: { ok: false, refusal: switchedOff(asked) }, applied: false };
  const outcome = await parts.engine.dispatch(session.id, order, asked.by);
  if (!outcome.ok) return { reply: { ok: false, refusal: outcome.refusal }, applied: false };
  return { reply: { ok: true, ...shownTo(result) }, applied: true };
}

const changesAnything = ({ values, injections }: Staged): boolean =>
  Object.keys(values).length > 0 || injections.length > 0;

const onlyReading = ({ cause, pluginId }: Invocation): Refusal =>
  refuse("PLUGIN_FAILED", localized("pluginOnlyReads", { command: cause, plugin: pluginId })).refused;

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
  const late = Promise.withResolvers<undefined>();
  const callOff = parts.clock.wakeAt(parts.clock.now() + HANDLER_MS_MAX, () => late.resolve(undefined));
  try {
    const result = await Promise.race([asked.run(call), late.promise]);
    if (result !== undefined) return result;
    parts.failed(asked.pluginId, new Error(`${asked.cause} gave no answer within ${HANDLER_MS_MAX} ms`));
    return { refusal: tooLong(asked) };
  } catch (error) {
    parts.failed(asked.pluginId, error);
    return { refusal: failure(asked) };
  } finally {
    callOff();
  }
}

const failure = ({ cause, pluginId }: Invocation): Refusal =>
  refuse("PLUGIN_FAILED", localized("pluginFailed", { command: cause, plugin: pluginId })).refused;
const tooLong = ({ cause, pluginId }: Invocation): Refusal => {
  const seconds = HANDLER_MS_MAX / 1_000;
  return refuse("PLUGIN_FAILED", localized("pluginTooLong", { command: cause, plugin: pluginId, seconds })).refused;
};

type Result = Exclude<CommandResult, { refusal: Refusal }>;
type Outcome = { result: Result; staged: Staged; version: number };

/** Undefined when there is nothing to store. A command that only reads resumes no agent. */
function commitOf({ result, staged, version }: Outcome, asked: Invocation): PluginCommand | undefined {
  const { pluginId, cause, scopes } = asked;
  const continueAgent = result.continueAgent === true && !onlyReads(scopes);
  const isPublic = result.delivery === "channel" && result.message !== undefined && result.message !== "";
  const changes = Object.keys(staged.values).length > 0;
  if (!continueAgent && !isPublic && !changes && staged.injections.length === 0) return undefined;
  return PluginCommand.parse({
    type: "commit",
    ...(changes || staged.isRead ? { base: version, values: staged.values } : {}),
    injections: staged.injections.map((given) => pluginInjection(pluginId, given, randomUUID())),
    ...(isPublic ? { notice: firstChars(result.message ?? "", NOTICE_CHARS_MAX) } : {}),
    continueAgent,
    cause,
  });
}

function shownTo({ message = "", said = [], delivery }: Result): { message: string; said?: LocalizedLine[] } {
  if (delivery === "silent") return { message: "" };
  const text = firstChars(message, MESSAGE_CHARS_MAX);
  const shown = text.split("\n").length;
  return messageOf({ text, said: said.filter(({ line }) => line < shown) });
}
