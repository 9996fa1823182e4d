/**
 * What all enabled plugins have registered, in tables that engine, toolbox and methods look at while they change. A plugin
 * enters them whole or not at all: at the first name that is taken, what was put in before it is taken out again.
 */
import { anySlice, type AnySlice } from "../../core/slice.ts";
import type { FactWordings } from "../../protocol/localized/fact-wording.ts";
import type { UiDescriptor } from "../../protocol/wire/ui-descriptor.ts";
import type { HeartbeatContribution } from "../api/lifecycle.ts";
import type { ToolMetadata } from "../api/tool-metadata.ts";
import type { CommandJudge } from "../command-judge.ts";
import { type CommandRegistry, createCommandRegistry } from "../commands/command-registry.ts";
import type { CallWitness } from "../api/call-witness.ts";
import type { CatalogProjection, OwnedNamespace } from "../api/catalog.ts";
import type { Channel } from "../api/channel.ts";
import type { SessionAction } from "../api/controls.ts";
import type { PluginMethod, PluginRoute } from "../api/methods.ts";
import type { SettingsSource } from "../api/settings.ts";
import type { PluginTexts } from "../api/texts.ts";
import type { HookRunner } from "../hooks/hook-runner.ts";
import { PluginError } from "../plugin-error.ts";
import type { PermissionPrompt, TrustedToolPolicy } from "../policy.ts";
import type { ToolShelf } from "../plugin-runtime.ts";
import type { PromptPart } from "../prompt.ts";
import type { PatchField } from "../sdk.ts";
import { createPluginSlice } from "../state/plugin-slice.ts";
import type { Tool } from "../tool.ts";
import type { SliceWorker } from "../../core/worker.ts";
import { pluginSlice } from "../../protocol/plugin/plugin-state.ts";
import type { ConfigSections } from "../../protocol/plugin/plugin-protocol.ts";
import type { PluginTier } from "../../protocol/plugin/plugin-manifest.ts";
import { keepsJson, type Loaded, machineOf } from "./contributions.ts";
import { isReservedTool } from "./reserved-tools.ts";

export type RegisteredAction = {
  pluginId: string;
  tier: PluginTier;
  action: SessionAction<unknown>;
  slice(): string | undefined;
};
/** The registered object itself: another object under the same name is a new channel. */
export type RegisteredChannel = { pluginId: string; channel: Channel };
/** `slices` and `fields`: those of the same plugin, which its methods may send commands to and may set. */
export type RegisteredMethod = {
  pluginId: string;
  tier: PluginTier;
  method: PluginMethod<unknown, object>;
  slices(): readonly string[];
  fields(): readonly string[];
};
export type RegisteredRoute = { pluginId: string; tier: PluginTier; route: PluginRoute };
export type OwnedMetadata = ToolMetadata & { pluginId: string };

export type LiveTables = {
  slices: Map<string, AnySlice>;
  /** By `workerPlace`. */
  workers: Map<string, SliceWorker>;
  patchFields: Map<string, PatchField<unknown>>;
  methods: Map<string, RegisteredMethod>;
  settings: Map<string, SettingsSource<ConfigSections>>;
  texts: Map<string, PluginTexts>;
  /** By plugin. */
  facts: Map<string, FactWordings>;
  routes: Map<string, RegisteredRoute>;
  tools: Map<string, Tool>;
  toolOwners: Map<string, string>;
  metadata: OwnedMetadata[];
  policies: Map<string, TrustedToolPolicy>;
  commandJudge: CommandJudge | undefined;
  permissionPrompt: PermissionPrompt | undefined;
  projection: CatalogProjection | undefined;
  callWitness: CallWitness | undefined;
  /** By their ids. */
  namespaces: Map<string, OwnedNamespace>;
  commands: CommandRegistry;
  promptParts: Map<string, PromptPart>;
  actions: Map<string, RegisteredAction>;
  descriptors: Map<string, readonly UiDescriptor[]>;
  heartbeats: Map<string, HeartbeatContribution>;
  channels: Map<string, RegisteredChannel>;
};

export const emptyTables = (): LiveTables => ({
  slices: new Map(),
  workers: new Map(),
  patchFields: new Map(),
  methods: new Map(),
  settings: new Map(),
  texts: new Map(),
  facts: new Map(),
  routes: new Map(),
  tools: new Map(),
  toolOwners: new Map(),
  metadata: [],
  policies: new Map(),
  commandJudge: undefined,
  permissionPrompt: undefined,
  projection: undefined,
  callWitness: undefined,
  namespaces: new Map(),
  commands: createCommandRegistry(),
  promptParts: new Map(),
  actions: new Map(),
  descriptors: new Map(),
  heartbeats: new Map(),
  channels: new Map(),
});

export type Publishing = { tables: LiveTables; hooks: HookRunner; shelf(): ToolShelf | undefined };

/** Puts everything in; throws and leaves nothing when something cannot be. Returns how to take it out again. */
export function publish(loaded: Loaded, publishing: Publishing): () => void {
  const undo: (() => void)[] = [];
  const takeBack = (): void => {
    for (let step = undo.pop(); step !== undefined; step = undo.pop()) step();
  };
  try {
    enter(loaded, publishing, undo);
  } catch (error) {
    takeBack();
    throw error;
  }
  return takeBack;
}

type Undo = (() => void)[];

function enter(loaded: Loaded, { tables, hooks, shelf }: Publishing, undo: Undo): void {
  const { id: pluginId, tier, has } = loaded;
  const claim: Claim = (owners, item) => {
    if (owners.has(item.name)) throw taken(pluginId, `The ${item.what} "${item.name}"`);
    owners.set(item.name, item.value);
    undo.push(() => void owners.delete(item.name));
  };
  for (const slice of slicesFor(loaded))
    claim(tables.slices, { name: slice.name, value: slice, what: "session extension" });
  enterWorkers(loaded, tables, claim);
  for (const field of has.patchFields)
    claim(tables.patchFields, { name: field.field, value: field, what: "field of sessions.patch" });
  enterWire(loaded, tables, claim);
  for (const policy of has.policies) claim(tables.policies, { name: policy.id, value: policy, what: "policy" });
  for (const part of has.promptParts) claim(tables.promptParts, { name: part.id, value: part, what: "prompt part" });
  for (const action of has.actions) {
    const value = { pluginId, tier, action, slice: () => machineOf(loaded) };
    claim(tables.actions, { name: `${pluginId}/${action.id}`, value, what: "action" });
  }
  for (const beat of has.heartbeats)
    claim(tables.heartbeats, { name: `${pluginId}/${beat.id}`, value: beat, what: "heartbeat contribution" });
  for (const channel of has.channels)
    claim(tables.channels, { name: channel.id, value: { pluginId, channel }, what: "channel" });
  for (const namespace of has.namespaces)
    claim(tables.namespaces, { name: namespace.id, value: { ...namespace, pluginId }, what: "namespace" });
  if (has.descriptors.length > 0) claim(tables.descriptors, { name: pluginId, value: has.descriptors, what: "UI of" });
  enterOnly(loaded, tables, undo);
  enterProjection(loaded, tables, undo);
  enterWitness(loaded, tables, undo);
  enterCommands(loaded, tables.commands, undo);
  enterTools(loaded, { tables, shelf }, undo);
  for (const hook of has.hooks) hooks.add(hook);
  undo.push(() => hooks.removePlugin(pluginId));
}

/** Neither part can run into the other: a machine called `a/b` takes no orders `b/…` of a machine called `a`. */
export const workerPlace = (slice: string, kind: string): string => JSON.stringify([slice, kind]);

/**
 * Only the slice's own plugin may perform its orders: they may hold private data, and the worker decides when one is
 * done.
 */
function foreignWorker({ slice }: SliceWorker, { id, has }: Loaded): string | undefined {
  if (has.slices.some(({ name }) => name === slice)) return undefined;
  if (slice === pluginSlice(id))
    return `What ${id} keeps by registerSessionExtension gives no orders: register a machine.`;
  return `The worker of ${id} is for "${slice}", which is not a machine of its own plugin.`;
}

type Claim = <Value>(owners: Map<string, Value>, item: { name: string; value: Value; what: string }) => void;

function enterWorkers(loaded: Loaded, tables: LiveTables, claim: Claim): void {
  for (const worker of loaded.has.workers) {
    const foreign = foreignWorker(worker, loaded);
    if (foreign !== undefined) throw new PluginError({ problem: "invalid", pluginId: loaded.id }, foreign);
    for (const kind of worker.orders)
      claim(tables.workers, { name: workerPlace(worker.slice, kind), value: worker, what: "worker for the order" });
  }
}

/** What clients see or ask for. */
function enterWire({ id: pluginId, tier, has }: Loaded, tables: LiveTables, claim: Claim): void {
  const slices = (): string[] => has.slices.map(({ name }) => name);
  const fields = (): string[] => has.patchFields.map(({ field }) => field);
  for (const source of has.settings) claim(tables.settings, { name: source.key, value: source, what: "settings of" });
  for (const texts of has.texts) claim(tables.texts, { name: pluginId, value: texts, what: "texts of" });
  for (const facts of has.facts) claim(tables.facts, { name: pluginId, value: facts, what: "facts of" });
  for (const method of has.methods)
    claim(tables.methods, { name: method.name, value: { pluginId, tier, method, slices, fields }, what: "method" });
  for (const route of has.routes)
    claim(tables.routes, { name: route.below, value: { pluginId, tier, route }, what: "address" });
}

const slicesFor = (loaded: Loaded): AnySlice[] => [
  ...(keepsJson(loaded)
    ? [anySlice(createPluginSlice(loaded.id, new Map(loaded.has.extensions.map((one) => [one.namespace, one]))))]
    : []),
  ...loaded.has.slices,
];

const taken = (pluginId: string, what: string): PluginError =>
  new PluginError({ problem: "taken", pluginId }, `${what} is claimed twice; ${pluginId} cannot have it.`);

/** At most one of each in the whole gateway. */
function enterOnly({ id, has }: Loaded, tables: LiveTables, undo: Undo): void {
  const [judge, prompt] = [has.commandJudge[0], has.permissionPrompt[0]];
  if (has.commandJudge.length > 1 || (judge !== undefined && tables.commandJudge !== undefined))
    throw taken(id, "The judging of commands");
  if (has.permissionPrompt.length > 1 || (prompt !== undefined && tables.permissionPrompt !== undefined))
    throw taken(id, "The permission prompt");
  if (judge !== undefined) {
    tables.commandJudge = judge;
    undo.push(() => void (tables.commandJudge = undefined));
  }
  if (prompt !== undefined) {
    tables.permissionPrompt = prompt;
    undo.push(() => void (tables.permissionPrompt = undefined));
  }
}

function enterWitness({ id, has }: Loaded, tables: LiveTables, undo: Undo): void {
  const [witness] = has.callWitness;
  if (witness === undefined) return;
  if (has.callWitness.length > 1 || tables.callWitness !== undefined) throw taken(id, "The witness of calls");
  tables.callWitness = witness;
  undo.push(() => void (tables.callWitness = undefined));
}

function enterProjection({ id, has }: Loaded, tables: LiveTables, undo: Undo): void {
  const [projection] = has.projection;
  if (projection === undefined) return;
  if (has.projection.length > 1 || tables.projection !== undefined) throw taken(id, "The projection of the catalog");
  tables.projection = projection;
  undo.push(() => void (tables.projection = undefined));
}

function enterCommands({ id, has }: Loaded, commands: CommandRegistry, undo: Undo): void {
  undo.push(() => commands.removePlugin(id));
  for (const command of has.commands) {
    const refused = commands.problem(command)?.refused;
    if (refused === undefined) commands.add(command);
    else throw new PluginError({ problem: PROBLEMS[refused.code] ?? "invalid", pluginId: id }, refused.message);
  }
}

const PROBLEMS: Partial<Record<string, "reserved" | "taken">> = {
  COMMAND_RESERVED: "reserved",
  COMMAND_TAKEN: "taken",
};

/** The tool registry is looked up each time: tools registered before it existed are removed from it all the same. */
type Shelves = Pick<Publishing, "tables" | "shelf">;

const reservedTool = (name: string): string =>
  `The name of the tool "${name}" is reserved: it is that of a method or of a part of the gateway. Choose another.`;

function refuseReserved({ id, tier }: Loaded, name: string): void {
  if (tier !== "bundled" && isReservedTool(name))
    throw new PluginError({ problem: "reserved", pluginId: id }, reservedTool(name));
}

function enterTools(loaded: Loaded, { tables, shelf }: Shelves, undo: Undo): void {
  const { id, has } = loaded;
  for (const tool of has.tools) {
    const foreign = foreignSlice(tool, loaded);
    if (foreign !== undefined) throw new PluginError({ problem: "not-trusted", pluginId: id }, foreign);
    refuseReserved(loaded, tool.name);
    if (tables.tools.has(tool.name) || shelf()?.has(tool.name) === true) throw taken(id, `The tool "${tool.name}"`);
    shelf()?.add(tool); // throws when its schema or its name cannot be used
    tables.tools.set(tool.name, tool);
    tables.toolOwners.set(tool.name, id);
    undo.push(() => {
      tables.tools.delete(tool.name);
      tables.toolOwners.delete(tool.name);
      shelf()?.remove(tool.name);
    });
  }
  const own = new Map(has.tools.map((tool) => [tool.name, tool]));
  for (const metadata of has.metadata) {
    const tool = own.get(metadata.toolName);
    if (metadata.effect === "read" && tool?.effect !== "read")
      throw new PluginError({ problem: "not-trusted", pluginId: id }, laxer(metadata.toolName));
    tables.metadata.push({ ...metadata, pluginId: id });
  }
  undo.push(() => {
    const others = tables.metadata.filter((one) => one.pluginId !== id);
    tables.metadata.splice(0, tables.metadata.length, ...others);
  });
}

/** A model's call must not become a command to one of the gateway's own slices, such as the one that holds approvals. */
function foreignSlice(tool: Tool, { tier, has }: Loaded): string | undefined {
  if (tool.effect !== "state" || tier === "bundled" || has.slices.some(({ name }) => name === tool.slice))
    return undefined;
  return `The tool "${tool.name}" would order about "${tool.slice}", which is not a machine of its own plugin.`;
}

const laxer = (tool: string): string =>
  `Metadata can only make the tool "${tool}" stricter: whether it reads is settled where it is registered.`;
