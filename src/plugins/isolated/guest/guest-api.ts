/** The `api` object of an isolated plugin: the same names as inside the gateway, every call by message. */
import type { JsonObject } from "../../../protocol/json.ts";
import type { AgentEvents } from "../../api/hooks.ts";
import type { PluginApi } from "../../sdk.ts";
import type { Desk } from "./desk.ts";
import { registerAction, registerCommand } from "./guest-handlers.ts";
import { type Namespaces, registerState } from "./guest-state.ts";
import { registerTool } from "./guest-tools.ts";
import { cleaning, known, only } from "./guest-values.ts";

const LOG_CHARS_MAX = 2_000;

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
      registerSlice: only("session.registerSlice"),
      registerWorker: only("session.registerWorker"),
      registerPatchField: only("session.registerPatchField"),
      state: { registerSessionExtension: (extension) => registerState(desk, extension, namespaces) },
      workflow: {
        enqueueNextTurnInjection: async (given) => known(await desk.ask("workflow.enqueueNextTurnInjection", given)),
        scheduleSessionTurn: async (given) => known(await desk.ask("workflow.scheduleSessionTurn", given)),
        unscheduleSessionTurnsByTag: async (given) =>
          known(await desk.ask("workflow.unscheduleSessionTurnsByTag", given)),
        sendSessionAttachment: async (given) => known(await desk.ask("workflow.sendSessionAttachment", given)),
      },
      controls: {
        registerControlUiDescriptor: (descriptor) => desk.register({ kind: "descriptor", descriptor }),
        registerSessionAction: (action) => registerAction(desk, action, namespaces),
      },
    },
    channels: { register: only("channels.register") },
    sessions: { read: only("sessions.read"), dispatch: only("sessions.dispatch") },
    tools: {
      registerTool: (tool) => registerTool(desk, tool),
      registerToolMetadata: ({ tags, ...metadata }) =>
        desk.register({ kind: "tool-metadata", ...metadata, ...(tags === undefined ? {} : { tags: [...tags] }) }),
      registerTrustedToolPolicy: only("tools.registerTrustedToolPolicy"),
      registerCommandJudge: only("tools.registerCommandJudge"),
      registerPermissionPrompt: only("tools.registerPermissionPrompt"),
    },
    calls: { createSession: only("calls.createSession"), open: only("calls.open"), resume: only("calls.resume") },
    commands: { registerCommand: (command) => registerCommand(desk, command, namespaces) },
    methods: { register: only("methods.register") },
    routes: { register: only("routes.register") },
    settings: { register: only("settings.register") },
    texts: { register: only("texts.register") },
    documents: { get: only("documents.get"), list: only("documents.list") },
    prompts: { registerPart: noPromptParts },
    agent: { events: eventsOf(desk, count) },
    runContext: {
      get: (runId, key) => desk.ask("runContext.get", { runId, key }),
      set: async (runId, entry) => void (await desk.ask("runContext.set", { runId, entry })),
      clear: async (runId) => void (await desk.ask("runContext.clear", { runId })),
    },
    heartbeat: {
      registerContribution: (one) =>
        desk.register({ kind: "heartbeat", key: `heartbeat:${one.id}`, id: one.id }, (place) => one.text(known(place))),
    },
    lifecycle: { register: (lifecycle) => registerLifecycle(desk, lifecycle, count("lifecycle")) },
    on: (hook, handler, options = {}) =>
      desk.register({ kind: "hook", key: `hook:${hook}:${count(hook)}`, hook, ...options }, (event) =>
        handler(known(event)),
      ),
  };
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
      desk.register({ kind: "subscription", key, types: [...types] }, (event) => handler(known(event)));
      return () => {
        desk.forget(key);
        void desk.ask("events.unsubscribe", { key }).catch(() => undefined);
      };
    },
    emit: async (event) => known(await desk.ask("events.emit", event)),
  };
}

function registerLifecycle(desk: Desk, lifecycle: Parameters<PluginApi["lifecycle"]["register"]>[0], n: number): void {
  const key = `lifecycle:${n}`;
  const { dispose, cleanup } = lifecycle;
  desk.register({ kind: "lifecycle", key, disposes: dispose !== undefined, cleans: cleanup !== undefined });
  desk.serve(`${key}:dispose`, () => lifecycle.dispose?.());
  desk.serve(
    `${key}:cleanup`,
    cleaning((reason, sessionKey) => lifecycle.cleanup?.(reason, sessionKey)),
  );
}
