/**
 * The public SDK. Plan mode is built on this file alone, so an outside plugin can do whatever plan mode does.
 * `definePlugin` declares; nothing runs until the host calls `register`.
 */
import type { z } from "zod";
import type { Slice } from "../core/slice.ts";
import type { SliceWorker } from "../core/worker.ts";
import type { Scope } from "../protocol/actor.ts";
import type { Json, JsonObject } from "../protocol/json.ts";
import type { FactWordings } from "../protocol/localized/fact-wording.ts";
import type { ConfigSections } from "../protocol/plugin/plugin-protocol.ts";
import type { Session } from "../protocol/session.ts";
import type { PluginTier } from "../protocol/plugin/plugin-manifest.ts";
import type { BlobsApi } from "./api/blobs.ts";
import type { CallsApi } from "./api/calls.ts";
import type { CatalogApi, CatalogProjection, CodeNamespace } from "./api/catalog.ts";
import type { CallWitness } from "./api/call-witness.ts";
import type { Channel } from "./api/channel.ts";
import type { PluginCommand, PluginSubcommands } from "./api/command.ts";
import type { SessionControls } from "./api/controls.ts";
import type { SessionExtension, SessionState } from "./api/extension.ts";
import type { OutsideSessions } from "./api/outside-sessions.ts";
import type { GuestProcesses } from "./api/guest-process.ts";
import type { AgentEvents, HookHandler, HookName, HookOptions } from "./api/hooks.ts";
import type { HeartbeatContribution, Lifecycle, PluginLog } from "./api/lifecycle.ts";
import type { Documents, GatewayMethodHandler, PluginMethod, PluginRoute } from "./api/methods.ts";
import type { SettingsSource } from "./api/settings.ts";
import type { PluginTexts } from "./api/texts.ts";
import type { ToolMetadata } from "./api/tool-metadata.ts";
import type { RunContext, SessionWorkflow } from "./api/workflow.ts";
import type { CommandJudge } from "./command-judge.ts";
import type { PermissionPrompt, TrustedToolPolicy } from "./policy.ts";
import type { PromptPart } from "./prompt.ts";
import type { Tool } from "./tool.ts";

export { z } from "zod";
export type { ChildOrder, ChildReport, Effect, Order } from "../core/effect.ts";
export type { OrderCall, OrderOutcome, SliceWorker } from "../core/worker.ts";
export { askGuards } from "../core/guards.ts";
export { continuationOf, isMandated, refuseBelowHeld, refuseHeld, refuseLent } from "../core/held/held-runs.ts";
export { never } from "../core/never.ts";
export { defuse, defuseLine, quoted } from "../core/text/defuse.ts";
export { skeleton } from "../core/text/fold-look-alikes.ts";
export { firstChars, isBlank, oneLine, revealHidden } from "../core/text/reveal-hidden.ts";
export type {
  AnySlice,
  CardContext,
  Continuation,
  FinishedCall,
  GatedCall,
  GuardVerdict,
  RefusedCall,
  Slice,
  SliceContext,
  SliceDecision,
  SliceRegistry,
  RestsOn,
  Waiting,
} from "../core/slice.ts";
export { BLOB_BYTES_MAX, BLOB_MS_MAX, type BlobsApi, BLOBS_MAX } from "./api/blobs.ts";
export { isNamespaceCall, namespaceCall } from "./api/catalog.ts";
export type {
  CatalogApi,
  CatalogChoice,
  CatalogProjection,
  CatalogRun,
  CodeNamespace,
  NamespaceCall,
  NamespaceMember,
  NamespacePlace,
  OfferedTool,
  OwnedNamespace,
  ShownTool,
} from "./api/catalog.ts";
export type {
  CallAnswer,
  CallsApi,
  CellCaller,
  CellPlace,
  ExternalCaller,
  OpenCaller,
  RecordedCall,
  ResumedCell,
} from "./api/calls.ts";
export type { CallOutcome, CallWitness, WitnessedCall, Witnessing } from "./api/call-witness.ts";
export type {
  AccountHold,
  Channel,
  ChannelAnswer,
  ChannelEvent,
  ChannelFollows,
  ChannelIo,
  ChannelOutcome,
  ChannelPlace,
  ChannelRequest,
  DeliveryBatch,
  DeliveryItem,
  DeliveryReceipt,
  DeliveryResult,
  DrawnCard,
  Serving,
} from "./api/channel.ts";
export { FIRST_LANE_DESCRIPTOR, type GuestPipes, type GuestProcesses, type GuestProgram } from "./api/guest-process.ts";
export type { OutsideSessions } from "./api/outside-sessions.ts";
export type {
  CommandCall,
  CommandResult,
  HandlerCall,
  PluginCommand,
  PluginSession,
  PluginSubcommands,
} from "./api/command.ts";
export type { ActionCall, OperatorActor, SessionAction, SessionControls } from "./api/controls.ts";
export type { UiDescriptor } from "../protocol/wire/ui-descriptor.ts";
export type { CleanupReason, SessionExtension, SessionState, StagedState } from "./api/extension.ts";
export type {
  AgentEvent,
  AgentEvents,
  HookAnswers,
  HookEvents,
  HookHandler,
  HookName,
  HookOptions,
} from "./api/hooks.ts";
export type { HeartbeatContribution, Lifecycle, LogLevel, PluginLog } from "./api/lifecycle.ts";
export {
  type Answers,
  type DocumentPage,
  type DocumentQuery,
  type Documents,
  type GatewayMethodHandler,
  type MethodCall,
  methodsOf,
  type PluginAnswer,
  type PluginMethod,
  type PluginRoute,
  type Vouches,
  type ReadSession,
  type StoredDocument,
} from "./api/methods.ts";
export type { SettingsPlace, SettingsSource } from "./api/settings.ts";
export type { PluginTexts } from "./api/texts.ts";
export type { FactWording, FactWordings } from "../protocol/localized/fact-wording.ts";
export { method } from "../protocol/wire/method.ts";
export { NO_SECTIONS } from "../protocol/plugin/plugin-protocol.ts";
export type { SessionOutcome } from "./sessions.ts";
export { refuse, type Refused } from "../protocol/refusal.ts";
export type { ToolMetadata, ToolRisk } from "./api/tool-metadata.ts";
export type {
  EnqueuedInjection,
  NextTurnInjection,
  RunContext,
  ScheduledTurn,
  SessionAttachment,
  SessionWorkflow,
} from "./api/workflow.ts";
export { canonicalJson } from "../protocol/text/canonical-json.ts";
export { digestOf } from "./digest-of.ts";
export type {
  CommandJudge,
  CommandPlace,
  BareWords,
  WordPiece,
  CommandProcess,
  CommandVerdict,
  ReadOnlyCommand,
  UnprovenCommand,
} from "./command-judge.ts";
export type {
  PermissionPrompt,
  PermissionQuestion,
  PolicyQuestion,
  PolicyVerdict,
  SliceOrder,
  TrustedToolPolicy,
} from "./policy.ts";
export type { PromptPart, PromptPlace } from "./prompt.ts";
export type {
  DynamicTool,
  Permit,
  ReadTool,
  StateTool,
  StateToolContext,
  Tool,
  ToolContext,
  ToolOrigin,
  ToolOutput,
  WriteTool,
} from "./tool.ts";

/** A field of `sessions.patch` that belongs to a plugin: its value becomes a command of the plugin's slice. */
export type PatchField<Value> = {
  field: string;
  schema: z.ZodType<Value>;
  requiredScopes: readonly Scope[];
  slice: string;
  /** Parts of the value whose absence has a code of its own, because people meet it often. */
  missingCodes?: Readonly<Record<string, string>>;
  toCommand(value: Value): JsonObject;
  /** Adds what the command needs of the session's documents. It may be old by then: the slice decides, not this. */
  withDocuments?(command: JsonObject, place: PatchPlace): Promise<JsonObject>;
};

export type PatchPlace = {
  session: Pick<Session, "id" | "slices">;
  /** An immutable document of this session, such as a plan revision. */
  artifact(kind: string, id: string): Promise<Json | undefined>;
};

/** What a plugin holds of the gateway; made for it alone, so what it does is done in its name. */
export type PluginApi<Config = JsonObject> = {
  id: string;
  tier: PluginTier;
  /** `plugins.entries.<id>.config`, parsed by the plugin's `configSchema`. */
  config: Config;
  log: PluginLog;
  /** The gateway's time, in milliseconds. */
  now(): number;
  session: {
    /** A machine of its own in each session. Only bundled and trusted plugins: it may hold the gate. */
    registerSlice<State, Cmd, Event extends { type: string }, Settings>(
      slice: Slice<State, Cmd, Event, Settings>,
    ): void;
    /**
     * Performs the orders (`perform` effects) of a slice that this plugin registered. While nobody takes an order it is
     * kept. Only bundled and trusted plugins.
     */
    registerWorker(worker: SliceWorker): void;
    /** Only bundled and trusted plugins. */
    registerPatchField<Value>(field: PatchField<Value>): void;
    state: { registerSessionExtension<State>(extension: SessionExtension<State>): SessionState<State> };
    workflow: SessionWorkflow;
    controls: SessionControls;
  };
  /** Only bundled and trusted plugins: a channel says who somebody is. */
  channels: { register(channel: Channel): void };
  /** Only bundled and trusted plugins: for what happens outside and concerns a session. */
  sessions: OutsideSessions;
  tools: {
    registerTool<Args>(tool: Tool<Args>): void;
    registerToolMetadata(metadata: ToolMetadata): void;
    /** Only bundled and trusted plugins. */
    registerTrustedToolPolicy(policy: TrustedToolPolicy): void;
    /** Proves of shell commands that they only read; at most one plugin may. Only bundled and trusted plugins. */
    registerCommandJudge(judge: CommandJudge): void;
    /** Decides after the hooks which calls a person is asked about; at most one plugin may. Only bundled and trusted plugins. */
    registerPermissionPrompt(prompt: PermissionPrompt): void;
    /** Shows the model other tools than the catalog; at most one plugin may. Only bundled and trusted plugins. */
    registerCatalogProjection(projection: CatalogProjection): void;
    /** Watches what calls change; at most one plugin may. Only bundled and trusted plugins. */
    registerCallWitness(witness: CallWitness): void;
    /** Names for the plugin's own tools in code cells. Only bundled and trusted plugins. */
    registerCodeNamespace(namespace: CodeNamespace): void;
    catalog: CatalogApi;
  };
  /** Calls for a code cell or for an agent outside. Only bundled and trusted plugins. */
  calls: CallsApi;
  /** 32 bytes that nobody else has, the same at every start. Only bundled and trusted plugins. */
  secretKey(): Promise<Uint8Array>;
  /** Bytes kept in the store for a while. Only bundled and trusted plugins. */
  blobs: BlobsApi;
  /** Only bundled and trusted plugins. */
  processes: GuestProcesses;
  commands: {
    registerCommand(command: PluginCommand): void;
    /** Only bundled plugins, which know each other. */
    registerSubcommands(subcommands: PluginSubcommands): void;
  };
  /** The same as `commands.registerCommand`. */
  registerCommand(command: PluginCommand): void;
  /**
   * An RPC method whose parameters and answer are any JSON objects; `scope` is operator.write if left out. With shapes
   * of one's own: `methods.register`. Only bundled and trusted plugins.
   */
  registerGatewayMethod(name: string, handler: GatewayMethodHandler, options?: { scope?: Scope }): void;
  /** What the plugin says, by language: clients ask for it by `ui.texts`. Only bundled and trusted plugins. */
  texts: { register(texts: PluginTexts): void };
  /** How the facts that its machines keep in the audit chain are worded with its texts. Only bundled and trusted plugins. */
  facts: { register(facts: FactWordings): void };
  /** The settings that a machine of this plugin has in each session. Only bundled and trusted plugins. */
  settings: {
    register<Sections extends ConfigSections>(source: SettingsSource<Sections>): void;
    /** Those of the plugin's first machine in a session, as they are now; undefined where there is no such session. */
    read(sessionKey: string): Promise<unknown>;
  };
  /** Only bundled and trusted plugins. */
  methods: { register<Params, Result extends object>(method: PluginMethod<Params, Result>): void };
  /** Only bundled and trusted plugins. */
  routes: { register(route: PluginRoute): void };
  /** Documents of the whole gateway, to read. Only bundled and trusted plugins. */
  documents: Documents;
  /** Bundled and trusted plugins, and those that need `prompt`. */
  prompts: { registerPart(part: PromptPart): void };
  agent: { events: AgentEvents };
  runContext: RunContext;
  heartbeat: { registerContribution(contribution: HeartbeatContribution): void };
  lifecycle: { register(lifecycle: Lifecycle): void };
  on<Name extends HookName>(hook: Name, handler: HookHandler<Name>, options?: HookOptions): void;
};

export type PluginDefinition<Config> = {
  id: string;
  name: string;
  description: string;
  configSchema?: z.ZodType<Config>;
  /** All or nothing: when it throws, nothing of what it registered counts. */
  register(api: PluginApi<Config>): void | Promise<void>;
};
/** A plugin of any configuration: the host parses it with the plugin's own schema before it hands it over. */
export type Plugin = {
  id: string;
  name: string;
  description: string;
  configSchema?: z.ZodType;
  register(api: PluginApi<never>): void | Promise<void>;
};

export function definePlugin<Config = JsonObject>(plugin: PluginDefinition<Config>): Plugin {
  return plugin;
}
