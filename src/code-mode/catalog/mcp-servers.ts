/** The MCP servers that a run sees, with the names that programs use for them and for their tools. */
import type { OfferedTool } from "../../plugins/sdk.ts";
import { camelName, isSpecialMember, isUnsafeKey } from "./safe-names.ts";

/** The owner of the tools that read resources and prompts of any server. */
const ANY_SERVER = "*";
/** Members of a server that are no tools of it: they win over tools of that name. */
const OWN_MEMBERS: ReadonlySet<string> = new Set(["$api", "resources", "prompts"]);

export type McpTool = {
  offer: OfferedTool;
  /** As the server calls it. */
  name: string;
  /**
   * Members under which it is found: an identifier, unless two tools would share it, and its exact name. Where both mean
   * something else, `$` and the name.
   */
  members: readonly string[];
};

export type McpServer = {
  name: string;
  /** The member of `MCP`. */
  member: string;
  tools: readonly McpTool[];
  /** The tools of the gateway that reach its resources and prompts, where some server offers them. */
  extras: Readonly<Record<string, OfferedTool>>;
};

export function mcpServers(offers: readonly OfferedTool[]): McpServer[] {
  const tools = offers.filter(({ origin }) => origin.source === "mcp" && origin.owner !== ANY_SERVER);
  const extras = Object.fromEntries(
    offers.flatMap((tool) => (tool.origin.owner === ANY_SERVER ? [[tool.origin.name, tool]] : [])),
  );
  const groups = [...Map.groupBy(tools, ({ origin }) => origin.owner)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const uses = Map.groupBy(groups, ([owner]) => camelName(owner) ?? owner);
  return groups.map(([owner, own]) => {
    const ident = camelName(owner) ?? owner;
    const member = uses.get(ident)?.length === 1 ? ident : owner;
    return { name: owner, member, tools: membersOf(own), extras };
  });
}

function membersOf(offers: readonly OfferedTool[]): McpTool[] {
  const uses = Map.groupBy(offers, ({ origin }) => camelName(origin.name) ?? "");
  return offers
    .map((offer): McpTool => {
      const { name } = offer.origin;
      const ident = camelName(name);
      const isFree = ident !== undefined && uses.get(ident)?.length === 1 && !OWN_MEMBERS.has(ident);
      const isTaken = isUnsafeKey(name) || isSpecialMember(name) || OWN_MEMBERS.has(name);
      const members = [...new Set([...(isFree ? [ident] : []), ...(isTaken ? [] : [name])])];
      return { offer, name, members: members.length === 0 ? [`$${name.replaceAll(/\W/g, "_")}`] : members };
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
