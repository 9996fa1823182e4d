/** What a program finds besides the language: the catalog, servers and namespaces, as the sandbox takes them. */
import type { Json } from "../../protocol/json.ts";
import type { NamespaceCall, OfferedTool } from "../../plugins/sdk.ts";
import type { CellBindings, ScopeNode } from "../sandbox/sandbox.ts";
import { type Catalog, toolId } from "./catalog.ts";
import { apiFiles, apiHeader } from "./api-files.ts";
import type { McpServer } from "./mcp-servers.ts";
import type { BoundNamespace } from "./namespaces.ts";
import { PATH_SEPARATOR } from "./safe-names.ts";

/** What a path of `MCP` or of a namespace leads to. */
export type Target =
  | { kind: "tool"; tool: OfferedTool; id: string; input(args: readonly Json[]): Json }
  | { kind: "marked"; tool: OfferedTool; id: string; marker: NamespaceCall }
  | { kind: "header"; server: McpServer };

export type Bindings = { cell: CellBindings; target(path: string): Target | undefined };

type Table = Map<string, Target>;

export function createBindings(catalog: Catalog, namespaces: readonly BoundNamespace[]): Bindings {
  const table: Table = new Map();
  const mcp = catalog.servers.map((server) => [server.member, serverNode(server, table)] as const);
  for (const { calls } of namespaces) {
    for (const [path, marker] of calls) {
      const tool = catalog.named(marker.tool);
      if (tool !== undefined) table.set(path, { kind: "marked", tool, id: toolId(tool), marker });
    }
  }
  return {
    cell: {
      allToolsJson: catalog.entriesJson(),
      convenience: catalog.convenience,
      apiFiles: apiFiles(catalog.servers),
      mcp,
      namespaces: namespaces.map(({ globalName, node }) => [globalName, node] as const),
    },
    target: (path) => table.get(path),
  };
}

function serverNode(server: McpServer, table: Table): ScopeNode {
  const put = (name: string, target: Target): ScopeNode => {
    const call = ["mcp", server.name, name].join(PATH_SEPARATOR);
    table.set(call, target);
    return { call };
  };
  const members: [string, ScopeNode][] = [];
  for (const tool of server.tools) {
    const node = put(`tool:${tool.name}`, {
      kind: "tool",
      tool: tool.offer,
      id: toolId(tool.offer),
      input: ([input]) => input ?? {},
    });
    for (const member of tool.members) members.push([member, node]);
  }
  members.push(["$api", put("$api", { kind: "header", server })]);
  const extra = (name: string, input: (given: Readonly<Record<string, Json>>) => Json): ScopeNode | undefined => {
    const tool = server.extras[name];
    if (tool === undefined) return undefined;
    return put(name, { kind: "tool", tool, id: toolId(tool), input: ([given]) => input(fieldsOf(given)) });
  };
  const read = extra("mcp_read_resource", ({ uri }) => ({ server: server.name, uri: uri ?? null }));
  if (read !== undefined) members.push(["resources", { members: [["read", read]] }]);
  const get = extra("mcp_get_prompt", ({ name, arguments: given }) => ({
    server: server.name,
    prompt: name ?? null,
    ...(given === undefined ? {} : { arguments: given }),
  }));
  if (get !== undefined) members.push(["prompts", { members: [["get", get]] }]);
  return { members };
}

const fieldsOf = (value: Json | undefined): Readonly<Record<string, Json>> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};

/** What `$api()` answers; undefined where the server has no such tool. */
export function headerOf(server: McpServer, [name, options]: readonly Json[]): string | undefined {
  if (name === undefined || name === null) return apiHeader(server, undefined, false);
  const tool = server.tools.find(
    (one) => one.name === name || (typeof name === "string" && one.members.includes(name)),
  );
  return tool === undefined ? undefined : apiHeader(server, tool, fieldsOf(options)["schema"] === true);
}
