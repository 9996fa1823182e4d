/** What one plugin registered: gathered while its `register` runs, published when that has succeeded, taken back whole. */
import { BUNDLED_IDS } from "../../bundled.ts";
import type { AnySlice } from "../../core/slice.ts";
import type { SliceWorker } from "../../core/worker.ts";
import type { Json } from "../../protocol/json.ts";
import type { FactWordings } from "../../protocol/localized/fact-wording.ts";
import type { PluginManifest, PluginNeed, PluginTier } from "../../protocol/plugin/plugin-manifest.ts";
import type { ConfigSections } from "../../protocol/plugin/plugin-protocol.ts";
import { pluginSlice } from "../../protocol/plugin/plugin-state.ts";
import type { UiDescriptor } from "../../protocol/wire/ui-descriptor.ts";
import type { CallWitness } from "../api/call-witness.ts";
import type { CatalogProjection, CodeNamespace } from "../api/catalog.ts";
import type { Channel } from "../api/channel.ts";
import type { SessionAction } from "../api/controls.ts";
import type { SessionExtension } from "../api/extension.ts";
import type { HeartbeatContribution, Lifecycle } from "../api/lifecycle.ts";
import type { PluginMethod, PluginRoute } from "../api/methods.ts";
import type { SettingsSource } from "../api/settings.ts";
import type { PluginTexts } from "../api/texts.ts";
import type { ToolMetadata } from "../api/tool-metadata.ts";
import type { RegisteredCommand } from "../commands/command-registry.ts";
import type { CommandJudge } from "../command-judge.ts";
import type { RegisteredHook } from "../hooks/hook-runner.ts";
import type { PermissionPrompt, TrustedToolPolicy } from "../policy.ts";
import type { CleanupMark } from "../plugin-runtime.ts";
import type { PromptPart } from "../prompt.ts";
import type { PatchField } from "../sdk.ts";
import type { Tool } from "../tool.ts";

/** The limit for each kind; more is a bug or an attack. */
export const REGISTRATIONS_MAX = 100;

export type Contributions = {
  slices: AnySlice[];
  workers: SliceWorker[];
  patchFields: PatchField<unknown>[];
  methods: PluginMethod<unknown, object>[];
  settings: SettingsSource<ConfigSections>[];
  texts: PluginTexts[];
  facts: FactWordings[];
  routes: PluginRoute[];
  tools: Tool[];
  metadata: ToolMetadata[];
  policies: TrustedToolPolicy[];
  commandJudge: CommandJudge[];
  permissionPrompt: PermissionPrompt[];
  projection: CatalogProjection[];
  callWitness: CallWitness[];
  namespaces: CodeNamespace[];
  commands: RegisteredCommand[];
  promptParts: PromptPart[];
  extensions: SessionExtension<Json>[];
  descriptors: UiDescriptor[];
  actions: SessionAction<unknown>[];
  hooks: RegisteredHook[];
  heartbeats: HeartbeatContribution[];
  lifecycles: Lifecycle[];
  channels: Channel[];
};

export const nothing = (): Contributions => ({
  slices: [],
  workers: [],
  patchFields: [],
  methods: [],
  settings: [],
  texts: [],
  facts: [],
  routes: [],
  tools: [],
  metadata: [],
  policies: [],
  commandJudge: [],
  permissionPrompt: [],
  projection: [],
  callWitness: [],
  namespaces: [],
  commands: [],
  promptParts: [],
  extensions: [],
  descriptors: [],
  actions: [],
  hooks: [],
  heartbeats: [],
  lifecycles: [],
  channels: [],
});

/** One plugin in the host, with what it registered. */
export type Loaded = {
  id: string;
  name: string;
  description: string;
  tier: PluginTier;
  needs: ReadonlySet<PluginNeed>;
  manifest: PluginManifest | undefined;
  /** Part of the gateway: it is never switched off. */
  permanent: boolean;
  status: "registering" | "enabled" | "off";
  has: Contributions;
};

/** The slice that `apply` of its commands reaches: the first that it registered. */
export const machineOf = ({ has }: Loaded): string | undefined => has.slices[0]?.name;

/**
 * Commands and actions commit through the plugin's JSON slice, also where the plugin has a machine: a line for people and
 * the turn that resumes the agent are no command of that. The house's own machines ask for both themselves.
 */
export function keepsJson({ id, has, needs, permanent }: Loaded): boolean {
  if (has.extensions.length > 0) return true;
  if (permanent || (has.slices.length > 0 && isBundled(id))) return false;
  const invoked = has.commands.length > 0 || has.actions.length > 0;
  return invoked || (has.slices.length === 0 && needs.has("injections"));
}

const isBundled = (id: string): boolean => BUNDLED_IDS.some((own) => own === id);

/** Everything that it may leave in sessions; its JSON slice too when only its manifest was read so far. */
export const markOf = ({ id: pluginId, has }: Loaded): CleanupMark => ({
  pluginId,
  slices: [pluginSlice(pluginId), ...has.slices.map(({ name }) => name)],
  injectionKind: pluginSlice(pluginId),
});

/** Whether it judges calls: then failures do not switch it off, because that would open the gate. */
export const holdsGate = ({ has }: Loaded): boolean =>
  has.policies.length > 0 ||
  has.slices.some((slice) => slice.guard !== undefined) ||
  has.commandJudge.length > 0 ||
  has.permissionPrompt.length > 0;
