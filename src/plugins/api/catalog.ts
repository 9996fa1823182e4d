/**
 * What a session's agent may use, and what its model is shown of it. A plugin may show the model fewer tools instead
 * (`registerCatalogProjection`); what the agent may use stays the same, and so does every check on the way to it.
 */
import type { ToolKind } from "../../protocol/gate.ts";
import type { Json, JsonObject } from "../../protocol/json.ts";
import type { LocalizedText } from "../../protocol/localized/localized-text.ts";
import type { Session } from "../../protocol/session.ts";
import type { Tool, ToolOrigin } from "../tool.ts";

/** One tool that a session's agent may use now. */
export type OfferedTool = {
  name: string;
  description: string;
  inputSchema: JsonObject;
  kind: ToolKind;
  origin: ToolOrigin;
};

/** A tool that the model is shown in place of the catalog; `control` is the one of `controls` that it stands for. */
export type ShownTool = { name: string; description: string; inputSchema: JsonObject; control: string };

/** `failed`: the run ends with these words, and the model is shown nothing. */
export type CatalogChoice =
  | { surface: "catalog"; note?: LocalizedText }
  | { surface: "projection"; shown: readonly ShownTool[]; note?: LocalizedText }
  | { surface: "failed"; words: LocalizedText };

export type CatalogRun = {
  session: Session;
  /** Settings of every slice, resolved for this session. */
  settings: Readonly<Record<string, unknown>>;
  offers: readonly OfferedTool[];
  /** What was chosen before in this run: settings that change meanwhile count from the next one on. */
  before?: "catalog" | "projection";
};

export type CatalogProjection = {
  /**
   * What shown names lead to. They are reached in no other way: they are not in the catalog, no cell and no agent outside
   * can call them, and another tool of the same name is another tool.
   */
  controls: readonly Tool[];
  /** Asked before each request to a model. One that throws fails the run. */
  choose(run: CatalogRun): CatalogChoice | Promise<CatalogChoice>;
};

/** A call of a tool of the catalog, as a member of a namespace; made by `namespaceCall`. */
export type NamespaceCall = { readonly tool: string; input?(...args: Json[]): JsonObject };
export type NamespaceMember = Json | NamespaceCall | NamespaceMember[] | { [name: string]: NamespaceMember };

const MARKERS = new WeakSet<object>();

/** A member that calls a tool of the namespace; without `input` the first argument is what it is called with. */
export function namespaceCall(tool: string, input?: NamespaceCall["input"]): NamespaceCall {
  const marker = Object.freeze(input === undefined ? { tool } : { tool, input });
  MARKERS.add(marker);
  return marker;
}
export const isNamespaceCall = (value: unknown): value is NamespaceCall =>
  typeof value === "object" && value !== null && MARKERS.has(value);

export type NamespacePlace = {
  agentId: string;
  sessionKey: string;
  sessionId: string;
  runId: string;
  config: JsonObject;
  signal: AbortSignal;
};

/** Names for tools of this plugin in code cells (CM-07): data and calls, never functions of the host. */
export type CodeNamespace = {
  id: string;
  globalName: string;
  description: string;
  /** All of them must be offered, and be this plugin's, or the namespace is not there. */
  requiredToolNames: readonly string[];
  prompt?: string;
  createScope(place: NamespacePlace): NamespaceMember | Promise<NamespaceMember>;
};

export type OwnedNamespace = CodeNamespace & { pluginId: string };

export type CatalogApi = {
  /** The tools that a session's agent may use now, without those of `controls`. Only bundled and trusted plugins. */
  list(sessionKey: string): Promise<OfferedTool[]>;
  /**
   * Resolves when servers that are starting have their tools in the catalog, or have failed: after a restart they join
   * in the background. Only bundled and trusted plugins.
   */
  started(): Promise<void>;
  /** Of all enabled plugins. Only bundled and trusted plugins. */
  namespaces(): readonly OwnedNamespace[];
};
