/**
 * The object that one plugin holds of the gateway. While it registers, everything is staged; afterwards only what works
 * on sessions is alive, and when the plugin is switched off nothing is.
 */
import { CALLERS_OWNER } from "../../core/calls/caller-ends.ts";
import { anySlice } from "../../core/slice.ts";
import type { SliceWorker } from "../../core/worker.ts";
import { SessionId } from "../../protocol/ids.ts";
import type { LocalizedText } from "../../protocol/localized/localized-text.ts";
import { CommandSpec } from "../../protocol/plugin/plugin-manifest.ts";
import { RESERVED_PATCH_NAMES } from "../../protocol/wire/session-patch.ts";
import { UiDescriptor } from "../../protocol/wire/ui-descriptor.ts";
import type { SessionControls } from "../api/controls.ts";
import type { SessionExtension, SessionState } from "../api/extension.ts";
import { type AgentEvents, HOOK_MS_MAX } from "../api/hooks.ts";
import type { LogLevel } from "../api/lifecycle.ts";
import type { CommandCall, CommandResult, HandlerCall, PluginCommand, PluginSubcommands } from "../api/command.ts";
import { commandResult } from "../commands/command-result.ts";
import { specOf } from "../commands/command-spec.ts";
import type { AgentEventHub, RateLimit } from "../events/agent-events.ts";
import type { RunContexts } from "../events/run-context.ts";
import { hookTimeout, type RegisteredHook } from "../hooks/hook-runner.ts";
import type { PluginRuntime } from "../plugin-runtime.ts";
import type { PatchField, PluginApi } from "../sdk.ts";
import type { Clock } from "../sessions.ts";
import { plainJsonProblem } from "../state/plain-json.ts";
import { parseState } from "../state/plugin-slice.ts";
import { createSessionState, erased, sessionOf, type StateParts } from "../state/session-state.ts";
import { createWorkflow } from "../state/workflow.ts";
import type { Tool } from "../tool.ts";
import { unclassifiedTool } from "../unclassified-tool.ts";
import { blobsOf } from "./blobs-part.ts";
import { callsOf } from "./calls-part.ts";
import { type Loaded, machineOf } from "./contributions.ts";
import { declaredCommand, declaredHook, declaredPolicy, declaredTool, declaredUi } from "./declared.ts";
import { ownedSlice } from "./owned-slice.ts";
import { ownText, speakerOf, withOwnLines } from "./own-lines.ts";
import { ownCode, ownRefusal } from "./own-refusal.ts";
import { registerChannel, outsideSessionsOf } from "./outside-events.ts";
import { processesOf } from "./processes-part.ts";
import { shapeProblems } from "./shape-problems.ts";
import { type Rights, rightsOf } from "./rights.ts";
import { wireParts } from "./wire-parts.ts";

const EMIT_DATA = { depthMax: 16, charsMax: 16_384 };
const PATCH_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const EMIT_NAME = /^[a-z][a-z0-9_.-]{0,63}$/;

export type ApiServices = {
  /** Undefined until the gateway is connected. */
  runtime(): PluginRuntime | undefined;
  clock: Pick<Clock, "now">;
  hub: AgentEventHub;
  rate: RateLimit;
  runs: RunContexts;
  log(pluginId: string, line: { level: LogLevel; message: string; fields?: object }): void;
};

function sessionPart(own: Loaded, rights: Rights, services: ApiServices): PluginApi["session"] {
  const { mayChange } = rights;
  const state: StateParts = { pluginId: own.id, sessions: () => rights.running().sessions, mayChange };
  const scheduler = () => {
    const found = rights.changing().scheduler;
    if (found === undefined) throw rights.fail("failed", "nothing can be scheduled in this gateway");
    return found;
  };
  return {
    registerSlice(slice) {
      rights.trusted("a session machine");
      rights.wellFormed(shapeProblems.slice(slice));
      if (slice.name.startsWith("plugin:") || slice.name === CALLERS_OWNER)
        throw rights.fail("invalid", `"${slice.name}" cannot name a session machine`);
      const erasedSlice = anySlice(slice);
      rights.stage("slices", own.tier === "bundled" ? erasedSlice : ownedSlice(ownerOf(own, services), erasedSlice));
    },
    registerWorker: (worker) => stageWorker(worker, rights),
    registerPatchField(field) {
      rights.trusted("a field of sessions.patch");
      rights.wellFormed(shapeProblems.field(field));
      if (RESERVED_PATCH_NAMES.has(field.field) || !PATCH_NAME.test(field.field))
        throw rights.fail("invalid", `"${field.field}" cannot name a field of sessions.patch`);
      rights.stage("patchFields", own.tier === "bundled" ? field : { ...field, ...ownMissingCodes(field, own) });
    },
    state: { registerSessionExtension: (extension) => extend(own, extension, { rights, state }) },
    workflow: createWorkflow({ ...state, demand: rights.demand, scheduler }),
    controls: controlsOf(own, rights),
  };
}

const ownerOf = (own: Loaded, { log }: ApiServices): Parameters<typeof ownedSlice>[0] => ({
  pluginId: own.id,
  fields: () => new Set(own.has.patchFields.map(({ field }) => field)),
  commands: () => new Set(own.has.commands.map(({ spec }) => spec.name)),
  failed: (error) => log(own.id, { level: "error", message: "a card is not shown", fields: { err: String(error) } }),
  speaker: () => speakerOf(own),
});

export function createApi<Config>(own: Loaded, config: Config, services: ApiServices): PluginApi<Config> {
  const rights = rightsOf(own, services);
  return {
    id: own.id,
    tier: own.tier,
    config,
    log: (level, message, fields) =>
      services.log(own.id, { level, message, ...(fields === undefined ? {} : { fields }) }),
    now: () => services.clock.now(),
    session: sessionPart(own, rights, services),
    channels: { register: (channel) => registerChannel(channel, rights) },
    sessions: outsideSessionsOf(own, rights),
    tools: toolsOf(own, rights),
    calls: callsOf(own, rights),
    blobs: blobsOf(own, rights),
    async secretKey() {
      rights.trusted("a key of its own");
      const key = await rights.changing().secretKey?.(own.id);
      if (key === undefined) throw rights.fail("failed", "there are no keys in this gateway");
      return key;
    },
    processes: processesOf(rights),
    commands: {
      registerCommand: (command) => stageCommand(own, command, rights),
      registerSubcommands: (subcommands) => stageSubcommands(own, subcommands, rights),
    },
    registerCommand: (command) => stageCommand(own, command, rights),
    ...wireParts(own, rights),
    prompts: {
      registerPart(part) {
        if (own.tier === "ordinary") rights.demand("prompt");
        rights.stage("promptParts", part);
      },
    },
    agent: { events: eventsOf(own, rights, services) },
    runContext: {
      get: async (runId, key) => (rights.running(), services.runs.get(own.id, runId, key)),
      set: async (runId, entry) => (rights.changing(), services.runs.set(own.id, runId, entry)),
      clear: async (runId) => (rights.changing(), services.runs.clear(own.id, runId)),
    },
    heartbeat: { registerContribution: (contribution) => rights.stage("heartbeats", contribution) },
    lifecycle: { register: (lifecycle) => rights.stage("lifecycles", lifecycle) },
    on: (hook, handler, options = {}) => {
      declaredHook(own, hook);
      const { priority = 0, timeoutMs } = options;
      const registered: Omit<RegisteredHook, "handler"> = {
        pluginId: own.id,
        hook,
        priority: Math.max(-1_000, Math.min(1_000, priority)),
        timeoutMs: hookTimeout(timeoutMs, HOOK_MS_MAX),
        needs: own.needs,
      };
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the runner hands it events of its own hook only
      rights.stage("hooks", { ...registered, handler: handler as unknown as RegisteredHook["handler"] });
    },
  };
}

function stageCommand(own: Loaded, command: PluginCommand, rights: Rights): void {
  const name = CommandSpec.shape.name.safeParse(command.name);
  if (!name.success) throw rights.fail("invalid", `/${command.name}: ${name.error.issues[0]?.message ?? "no name"}`);
  const spec = declaredCommand(own, specOf(command));
  const handler = async (call: CommandCall): Promise<CommandResult> =>
    ownResult(await command.handler(withinNeeds(call, rights)), own);
  const { id: pluginId, tier } = own;
  const ownTextOf = (key: string): LocalizedText | undefined => ownText(key, speakerOf(own));
  const textOf = tier === "bundled" ? command.textOf : ownTextOf; // nobody else speaks in the house's words
  rights.stage("commands", { pluginId, tier, spec, slice: () => machineOf(own), handler, textOf });
}

/** Listed and typed below a command of another plugin, so only plugins that ship with it may. */
function stageSubcommands(own: Loaded, given: PluginSubcommands, rights: Rights): void {
  if (own.tier !== "bundled") throw rights.fail("invalid", `only bundled plugins add to /${given.of}`);
  const { of, subcommands, handler, textOf } = given;
  const spec = CommandSpec.parse({ name: of, subcommands });
  const { id: pluginId, tier } = own;
  const answer = async (call: CommandCall): Promise<CommandResult> => handler(call);
  rights.stage("commands", { pluginId, tier, spec, of, slice: () => machineOf(own), handler: answer, textOf });
}

function stageWorker(worker: SliceWorker, rights: Rights): void {
  rights.trusted("a worker for the orders of a session machine");
  rights.wellFormed(shapeProblems.worker(worker));
  const orders = [...new Set(worker.orders)];
  if (orders.length === 0 || orders.some((kind) => typeof kind !== "string" || kind === ""))
    throw rights.fail("invalid", `the worker of "${worker.slice}" does not say which orders it takes`);
  const manner = worker.isUnhurried === true ? { isUnhurried: true as const } : {};
  rights.stage("workers", { slice: worker.slice, orders, ...manner, perform: (...call) => worker.perform(...call) });
}

type Extending = { rights: Rights; state: StateParts };

function extend<State>(
  own: Loaded,
  extension: SessionExtension<State>,
  { rights, state }: Extending,
): SessionState<State> {
  const { namespace } = extension;
  const stored = erased(extension);
  if (!/^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(namespace) || namespace in {})
    throw rights.fail("invalid", `"${namespace}" cannot name a session extension`);
  if (own.has.extensions.some((other) => other.namespace === namespace))
    throw rights.fail("taken", `it registers the session extension "${namespace}" twice`);
  const initial = parseState(stored, extension.initial);
  if ("problem" in initial) throw rights.fail("invalid", `the initial state of "${namespace}": ${initial.problem}`);
  rights.stage("extensions", stored);
  return createSessionState(extension, state);
}

function controlsOf(own: Loaded, rights: Rights): SessionControls {
  return {
    registerControlUiDescriptor(given) {
      const parsed = UiDescriptor.safeParse(given);
      if (!parsed.success) {
        const issue = parsed.error.issues[0];
        throw rights.fail("invalid", `a UI descriptor: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`);
      }
      declaredUi(own, parsed.data);
      if (own.has.descriptors.some(({ id }) => id === parsed.data.id))
        throw rights.fail("taken", `it registers the UI descriptor "${parsed.data.id}" twice`);
      rights.stage("descriptors", parsed.data);
    },
    registerSessionAction(action) {
      if (own.has.actions.some(({ id }) => id === action.id))
        throw rights.fail("taken", `it registers the action "${action.id}" twice`);
      const handler: typeof action.handler = async (call) =>
        ownResult(await action.handler(withinNeeds(call, rights)), own);
      rights.stage("actions", { ...action, handler });
    },
  };
}

const ownMissingCodes = ({ missingCodes }: Pick<PatchField<unknown>, "missingCodes">, { id }: Loaded) =>
  missingCodes === undefined
    ? {}
    : {
        missingCodes: Object.fromEntries(Object.entries(missingCodes).map(([part, code]) => [part, ownCode(code, id)])),
      };

/** What it returns is the plugin's words, even a refusal that was the gateway's: pages have their own text for its code. */
function ownResult(given: unknown, own: Loaded): CommandResult {
  const result = commandResult(given);
  if (own.tier === "bundled") return result;
  const speaker = speakerOf(own);
  return "refusal" in result ? { refusal: ownRefusal(result.refusal, speaker) } : withOwnLines(result, speaker);
}

/** Text for the agent is queued only by plugins whose operator agreed to it, from a command no less than elsewhere. */
function withinNeeds<Call extends HandlerCall>(call: Call, rights: Rights): Call {
  const enqueueNextTurnInjection: HandlerCall["enqueueNextTurnInjection"] = (injection) => {
    rights.demand("injections");
    call.enqueueNextTurnInjection(injection);
  };
  return { ...call, enqueueNextTurnInjection };
}

function toolsOf(own: Loaded, rights: Rights): PluginApi["tools"] {
  return {
    registerTool(tool) {
      if (own.tier !== "bundled") rights.wellFormed(unclassifiedTool(tool)); // those are all checked when the gateway starts
      declaredTool(own, tool);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a tool parses its own arguments, so their type may be forgotten
      rights.stage("tools", tool as Tool);
    },
    registerToolMetadata: (metadata) => rights.stage("metadata", metadata),
    registerTrustedToolPolicy(policy) {
      rights.trusted("a trusted tool policy");
      rights.wellFormed(shapeProblems.policy(policy));
      if (own.tier === "bundled") return rights.stage("policies", policy);
      declaredPolicy(own, policy.id);
      rights.stage("policies", {
        ...policy,
        id: `${own.id}/${policy.id}`,
        evaluate: (question) => policy.evaluate(question),
      });
    },
    registerCommandJudge(judge) {
      rights.trusted("the judge of commands");
      rights.stage("commandJudge", judge);
    },
    registerPermissionPrompt(prompt) {
      rights.trusted("the permission prompt");
      rights.stage("permissionPrompt", prompt);
    },
    registerCatalogProjection(projection) {
      rights.trusted("a projection of the catalog");
      rights.stage("projection", projection);
    },
    registerCallWitness(witness) {
      rights.trusted("a witness of calls");
      rights.stage("callWitness", witness);
    },
    registerCodeNamespace(namespace) {
      rights.trusted("a namespace of code cells");
      rights.stage("namespaces", namespace);
    },
    catalog: {
      async list(sessionKey) {
        rights.trusted("the catalog of a session");
        return catalogOf(rights).list(SessionId.parse(sessionKey));
      },
      async started() {
        rights.trusted("the catalog of a session");
        await catalogOf(rights).started();
      },
      namespaces() {
        rights.trusted("the namespaces of code cells");
        return catalogOf(rights).namespaces();
      },
    },
  };
}

function catalogOf(rights: Rights): NonNullable<PluginRuntime["catalog"]> {
  const found = rights.running().catalog;
  if (found === undefined) throw rights.fail("failed", "there are no tools in this gateway");
  return found;
}

function eventsOf(own: Loaded, rights: Rights, { hub, rate, clock }: ApiServices): AgentEvents {
  return {
    subscribe(types, handler) {
      rights.demand("agent-events");
      rights.mayChange();
      if (own.status === "off") throw rights.fail("disabled", "it is switched off");
      const end = hub.subscribe({ pluginId: own.id, needs: own.needs }, types, handler);
      return () => {
        rights.mayChange();
        end();
      };
    },
    async emit({ name, sessionKey, data = {} }) {
      const { sessions, tell } = rights.changing();
      if (!EMIT_NAME.test(name)) throw rights.fail("invalid", `"${name}" cannot name an event`);
      const problem = plainJsonProblem(data, EMIT_DATA);
      if (problem !== undefined) throw rights.fail("invalid", `the data of ${name}: ${problem}`);
      if (!rate.take(own.id)) return { emitted: false };
      const session = await sessionOf(sessionKey, { pluginId: own.id, sessions: () => sessions });
      const event = { type: `plugin.${own.id}.${name}`, sessionKey, atMs: clock.now(), data };
      tell(SessionId.parse(session.id), event.type, { data, atMs: event.atMs });
      hub.tell(event);
      return { emitted: true };
    },
  };
}
