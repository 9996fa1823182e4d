/** The `api` object of an isolated plugin: the same names as inside the gateway, every call by message. */
import type { JsonObject } from "../../../protocol/json.ts";
import type { AgentEvents } from "../../api/hooks.ts";
import type { PluginApi } from "../../sdk.ts";
import type { Desk } from "./desk.ts";
import { registerAction, registerCommand } from "./register-handlers.ts";
import { type Namespaces, registerState } from "./guest-state.ts";
import { registerTool } from "./guest-tools.ts";
import { cleanupFunction, checkedValue, refusedToGuests } from "./guest-values.ts";

const LOG_CHARS_MAX = 2_000;

type WireParts = "methods" | "registerGatewayMethod" | "routes" | "settings" | "texts" | "facts" | "documents";

const noWireParts = (): Pick<PluginApi, WireParts> => ({
  registerGatewayMethod: refusedToGuests("registerGatewayMethod"),
  methods: { register: refusedToGuests("methods.register") },
  routes: { register: refusedToGuests("routes.register") },
  settings: { register: refusedToGuests("settings.register"), read: refusedToGuests("settings.read") },
  texts: { register: refusedToGuests("texts.register") },
  facts: { register: refusedToGuests("facts.register") },
  documents: { get: refusedToGuests("documents.get"), list: refusedToGuests("documents.list") },
});

export function createGuestApi(desk: Desk, { id, config }: { id: string; config: JsonObject }): PluginApi {
  const namespaces: Namespaces = new Map();
  const count = counting();
  return {
    id,
    tier: "ordinary",
    config,
    log(level, message, fields) {
      const given = fields === undefined ? {} : { fields: { ...fields } };
      desk.tell({ t: "log", level, message: message.slice(0, LOG_CHARS_MAX), ...given });
    },
    session: {
      registerSlice: refusedToGuests("session.registerSlice"),
      registerWorker: refusedToGuests("session.registerWorker"),
      registerPatchField: refusedToGuests("session.registerPatchField"),
      state: { registerSessionExtension: (extension) => registerState(desk, extension, namespaces) },
      workflow: workflowOf(desk),
      controls: {
        registerControlUiDescriptor: (descriptor) => desk.register({ kind: "descriptor", descriptor }),
        registerSessionAction: (action) => registerAction(desk, action, namespaces),
      },
    },
    channels: { register: refusedToGuests("channels.register") },
    sessions: { read: refusedToGuests("sessions.read"), dispatch: refusedToGuests("sessions.dispatch") },
    tools: {
      registerTool: (tool) => registerTool(desk, tool),
      registerToolMetadata: ({ tags, ...metadata }) =>
        desk.register({ kind: "tool-metadata", ...metadata, ...(tags === undefined ? {} : { tags: [...tags] }) }),
      registerTrustedToolPolicy: refusedToGuests("tools.registerTrustedToolPolicy"),
      registerCommandJudge: refusedToGuests("tools.registerCommandJudge"),
      registerPermissionPrompt: refusedToGuests("tools.registerPermissionPrompt"),
      registerCatalogProjection: refusedToGuests("tools.registerCatalogProjection"),
      registerCallWitness: refusedToGuests("tools.registerCallWitness"),
      registerCodeNamespace: refusedToGuests("tools.registerCodeNamespace"),
      catalog: {
        list: refusedToGuests("tools.catalog.list"),
        started: refusedToGuests("tools.catalog.started"),
        namespaces: refusedToGuests("tools.catalog.namespaces"),
      },
    },
    ...noCells(),
    now: () => Date.now(),
    processes: { launch: refusedToGuests("processes.launch") },
    commands: {
      registerCommand: (command) => registerCommand(desk, command, namespaces),
      registerSubcommands: refusedToGuests("commands.registerSubcommands"),
    },
    registerCommand: (command) => registerCommand(desk, command, namespaces),
    ...noWireParts(),
    prompts: { registerPart: noPromptParts },
    agent: { events: eventsOf(desk, count) },
    runContext: {
      get: (runId, key) => desk.ask("runContext.get", { runId, key }),
      set: async (runId, entry) => void (await desk.ask("runContext.set", { runId, entry })),
      clear: async (runId) => void (await desk.ask("runContext.clear", { runId })),
    },
    heartbeat: {
      registerContribution: (one) =>
        desk.register({ kind: "heartbeat", key: `heartbeat:${one.id}`, id: one.id }, (place) =>
          one.text(checkedValue(place)),
        ),
    },
    lifecycle: { register: (lifecycle) => registerLifecycle(desk, lifecycle, count("lifecycle")) },
    on: (hook, handler, options = {}) =>
      desk.register({ kind: "hook", key: `hook:${hook}:${count(hook)}`, hook, ...options }, (event) =>
        handler(checkedValue(event)),
      ),
  };
}

/** Callers, bytes in the store and keys are for trusted plugins. */
const noCells = (): Pick<PluginApi, "calls" | "blobs" | "secretKey"> => ({
  calls: {
    createSession: refusedToGuests("calls.createSession"),
    open: refusedToGuests("calls.open"),
    resume: refusedToGuests("calls.resume"),
    results: refusedToGuests("calls.results"),
  },
  blobs: {
    save: refusedToGuests("blobs.save"),
    read: refusedToGuests("blobs.read"),
    remove: refusedToGuests("blobs.remove"),
    count: refusedToGuests("blobs.count"),
  },
  secretKey: refusedToGuests("secretKey"),
});

const workflowOf = (desk: Desk): PluginApi["session"]["workflow"] => ({
  enqueueNextTurnInjection: async (given) => checkedValue(await desk.ask("workflow.enqueueNextTurnInjection", given)),
  scheduleSessionTurn: async (given) => checkedValue(await desk.ask("workflow.scheduleSessionTurn", given)),
  unscheduleSessionTurnsByTag: async (given) =>
    checkedValue(await desk.ask("workflow.unscheduleSessionTurnsByTag", given)),
  sendSessionAttachment: async (given) => checkedValue(await desk.ask("workflow.sendSessionAttachment", given)),
});

/** The gateway may refuse it, and then its events still arrive. */
async function endOf(desk: Desk, key: string): Promise<void> {
  await desk.ask("events.unsubscribe", { key });
  desk.forget(key);
}

type Count = (what: string) => number;

/** The first is 0: the same in every process that runs the same code. */
function counting(): Count {
  const counted = new Map<string, number>();
  return (what) => {
    const next = counted.get(what) ?? 0;
    counted.set(what, next + 1);
    return next;
  };
}

function noPromptParts(): never {
  throw new Error(
    'Parts of the prompt are asked for at once, which an isolated plugin cannot do: use on("before_prompt").',
  );
}

function eventsOf(desk: Desk, count: Count): AgentEvents {
  return {
    subscribe(types, handler) {
      const key = `subscription:${count("subscription")}`;
      desk.register({ kind: "subscription", key, types: [...types] }, (event) => handler(checkedValue(event)));
      return () => void endOf(desk, key).catch(() => undefined);
    },
    emit: async (event) => checkedValue(await desk.ask("events.emit", event)),
  };
}

function registerLifecycle(desk: Desk, lifecycle: Parameters<PluginApi["lifecycle"]["register"]>[0], n: number): void {
  const key = `lifecycle:${n}`;
  const { dispose, cleanup } = lifecycle;
  desk.register({ kind: "lifecycle", key, disposes: dispose !== undefined, cleans: cleanup !== undefined });
  desk.serve(`${key}:dispose`, () => lifecycle.dispose?.());
  desk.serve(
    `${key}:cleanup`,
    cleanupFunction((reason, sessionKey) => lifecycle.cleanup?.(reason, sessionKey)),
  );
}
