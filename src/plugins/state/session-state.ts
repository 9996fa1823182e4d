/** A plugin's state in a session, read and changed outside of its commands: by hooks, tools and its own clockwork. */
import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { SessionId } from "../../protocol/ids.ts";
import { type Json, JsonObject } from "../../protocol/json.ts";
import { type PluginCommand, pluginSlice, PluginState } from "../../protocol/plugin/plugin-state.ts";
import type { Session } from "../../protocol/session.ts";
import type { SessionExtension, SessionState } from "../api/extension.ts";
import type { EnqueuedInjection, NextTurnInjection } from "../api/workflow.ts";
import { PluginError } from "../plugin-error.ts";
import type { SessionOutcome, Sessions } from "../sessions.ts";
import { pluginInjection } from "./plugin-injection.ts";
import { NO_STATE, parseState } from "./plugin-slice.ts";

/** Whoever only computes may be asked to compute again more often than a command's handler. */
const UPDATE_TRIES_MAX = 20;

export type StateParts = {
  pluginId: string;
  /** Throws when the plugin is off or the gateway is not connected yet. */
  sessions(): Sessions;
  /** Throws inside of an invocation that may only read. */
  mayChange(): void;
};

export function pluginStateIn(session: Pick<Session, "slices">, pluginId: string): PluginState {
  const stored = session.slices[pluginSlice(pluginId)];
  return stored === undefined ? NO_STATE : PluginState.parse(stored);
}

/** What a namespace holds in this session. What an older version of the plugin left there and cannot be read is begun anew. */
export function stateOf<State>(state: PluginState, extension: SessionExtension<State>): State {
  const stored = state.values[extension.namespace];
  if (stored === undefined) return structuredClone(extension.initial);
  const parsed = extension.schema.safeParse(structuredClone(stored));
  return parsed.success ? parsed.data : structuredClone(extension.initial);
}

export function createSessionState<State>(extension: SessionExtension<State>, parts: StateParts): SessionState<State> {
  const { namespace } = extension;
  const { pluginId } = parts;
  const read = async (sessionKey: string): Promise<PluginState> =>
    pluginStateIn(await sessionOf(sessionKey, parts), pluginId);
  return {
    get: async (sessionKey) => stateOf(await read(sessionKey), extension),
    async update(sessionKey, change) {
      parts.mayChange();
      for (let tries = 1; ; tries++) {
        const before = await read(sessionKey);
        const was = stateOf(before, extension);
        const next = change(structuredClone(was));
        const parsed = parseState(erased(extension), next);
        if ("problem" in parsed) {
          throw new PluginError({ problem: "invalid", pluginId }, `${pluginId}.${namespace}: ${parsed.problem}.`);
        }
        if (isDeepStrictEqual(parsed.value, was)) return was; // a hook that finds nothing to do writes nothing
        const cause = `update ${namespace}`;
        const values = { [namespace]: parsed.value };
        const commit = { base: before.version, values, injections: [], continueAgent: false, cause };
        const outcome = await order(sessionKey, { type: "commit", ...commit }, parts);
        if (outcome.ok) return extension.schema.parse(parsed.value);
        if (outcome.refusal.code !== "PLUGIN_STATE_CHANGED" || tries >= UPDATE_TRIES_MAX)
          throw refused(pluginId, outcome);
      }
    },
  };
}

/** Queues text for the agent's next turn; the same key replaces what is still queued under it. */
export async function enqueueInjection(given: NextTurnInjection, parts: StateParts): Promise<EnqueuedInjection> {
  const { sessionKey, ...words } = given;
  const injection = pluginInjection(parts.pluginId, words, randomUUID());
  const commit = { values: {}, injections: [injection], continueAgent: false, cause: "enqueueNextTurnInjection" };
  const outcome = await order(sessionKey, { type: "commit", ...commit }, parts);
  if (!outcome.ok) throw refused(parts.pluginId, outcome);
  const isQueued = outcome.session?.injections.some(({ id }) => id === injection.id) ?? false;
  return { enqueued: isQueued, id: injection.id };
}

export async function sessionOf(
  sessionKey: string,
  { pluginId, sessions }: Pick<StateParts, "pluginId" | "sessions">,
): Promise<Session> {
  const id = SessionId.safeParse(sessionKey);
  const session = id.success ? await sessions().session(id.data) : undefined;
  if (session === undefined)
    throw new PluginError({ problem: "invalid", pluginId }, `There is no session ${sessionKey}.`);
  return session;
}

async function order(
  sessionKey: string,
  commit: PluginCommand,
  { pluginId, sessions, mayChange }: StateParts,
): Promise<SessionOutcome> {
  mayChange();
  const command = JsonObject.parse(commit);
  const actor = { kind: "system", reason: pluginSlice(pluginId) } as const;
  return sessions().dispatch(
    SessionId.parse(sessionKey),
    { type: "slice.apply", slice: pluginSlice(pluginId), command },
    { actor },
  );
}

export const refused = (pluginId: string, outcome: Extract<SessionOutcome, { ok: false }>): PluginError =>
  new PluginError({ problem: "failed", pluginId }, outcome.refusal.message);

/** A schema parses what it is given, so the type of its state may be forgotten. */
export function erased<State>(extension: SessionExtension<State>): SessionExtension<Json> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above; states are JSON by the check of `parseState`
  return extension as unknown as SessionExtension<Json>;
}
