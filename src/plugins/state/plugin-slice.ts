/**
 * The machine behind every plugin that keeps JSON in sessions. One commit of it carries what one invocation caused:
 *
 *   commit {base, values, injections, notice, continueAgent} ──┬─ base is old ──────▶ PLUGIN_STATE_CHANGED: compute again
 *                                                              ├─ not plain, too big ▶ PLUGIN_STATE_INVALID
 *                                                              └─▶ plugin.committed ─▶ text queued · line shown · turn asked for
 */
import { z } from "zod";
import type { Effect } from "../../core/effect.ts";
import { defuse, defuseLine } from "../../core/text/defuse.ts";
import type { Slice, SliceContext, SliceDecision } from "../../core/slice.ts";
import type { OwnFact } from "../../protocol/audit.ts";
import { Json } from "../../protocol/json.ts";
import {
  PluginCommand,
  type PluginEvent,
  type PluginInjection,
  pluginSlice,
  PluginState,
} from "../../protocol/plugin/plugin-state.ts";
import { refuse, type Refused } from "../../protocol/refusal.ts";
import { asIs } from "../../protocol/localized/localized-text.ts";
import { type SessionExtension, STATE_BYTES_MAX, STATE_DEPTH_MAX } from "../api/extension.ts";
import { plainJsonProblem } from "./plain-json.ts";

export const NO_STATE: PluginState = { version: 0, values: {} };

const NAME_CHARS_MAX = 80;
const RAN_CHARS_MAX = 200;
/** That of the plugin's own texts before what people wrote. */
const RAN_PRIORITY = 4;

export type Extensions = ReadonlyMap<string, SessionExtension<Json>>;
type StateSlice = Slice<PluginState, PluginCommand, PluginEvent, unknown>;

export function createPluginSlice(pluginId: string, extensions: Extensions): StateSlice {
  return {
    name: pluginSlice(pluginId),
    state: PluginState,
    command: PluginCommand,
    settings: z.unknown(),
    initial: NO_STATE,
    decide: (state, command) => decide(state, command, { pluginId, extensions }),
    evolve,
    effects: (_state, event, context) => effects(event, pluginId, context),
  };
}

function evolve(state: PluginState, { version, values, shown = {} }: PluginEvent): PluginState {
  const kept = Object.entries(state.shown ?? {}).filter(([namespace]) => !Object.hasOwn(values, namespace));
  const all = { ...Object.fromEntries(kept), ...shown };
  const visible = Object.keys(all).length === 0 ? {} : { shown: all };
  return { version, values: { ...state.values, ...values }, ...visible };
}

type Owner = { pluginId: string; extensions: Extensions };

function decide(state: PluginState, command: PluginCommand, owner: Owner): SliceDecision<PluginEvent> {
  const { base, injections, notice = null, continueAgent, ran, cause } = command;
  const names = Object.keys(command.values);
  if (base === undefined ? names.length > 0 : base !== state.version) return CHANGED;
  const fitting = checked(command.values, state, owner);
  if ("refused" in fitting) return fitting;
  const { values } = fitting;
  const foreign = injections.find(({ id }) => !id.startsWith(`${pluginSlice(owner.pluginId)}:`));
  if (foreign !== undefined)
    return refuse("INVALID_REQUEST", `The injection "${foreign.id}" is not ${owner.pluginId}'s.`);
  const version = names.length > 0 ? state.version + 1 : state.version;
  const shown = projected(values, state, owner);
  const asked = { continueAgent, ...(continueAgent && ran !== undefined ? { ran } : {}), cause };
  const event = { type: "plugin.committed", version, values, shown, injections, notice, ...asked } as const;
  return { events: [event], reply: { version } };
}

const CHANGED: Refused = {
  refused: {
    code: "PLUGIN_STATE_CHANGED",
    message: "Somebody else changed this meanwhile; look at it and try again.",
    retry: true,
  },
};

type Values = PluginState["values"];

/** As the plugin's own schema reads them, and within what a session may hold. */
function checked(given: Values, state: PluginState, { pluginId, extensions }: Owner): { values: Values } | Refused {
  const values: Values = {};
  for (const [namespace, value] of Object.entries(given)) {
    const extension = extensions.get(namespace);
    if (extension === undefined) return invalid(`${pluginId} registered no session extension "${namespace}"`);
    const parsed = parseState(extension, value);
    if ("problem" in parsed) return invalid(`${pluginId}.${namespace}: ${parsed.problem}`);
    values[namespace] = parsed.value;
  }
  const chars = JSON.stringify({ ...state.values, ...values }).length;
  if (chars > STATE_BYTES_MAX)
    return invalid(`${pluginId} may keep ${STATE_BYTES_MAX} bytes in a session; this is ${chars}`);
  return { values };
}

/** Kept beside the values, so that a plugin need not run to be seen. One that cannot be projected, or kept, is not shown. */
function projected(values: Values, { shown: before = {} }: PluginState, { extensions }: Owner): Values {
  const shown = Object.fromEntries(
    Object.entries(values).flatMap(([namespace, value]): [string, Json][] => {
      const made = projection(extensions.get(namespace), value);
      return made === undefined ? [] : [[namespace, made]];
    }),
  );
  return JSON.stringify({ ...before, ...shown }).length > STATE_BYTES_MAX ? {} : shown;
}

function projection(extension: SessionExtension<Json> | undefined, value: Json): Json | undefined {
  try {
    const made = extension?.project?.(extension.schema.parse(structuredClone(value)));
    const problem = plainJsonProblem(made, { depthMax: STATE_DEPTH_MAX, charsMax: STATE_BYTES_MAX });
    return problem === undefined ? structuredClone(made) : undefined;
  } catch {
    return undefined; // reported and counted when somebody looks at the session
  }
}

const invalid = (why: string): Refused => refuse("PLUGIN_STATE_INVALID", `Nothing was changed: ${why}.`);

/** A schema is the plugin's own code: what it throws is its answer, and what it makes must be JSON again. */
export function parseState(
  { schema }: Pick<SessionExtension<Json>, "schema">,
  value: unknown,
): { value: Json } | { problem: string } {
  const bounds = { depthMax: STATE_DEPTH_MAX, charsMax: STATE_BYTES_MAX };
  const given = plainJsonProblem(value, bounds);
  if (given !== undefined) return { problem: given };
  try {
    const parsed = schema.safeParse(value);
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      return { problem: `${issue?.path.join(".") ?? ""} ${issue?.message ?? "does not fit its schema"}`.trim() };
    }
    const made = plainJsonProblem(parsed.data, bounds);
    return made === undefined ? { value: Json.parse(parsed.data) } : { problem: made };
  } catch {
    return { problem: "its schema failed" };
  }
}

function effects(event: PluginEvent, pluginId: string, context: SliceContext<unknown>): Effect[] {
  const { values, version, injections, notice, continueAgent, ran, cause } = event;
  const { nowMs } = context;
  const namespaces = Object.keys(values);
  const fact: OwnFact = { type: "plugin.committed", detail: { plugin: pluginId, cause, version, namespaces } };
  return [
    // first, so that it is the first to go where the queue is full: what the plugin itself has to say counts more
    ...(ran === undefined ? [] : [ranLine(ran, pluginId, context)]),
    ...injections.map((injection): Effect => ({ kind: "inject", injection: queued(injection, { pluginId, nowMs }) })),
    // under its own name: a line in the transcript is otherwise the gateway's
    ...(notice === null ? [] : [{ kind: "notify", ...asIs(`${pluginId}: ${defuse(notice)}`) } as const]),
    ...(continueAgent ? [{ kind: "request-turn", cause } as const] : []),
    { kind: "audit", fact },
  ];
}

/** Who ran what. A turn that begins with this is never empty, whatever else is queued, expired or replaced by then. */
function ranLine(ran: string, pluginId: string, { actor, freshId }: SliceContext<unknown>): Effect {
  const who = actor.kind === "operator" ? defuseLine(actor.name, NAME_CHARS_MAX) : "The gateway";
  const text = `[PLUGIN_COMMAND ${pluginId}]\n${who} ran ${defuseLine(ran, RAN_CHARS_MAX)}.\n[/PLUGIN_COMMAND]`;
  const id = freshId(`${pluginSlice(pluginId)}:ran`, 0);
  return { kind: "inject", injection: { id, kind: pluginSlice(pluginId), text, priority: RAN_PRIORITY } };
}

function queued({ ttlMs, ...injection }: PluginInjection, { pluginId, nowMs }: { pluginId: string; nowMs: number }) {
  const expiry = ttlMs === undefined ? {} : { expiresAtMs: nowMs + ttlMs };
  return { ...injection, kind: pluginSlice(pluginId), ...expiry };
}
