/**
 * Namespaces of plugins in one run (CM-07). A namespace is there whole or not at all; what a program gets of it is data and
 * paths, and only the host knows which tool a path leads to.
 */
import { Json, JsonObject } from "../../protocol/json.ts";
import {
  isNamespaceCall,
  type NamespaceCall,
  type NamespaceMember,
  type NamespacePlace,
  type OwnedNamespace,
  type PluginLog,
} from "../../plugins/sdk.ts";
import type { ScopeNode } from "../sandbox/sandbox.ts";
import type { Catalog } from "./catalog.ts";
import { globalNameProblem, isUnsafeKey, PATH_SEPARATOR } from "./safe-names.ts";

const DEPTH_MAX = 16;
const NODES_MAX = 2_000;

export type BoundNamespace = {
  id: string;
  globalName: string;
  node: ScopeNode;
  calls: ReadonlyMap<string, NamespaceCall>;
};

/** How long a plugin may take to make its scope; whoever waits for the world does so in a tool. */
const SCOPE_MS_MAX = 2_000;

type Run = { catalog: Catalog; place: NamespacePlace; log: PluginLog; scopeMsMax?: number };

/** Those that this run may see; one whose scope cannot be made is left out and logged. */
export async function bindNamespaces(namespaces: readonly OwnedNamespace[], run: Run): Promise<BoundNamespace[]> {
  const bound: BoundNamespace[] = [];
  for (const namespace of visibleNamespaces(namespaces, run.catalog)) {
    try {
      const scope = await scopeInTime(namespace, run);
      bound.push(bind(namespace, scope));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      run.log("warn", "a namespace of code cells is left out", { namespace: namespace.id, why: why.slice(0, 500) });
    }
  }
  return bound;
}

async function scopeInTime(
  namespace: OwnedNamespace,
  { place, scopeMsMax = SCOPE_MS_MAX }: Run,
): Promise<NamespaceMember> {
  const end = new AbortController();
  const over = Promise.withResolvers<never>();
  const give = (why: string): void => {
    end.abort();
    over.reject(new Error(why));
  };
  const stopped = (): void => give("the run was stopped");
  const late = setTimeout(() => give(`no scope within ${scopeMsMax} ms`), scopeMsMax);
  place.signal.addEventListener("abort", stopped, { once: true });
  try {
    return await Promise.race([namespace.createScope({ ...place, signal: end.signal }), over.promise]);
  } finally {
    clearTimeout(late);
    place.signal.removeEventListener("abort", stopped);
  }
}

/** Every tool that it needs is there and its own plugin's; another's tool of the same name does not count. */
export function visibleNamespaces(namespaces: readonly OwnedNamespace[], catalog: Catalog): OwnedNamespace[] {
  const uses = Map.groupBy(namespaces, ({ globalName }) => globalName);
  return namespaces
    .filter(({ requiredToolNames, pluginId, globalName }) => {
      const isOwn = (name: string): boolean => {
        const origin = catalog.named(name)?.origin;
        return origin?.source === "plugin" && origin.owner === pluginId;
      };
      const isFree = globalNameProblem(globalName) === undefined && uses.get(globalName)?.length === 1;
      return isFree && requiredToolNames.length > 0 && requiredToolNames.every(isOwn);
    })
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

type Walk = {
  namespace: OwnedNamespace;
  calls: Map<string, NamespaceCall>;
  /** Objects and arrays by the order in which they were met. */
  seen: Map<object, number>;
  open: Set<object>;
  nodes: number;
};

function bind(namespace: OwnedNamespace, scope: NamespaceMember): BoundNamespace {
  const walk: Walk = { namespace, calls: new Map(), seen: new Map(), open: new Set(), nodes: 0 };
  const node = nodeOf(scope, ["ns", namespace.id], walk);
  return { id: namespace.id, globalName: namespace.globalName, node, calls: walk.calls };
}

function nodeOf(value: unknown, path: readonly string[], walk: Walk): ScopeNode {
  if (++walk.nodes > NODES_MAX || path.length > DEPTH_MAX) throw new Error("the scope is too large");
  if (typeof value === "function") throw new Error(`${path.slice(2).join(".")} is a function; use namespaceCall`);
  if (isNamespaceCall(value)) return callNode(value, path, walk);
  if (typeof value !== "object" || value === null) return { value: plain(value) };
  if (walk.open.has(value)) throw new Error(`${path.slice(2).join(".")} contains itself`);
  const same = walk.seen.get(value);
  if (same !== undefined) return { same };
  if (!Array.isArray(value) && !isPlainObject(value)) return { value: fallback(value) };
  walk.seen.set(value, walk.seen.size);
  walk.open.add(value);
  const node = Array.isArray(value)
    ? { items: value.map((item: unknown, index) => nodeOf(item, [...path, String(index)], walk)) }
    : { members: Object.entries(value).map(([key, item]) => member(key, item, { path, walk })) };
  walk.open.delete(value);
  return node;
}

function member(key: string, value: unknown, { path, walk }: { path: readonly string[]; walk: Walk }) {
  if (isUnsafeKey(key)) throw new Error(`"${key}" cannot name a member`);
  return [key, nodeOf(value, [...path, key], walk)] as const;
}

function callNode(marker: NamespaceCall, path: readonly string[], { namespace, calls }: Walk): ScopeNode {
  if (!namespace.requiredToolNames.includes(marker.tool))
    throw new Error(`${marker.tool} is not among the tools that the namespace declares`);
  const call = path.join(PATH_SEPARATOR);
  calls.set(call, marker);
  return { call };
}

const isPlainObject = (value: object): boolean => {
  const proto: unknown = Object.getPrototypeOf(value);
  return proto === Object.prototype || proto === null;
};

function plain(value: unknown): Json {
  if (typeof value === "bigint") return value.toString();
  const parsed = Json.safeParse(value);
  return parsed.success ? parsed.data : null;
}

/** Handles and instances never cross: what JSON makes of a date stays, of anything else its kind. */
function fallback(value: object): Json {
  return value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : null;
}

/** What the tool is called with; a mapper gets plain data only. */
export function namespaceInput(marker: NamespaceCall, args: readonly Json[]): JsonObject {
  if (marker.input !== undefined) return JsonObject.parse(marker.input(...args));
  const given = args[0] ?? {};
  if (typeof given !== "object" || Array.isArray(given)) throw new Error("no object");
  return given;
}
