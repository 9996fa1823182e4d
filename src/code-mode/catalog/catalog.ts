/**
 * The tools of one run as its cells know them: by id, found by search, described on demand. Tools of MCP servers are not
 * among them; they are members of `MCP` (mcp-servers.ts).
 */
import type { JsonObject } from "../../protocol/json.ts";
import type { OfferedTool } from "../../plugins/sdk.ts";
import { type McpServer, mcpServers } from "./mcp-servers.ts";
import type { CatalogEntry } from "./catalog-entry.ts";
import { convenienceName } from "./safe-names.ts";
import { createToolIndex, type ToolIndex } from "./tool-index.ts";

const DESCRIPTION_CHARS_MAX = 1_000;

export type Catalog = {
  entries: readonly CatalogEntry[];
  /** The text of `ALL_TOOLS`. */
  entriesJson(): string;
  search: ToolIndex;
  /** Undefined for what is not offered, and for tools of MCP servers. */
  describe(id: string): (CatalogEntry & { parameters: JsonObject }) | undefined;
  tool(id: string): OfferedTool | undefined;
  /** `tools.<name>`, where exactly one tool has that name. */
  convenience: readonly (readonly [name: string, id: string])[];
  servers: readonly McpServer[];
  size: number;
  bySource: Readonly<Record<string, number>>;
  /** Every tool that there is, MCP included: for namespaces, which name tools by their names. */
  named(name: string): OfferedTool | undefined;
};

export const toolId = ({ origin: { source, owner, name } }: Pick<OfferedTool, "origin">): string =>
  `${source}:${owner}:${name}`;

/** Of the sessions that are at work; beyond these a catalog is made anew. */
const KNOWN_MAX = 8;
const known: { offers: readonly OfferedTool[]; catalog: Catalog }[] = [];

/** The tools of a run are mostly those of the request before: their catalog and its index are made once. */
export function catalogOf(offers: readonly OfferedTool[]): Catalog {
  const at = known.findIndex((one) => isSame(one.offers, offers));
  const [found = { offers, catalog: createCatalog(offers) }] = at < 0 ? [] : known.splice(at, 1);
  known.unshift(found);
  known.length = Math.min(known.length, KNOWN_MAX);
  return found.catalog;
}

/** A schema is the same object for as long as its tool is there. */
const isSame = (before: readonly OfferedTool[], offers: readonly OfferedTool[]): boolean =>
  before.length === offers.length && before.every((tool, index) => isSameTool(tool, offers[index]));

const isSameTool = (tool: OfferedTool, other: OfferedTool | undefined): boolean =>
  tool.name === other?.name &&
  tool.description === other.description &&
  tool.inputSchema === other.inputSchema &&
  tool.kind === other.kind &&
  isSameOrigin(tool.origin, other.origin);

const isSameOrigin = (origin: OfferedTool["origin"], other: OfferedTool["origin"]): boolean =>
  origin.source === other.source &&
  origin.owner === other.owner &&
  origin.name === other.name &&
  origin.description === other.description;

export function createCatalog(offers: readonly OfferedTool[]): Catalog {
  const own = offers.filter(({ origin }) => origin.source !== "mcp");
  const tools = new Map(own.map((tool) => [toolId(tool), tool]));
  const entries = [...tools].map(([id, tool]) => entryOf(id, tool)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const byName = new Map(offers.map((tool) => [tool.name, tool]));
  let index: ToolIndex | undefined;
  let json: string | undefined;
  const bySource: Record<string, number> = {};
  for (const { origin } of offers) bySource[origin.source] = (bySource[origin.source] ?? 0) + 1;
  return {
    entries,
    entriesJson: () => (json ??= JSON.stringify(entries)),
    search: (query, limit) => (index ??= createToolIndex(entries))(query, limit),
    tool: (id) => tools.get(id),
    describe(id) {
      const tool = tools.get(id);
      return tool === undefined ? undefined : { ...entryOf(id, tool), parameters: tool.inputSchema };
    },
    convenience: convenienceOf(entries),
    servers: mcpServers(offers),
    size: offers.length,
    bySource,
    named: (name) => byName.get(name),
  };
}

function entryOf(id: string, { name, description, origin }: OfferedTool): CatalogEntry {
  const about = (origin.description ?? description).slice(0, DESCRIPTION_CHARS_MAX).toWellFormed();
  const { source, owner } = origin;
  return { id, name, description: about, source, ...(source === "holdpoint" ? {} : { sourceName: owner }) };
}

/** On a collision none is installed. */
function convenienceOf(entries: readonly CatalogEntry[]): [string, string][] {
  const named = entries.flatMap(({ name, id }) => {
    const safe = convenienceName(name);
    return safe === undefined ? [] : [[safe, id] satisfies [string, string]];
  });
  const uses = Map.groupBy(named, ([name]) => name);
  return named.filter(([name]) => uses.get(name)?.length === 1);
}
