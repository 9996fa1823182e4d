/**
 * The plugins of a gateway. They come and go while it runs; engine, toolbox and methods look at what is registered at the
 * moment they ask. Disabling a plugin removes everything that it registered at once, and then cleans up what it stored in
 * sessions.
 */
import type { AnySlice } from "../core/slice.ts";
import type { SliceWorker } from "../core/worker.ts";
import type { Json } from "../protocol/json.ts";
import type { ConfigSections } from "../protocol/plugin/plugin-protocol.ts";
import type { Session } from "../protocol/session.ts";
import type { UiDescriptor } from "../protocol/wire/ui-descriptor.ts";
import type { SettingsSource } from "./api/settings.ts";
import type { FactWordings } from "../protocol/localized/fact-wording.ts";
import type { PluginTexts } from "./api/texts.ts";
import type { CallWitness } from "./api/call-witness.ts";
import type { CatalogProjection, OwnedNamespace } from "./api/catalog.ts";
import type { CommandJudge } from "./command-judge.ts";
import type { CommandRegistry } from "./commands/command-registry.ts";
import type { TurnTexts } from "./hooks/turn-texts.ts";
import { type Beginning, connect, createInner, standingOf, start, stop } from "./inner-host.ts";
import type { PermissionPrompt, TrustedToolPolicy } from "./policy.ts";
import type { PluginRuntime } from "./plugin-runtime.ts";
import type { PromptPart } from "./prompt.ts";
import {
  type OwnedMetadata,
  type RegisteredAction,
  type RegisteredChannel,
  type RegisteredMethod,
  type RegisteredRoute,
  workerPlace,
} from "./registration/live-tables.ts";
import type { PluginLoad } from "./registration/load.ts";
import type { LocalizedText } from "../protocol/localized/localized-text.ts";
import type { OffCommand } from "./registry/off-plugins.ts";
import type { HostParts, PluginChange, PluginStatus } from "./registry/plugin-status.ts";
import type { PatchField, Plugin } from "./sdk.ts";
import type { ToolHooks } from "./tool-hooks.ts";
import type { Tool } from "./tool.ts";

export type { RegisteredAction, RegisteredChannel, RegisteredMethod } from "./registration/live-tables.ts";
export type { PluginLoad } from "./registration/load.ts";

export type { HostParts, PluginChange, PluginStatus } from "./registry/plugin-status.ts";

/** Everything in here is live: ask at each use. */
export type PluginHost = {
  readonly slices: ReadonlyMap<string, AnySlice>;
  /** The worker for this kind of order of this slice; undefined while there is none. */
  workerFor(slice: string, kind: string): SliceWorker | undefined;
  readonly patchFields: ReadonlyMap<string, PatchField<unknown>>;
  /** The settings resolver of each slice. */
  readonly settings: ReadonlyMap<string, SettingsSource<ConfigSections>>;
  /** The texts of each plugin, by language. */
  readonly texts: ReadonlyMap<string, PluginTexts>;
  /** How the facts of each plugin are worded, by type. */
  readonly facts: ReadonlyMap<string, FactWordings>;
  /** RPC methods by their names. */
  readonly methods: ReadonlyMap<string, RegisteredMethod>;
  /** Plain addresses by what they begin with. */
  readonly routes: ReadonlyMap<string, RegisteredRoute>;
  readonly tools: readonly Tool[];
  readonly policies: readonly TrustedToolPolicy[];
  /** Undefined while no plugin can prove that a command only reads. */
  readonly commandJudge: CommandJudge | undefined;
  /** Undefined while no plugin asks people about calls after the trusted policies. */
  readonly permissionPrompt: PermissionPrompt | undefined;
  /** Undefined while the model is shown the catalog itself. */
  readonly projection: CatalogProjection | undefined;
  /** Undefined while no plugin watches what calls change. */
  readonly callWitness: CallWitness | undefined;
  /** Names for tools in code cells. */
  readonly namespaces: readonly OwnedNamespace[];
  readonly commands: CommandRegistry;
  /** Parts of the system prompt, in the order in which they were registered. */
  readonly promptParts: ReadonlyMap<string, PromptPart>;
  /** By `<pluginId>/<actionId>`. */
  readonly actions: ReadonlyMap<string, RegisteredAction>;
  /** By the name of their surface. */
  readonly channels: ReadonlyMap<string, RegisteredChannel>;
  /** What each plugin contributes to pages. */
  readonly descriptors: ReadonlyMap<string, readonly UiDescriptor[]>;
  readonly toolHooks: ToolHooks;
  readonly turnTexts: TurnTexts;

  /** The plugin that registered a tool. */
  ownerOf(toolName: string): string | undefined;
  metadataOf(toolName: string): readonly OwnedMetadata[];
  /** Lines that plugins add to a heartbeat about this conversation. */
  heartbeatTexts(session: Session): string[];
  /** `<pluginId>.<namespace>`, as clients may see it; undefined when there is nothing to see. */
  projections(session: Session): Record<string, Record<string, Json>> | undefined;
  /** What a namespace holds in a session, the initial state included. */
  stateIn(session: Pick<Session, "slices">, at: { pluginId: string; namespace: string }): Json;
  /** The plugin that would answer to this command if it were enabled. */
  disabledCommand(name: string): OffCommand | undefined;
  /** A handler of this plugin threw or took too long: counted against it. */
  failed(pluginId: string, error: unknown): void;

  plugins(): PluginStatus[];
  isEnabled(pluginId: string): boolean;
  /** Changes each time it is switched off: what began under an earlier number is over. */
  lifeOf(pluginId: string): number;
  /** All or nothing: throws a PluginError and leaves the gateway unchanged. Resolves with the doctor's warnings. */
  enable(load: PluginLoad): Promise<{ warnings: readonly string[] }>;
  /** As `enable`, of a plugin whose `register` is not asynchronous. */
  enableNow(load: PluginLoad): { warnings: readonly string[] };
  /** Loads a plugin in place of its stand-in, which stays if that fails. */
  replace(load: PluginLoad): Promise<{ warnings: readonly string[] }>;
  /** Resolves when nothing of it is active any more and the cleanup of sessions is recorded. */
  disable(pluginId: string, why?: string): Promise<void>;
  /** Commands that a plugin would have, known from its manifest while it is off, or cannot be used because of something. */
  declareDisabled(pluginId: string, commands: readonly string[], because?: LocalizedText): void;
  onChange(listener: (change: PluginChange) => void): () => void;

  /** Connects the gateway; must be called before `start`. */
  connect(runtime: PluginRuntime): void;
  start(version: string, beginning?: Beginning): Promise<void>;
  stop(version: string): Promise<void>;
  /** Resolves when no cleanup is running. */
  cleanedUp(): Promise<void>;
};

export function createPluginHost(given: Partial<HostParts> = {}): PluginHost {
  const inner = createInner({ ...ALONE, ...given });
  const { tables, registry } = inner;
  return {
    slices: tables.slices,
    workerFor: (slice, kind) => tables.workers.get(workerPlace(slice, kind)),
    patchFields: tables.patchFields,
    methods: tables.methods,
    settings: tables.settings,
    texts: tables.texts,
    facts: tables.facts,
    routes: tables.routes,
    commands: tables.commands,
    promptParts: tables.promptParts,
    actions: tables.actions,
    channels: tables.channels,
    descriptors: tables.descriptors,
    toolHooks: inner.toolHooks,
    turnTexts: inner.observers.texts,
    get tools() {
      return [...tables.tools.values()];
    },
    get policies() {
      return (inner.held.policies ??= [...tables.policies.values()]);
    },
    get commandJudge() {
      return tables.commandJudge;
    },
    get permissionPrompt() {
      return tables.permissionPrompt;
    },
    get callWitness() {
      return tables.callWitness;
    },
    get projection() {
      return tables.projection;
    },
    get namespaces() {
      return [...tables.namespaces.values()];
    },
    ownerOf: (toolName) => tables.toolOwners.get(toolName),
    metadataOf: (toolName) => tables.metadata.filter((metadata) => metadata.toolName === toolName),
    ...inner.views,
    disabledCommand: inner.off.disabledCommand,
    declareDisabled: inner.off.declare,
    failed: registry.failed,
    plugins: () => [...registry.entries.values()].map(standingOf),
    isEnabled: (pluginId) => registry.entries.get(pluginId)?.loaded.status === "enabled",
    lifeOf: registry.lifeOf,
    enable: registry.enable,
    enableNow: registry.enableNow,
    replace: registry.replace,
    disable: registry.disable,
    onChange(listener) {
      inner.listeners.add(listener);
      return () => void inner.listeners.delete(listener);
    },
    connect: (runtime) => connect(inner, runtime),
    start: (version, beginning = {}) => start(inner, version, beginning),
    stop: (version) => stop(inner, version),
    cleanedUp: () => inner.cleanup.idle(),
  };
}

/** For a host that only collects registrations, such as that of a command-line tool: nothing in it ever runs. */
const ALONE: HostParts = {
  clock: {
    now: () => Date.now(),
    wakeAt(atMs, wake) {
      const timer = setTimeout(wake, Math.max(0, atMs - Date.now())).unref();
      return () => clearTimeout(timer);
    },
  },
  log: () => undefined,
  report: () => undefined,
};

/** A host with these plugins, in this order. Throws when one cannot be loaded: these are parts of the gateway. */
export function loadPlugins(plugins: readonly (Plugin | PluginLoad)[], parts: Partial<HostParts> = {}): PluginHost {
  const host = createPluginHost(parts);
  for (const given of plugins) host.enableNow("plugin" in given ? given : { plugin: given });
  return host;
}
