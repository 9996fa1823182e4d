/**
 * An ordinary plugin as the host sees it: `register` starts its process, and registers here what it registered there,
 * with handlers that ask it. What comes back is parsed before it counts.
 */
import { z } from "zod";
import { Json, type JsonObject } from "../../protocol/json.ts";
import type { PluginManifest } from "../../protocol/plugin/plugin-manifest.ts";
import type { CommandResult, HandlerCall } from "../api/command.ts";
import type { SessionState } from "../api/extension.ts";
import { HOOK_MS_MAX, type HookName } from "../api/hooks.ts";
import { canonicalJson } from "../../protocol/text/canonical-json.ts";
import { BadResult, commandResult } from "../commands/command-result.ts";
import { schemaChecker } from "../packages/check-config.ts";
import type { Plugin, PluginApi } from "../sdk.ts";
import type { Clock } from "../sessions.ts";
import type { ToolContext, ToolOutput } from "../tool.ts";
import { outsideReadOnlyRun, readOnlyRun, runReadOnly } from "../read-only-run.ts";
import { createAsks, OwnInjection, Shown } from "./asks.ts";
import { GUEST_LIMITS, GuestError, type GuestLimits } from "./guest-limits.ts";
import { createReadOnlyCalls } from "./read-only-calls.ts";
import { superviseGuest } from "./supervised-guest.ts";
import type { Registration } from "./guest-messages.ts";

const HANDLER_MS_MAX = 30_000;
const TOOL_MS_MAX = 600_000;
const EVENT_MS_MAX = 10_000;
const DISPOSE_MS_MAX = 3_000;
const SHOWN_MAX = 1_000;
const MESSAGE_CHARS_MAX = 20_000;
const STREAM_CHARS_MAX = 1024 * 1024;

export type IsolatedParts = {
  manifest: PluginManifest;
  /** Absolute and free of symlinks. */
  folder: string;
  config: JsonObject;
  clock: Pick<Clock, "now">;
  trouble(reason: GuestError): void;
  refusal?(): Promise<string | undefined>;
  limits?: Partial<GuestLimits>;
};

export type IsolatedPlugin = Plugin & { end(): Promise<void> };

export function isolatedPlugin(parts: IsolatedParts): IsolatedPlugin {
  const { manifest } = parts;
  const bridge = createBridge(parts);
  const plugin: Plugin = {
    id: manifest.id,
    name: manifest.name,
    description: manifest.description,
    register: (api: PluginApi) => bridge.register(api),
  };
  return { ...plugin, end: () => bridge.end() };
}

type Served = { call?: HandlerCall; emit?: (chunk: string) => void };

function createBridge({ manifest, folder, config, clock, trouble, refusal, limits }: IsolatedParts) {
  const served = new Map<number, Served>(); // the calls under way
  const readOnly = createReadOnlyCalls();
  const states = new Map<string, SessionState<Json>>();
  const subscriptions = new Map<string, () => void>();
  const shown = createShown();
  let api: PluginApi | undefined;
  let asks: ReturnType<typeof createAsks> | undefined;

  const guest = superviseGuest({
    order: {
      id: manifest.id,
      folder,
      entry: manifest.entry,
      config,
      network: manifest.needs.includes("network"),
      limits: { ...GUEST_LIMITS, ...limits },
    },
    clock,
    trouble,
    refusal: refusal ?? (async () => undefined),
    events: {
      ask: async (ask) => {
        if (asks === undefined) throw new Error("Nothing can be asked while the plugin registers.");
        const put = asks;
        return runReadOnly(readOnly.of(ask.within), () => put(ask));
      },
      chunk: (within, text) => served.get(within)?.emit?.(text),
      log: (level, message, fields) => api?.log(level, message, fields),
    },
  });

  const ask: Invoke = async (key, args, { timeoutMs, signal, ...serving }) => {
    let number: number | undefined;
    try {
      const reading = readOnlyRun();
      const began = (n: number): void => {
        served.set((number = n), serving);
        readOnly.began(n, reading);
      };
      const options = { timeoutMs, began, ...(signal === undefined ? {} : { signal }) };
      return await outsideReadOnlyRun(() => guest.call(key, args, options)); // its process outlives this call
    } finally {
      if (number !== undefined) served.delete(number);
    }
  };

  return {
    async register(given: PluginApi): Promise<void> {
      api = given;
      const registrations = await guest.registrations();
      const parts = { api: given, ask, states, subscriptions, shown };
      asks = createAsks({
        api: given,
        states,
        handlerCall: (within) => (within === undefined ? undefined : served.get(within)?.call),
        unsubscribe: (key) => subscriptions.get(key)?.(),
        shown: (all) => shown.keep(all),
      });
      for (const registration of registrations) replay(registration, parts);
      given.lifecycle.register({ dispose: () => guest.end() });
    },
    end: () => guest.end(),
  };
}

type Invoke = (
  key: string,
  args: Json,
  options: Served & { timeoutMs: number; signal?: AbortSignal },
) => Promise<Json | undefined>;

type Replay = {
  api: PluginApi;
  ask: Invoke;
  states: Map<string, SessionState<Json>>;
  subscriptions: Map<string, () => void>;
  shown: ReturnType<typeof createShown>;
};

function replay(registration: Registration, parts: Replay): void {
  const { api, ask } = parts;
  switch (registration.kind) {
    case "command": {
      const { spec, key } = registration;
      return api.commands.registerCommand({
        ...spec,
        handler: ({ args, ...call }) => handled(key, { args }, { call, ...parts }),
      });
    }
    case "action":
      return replayAction(registration, parts);
    case "tool":
      return replayTool(registration, parts);
    case "state":
      return replayState(registration, parts);
    case "tool-metadata": {
      const { kind: _, ...metadata } = registration;
      return api.tools.registerToolMetadata(metadata);
    }
    case "descriptor":
      return api.session.controls.registerControlUiDescriptor(registration.descriptor);
    case "hook": {
      const { key, hook, kind: _, ...options } = registration;
      const handler = (event: Json): Promise<unknown> => ask(key, event, { timeoutMs: HOOK_MS_MAX });
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the host refuses unknown hooks and parses their answers
      return api.on(hook as HookName, handler as never, options);
    }
    case "subscription": {
      const { key, types } = registration;
      const end = api.agent.events.subscribe(types, async (event) => {
        await ask(key, { ...event }, { timeoutMs: EVENT_MS_MAX });
      });
      return void parts.subscriptions.set(key, end);
    }
    case "heartbeat":
      return api.heartbeat.registerContribution({ id: registration.id, text: lastSaid(registration.key, ask) });
    case "lifecycle":
      return replayLifecycle(registration, parts);
  }
}

/** A heartbeat does not wait: it gets what the plugin said at the one before, and the plugin is asked for the next. */
function lastSaid(key: string, ask: Invoke): (place: { agentId: string; sessionKey: string }) => string | undefined {
  const last = new Map<string, string | undefined>();
  async function askAgain(place: { agentId: string; sessionKey: string }): Promise<void> {
    const text = await ask(key, place, { timeoutMs: EVENT_MS_MAX });
    if (last.size >= SHOWN_MAX) last.clear();
    last.set(place.sessionKey, z.string().max(MESSAGE_CHARS_MAX).safeParse(text).data);
  }
  return (place) => {
    const said = last.get(place.sessionKey);
    void askAgain(place).catch(() => undefined); // it is silent then; a crash is counted where it happens
    return said;
  };
}

type Of<Kind extends Registration["kind"]> = Extract<Registration, { kind: Kind }>;

function replayLifecycle({ key, disposes, cleans }: Of<"lifecycle">, { api, ask }: Replay): void {
  api.lifecycle.register({
    ...(disposes
      ? { dispose: async () => void (await ask(`${key}:dispose`, null, { timeoutMs: DISPOSE_MS_MAX })) }
      : {}),
    ...(cleans ? { cleanup: cleaner(key, ask) } : {}),
  });
}

const cleaner = (key: string, ask: Invoke) => async (reason: string, sessionKey: string) =>
  void (await ask(`${key}:cleanup`, { reason, sessionKey }, { timeoutMs: EVENT_MS_MAX }));

function replayState(registration: Of<"state">, { api, ask, states, shown }: Replay): void {
  const { key, namespace, description, initial, projects, cleans } = registration;
  const project = (state: Json): Json | undefined =>
    shown.of(namespace, state, async () => (await ask(`${key}:project`, state, { timeoutMs: EVENT_MS_MAX })) ?? null);
  const state = api.session.state.registerSessionExtension<Json>({
    namespace,
    description,
    schema: checkerOf(registration.schema, `the state ${namespace}`),
    initial,
    ...(projects ? { project } : {}),
    ...(cleans ? { cleanup: cleaner(key, ask) } : {}),
  });
  states.set(namespace, state);
}

function replayAction(registration: Of<"action">, parts: Replay): void {
  const { key, id, description, requiredScopes } = registration;
  parts.api.session.controls.registerSessionAction<Json>({
    id,
    description,
    schema: checkerOf(registration.schema, `the params of ${id}`),
    ...(requiredScopes === undefined ? {} : { requiredScopes }),
    handler: ({ params, ...call }) => handled(key, { params }, { call, ...parts }),
  });
}

/** The schema as the plugin declared it, without what could hold up the gateway; the plugin checks the whole of it. */
function checkerOf(schema: JsonObject, what: string): z.ZodType<Json> {
  const checker = schemaChecker(schema);
  if ("problem" in checker) throw new GuestError(`The schema of ${what} cannot be used: ${checker.problem}.`);
  // not by a pipe: that lets properties pass which the schema does not name
  return Json.transform((value, context) => {
    const parsed = checker.type.safeParse(value);
    if (parsed.success) return Json.parse(parsed.data);
    for (const { path, message } of parsed.error.issues) context.addIssue({ code: "custom", path, message });
    return z.NEVER;
  });
}

const Output = z.strictObject({ status: z.enum(["ok", "error"]), content: Json });

function replayTool(registration: Of<"tool">, { api, ask }: Replay): void {
  const { key, name, description, effect, toolKind, schema } = registration;
  const input = checkerOf(schema, `the input of ${name}`);
  const declared = { name, description, kind: toolKind, input, inputSchema: closed(schema) };
  const run = async (given: Json, { signal, emit, ...context }: ToolContext): Promise<ToolOutput> => {
    const { sessionId, turnId, callId, workspace } = context;
    const place = { sessionId, ...(turnId === undefined ? {} : { turnId }), callId, workspace };
    const args = { input: given, context: place };
    return Output.parse(await ask(key, args, { timeoutMs: TOOL_MS_MAX, signal, emit: upTo(STREAM_CHARS_MAX, emit) }));
  };
  // whether a call of a dynamic tool only reads would have to be proven here and now, which its process cannot do
  if (effect === "dynamic") return api.tools.registerTool<Json>({ ...declared, effect, classify: () => "write", run });
  return api.tools.registerTool<Json>(effect === "read" ? { ...declared, effect, run } : { ...declared, effect, run });
}

/** Output for watchers is limited to this; the result is what counts. */
function upTo(charsMax: number, emit: (chunk: string) => void): (chunk: string) => void {
  let left = charsMax;
  return (chunk) => {
    if (left > 0) emit(chunk.slice(0, left));
    left -= chunk.length;
  };
}

/** The schema must say what happens to properties that it does not name. */
function closed({ $schema: _dialect, ...schema }: JsonObject): JsonObject {
  return { additionalProperties: false, ...schema };
}

const Handled = z.strictObject({
  result: Json.exactOptional(), // whether it is a result is checked as for plugins inside the gateway
  staged: z.record(z.string(), Json),
  injections: z.array(OwnInjection).max(20),
  shown: Shown,
});

type HandledParts = Replay & { call: HandlerCall };

/** What the handler staged over there is staged here, so that the host commits it with the answer, or not at all. */
async function handled(
  key: string,
  own: JsonObject,
  { call, ask, states, shown }: HandledParts,
): Promise<CommandResult> {
  const state = Object.fromEntries([...states.keys()].map((namespace) => [namespace, call.state.get(namespace)]));
  const args = { ...own, atMs: call.atMs, session: Json.parse(call.session), actor: Json.parse(call.actor), state };
  const answer = Handled.safeParse(await ask(key, args, { timeoutMs: HANDLER_MS_MAX, call }));
  if (!answer.success)
    throw new GuestError(`${key} answered what is no result: ${answer.error.issues[0]?.message ?? ""}`);
  const result = ownResult(answer.data.result);
  for (const [namespace, value] of Object.entries(answer.data.staged)) call.state.set(namespace, value);
  for (const injection of answer.data.injections) call.enqueueNextTurnInjection(injection);
  shown.keep(answer.data.shown);
  return result;
}

/** Texts of the gateway's own languages are for plugins inside it. */
function ownResult(given: Json | undefined): CommandResult {
  const result = commandResult(given);
  if ("refusal" in result) return result;
  if (result.said !== undefined) throw new BadResult("said: only a trusted plugin has texts of its own");
  if ((result.message ?? "").length > MESSAGE_CHARS_MAX)
    throw new BadResult(`message: more than ${MESSAGE_CHARS_MAX} characters`);
  return result;
}

/**
 * What clients may see of a state is computed by the plugin, and wanted at once: so it comes with each new state and is
 * stored with it. For one that was stored before this process began it is fetched, to be there when it is asked for next.
 */
const shownKey = (namespace: string, state: Json): string => `${namespace} ${canonicalJson(state)}`;

function createShown() {
  const kept = new Map<string, Json>();
  const put = (key: string, value: Json): void => {
    kept.delete(key);
    kept.set(key, value);
    const [oldest] = kept.keys();
    if (kept.size > SHOWN_MAX && oldest !== undefined) kept.delete(oldest);
  };
  return {
    keep(all: z.infer<typeof Shown>): void {
      for (const { namespace, state, shown } of all) put(shownKey(namespace, state), shown);
    },
    /** Undefined: not known yet, so what was stored with the state counts. */
    of(namespace: string, state: Json, fetch: () => Promise<Json>): Json | undefined {
      const key = shownKey(namespace, state);
      const found = kept.get(key);
      if (found !== undefined) return found;
      void fetch().then(
        (value) => put(key, value),
        () => undefined, // the call itself reports it
      );
      return undefined;
    },
  };
}
