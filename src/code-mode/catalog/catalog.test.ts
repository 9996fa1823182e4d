/** The catalog of a run: ids, search, description, names, and MCP servers with their declarations. */
import { stripTypeScriptTypes } from "node:module";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../protocol/json.ts";
import type { OfferedTool } from "../../plugins/sdk.ts";
import { createBindings, headerOf } from "./bindings.ts";
import { catalogOf, createCatalog } from "./catalog.ts";
import { apiFiles } from "./api-files.ts";

const tool = (
  name: string,
  origin: Partial<OfferedTool["origin"]> = {},
  change: Partial<OfferedTool> = {},
): OfferedTool => ({
  name,
  description: `About ${name}.`,
  inputSchema: {
    type: "object",
    properties: { query: { type: "string", description: "What to find." } },
    required: ["query"],
  },
  kind: "read_only",
  origin: { source: "holdpoint", owner: "core", name, ...origin },
  ...change,
});
type Described = { inputSchema?: JsonObject; description?: string };
const mcp = (server: string, name: string, { inputSchema, description }: Described = {}): OfferedTool =>
  tool(
    `mcp__${server}__${name.replaceAll(/\W+/g, "_")}`,
    { source: "mcp", owner: server, name, ...(description === undefined ? {} : { description }) },
    inputSchema === undefined ? {} : { inputSchema },
  );

const offers = [
  tool("exec"),
  tool("web_search", {}, { description: "Searches the web for pages." }),
  tool("web_fetch", {}, { description: "Fetches one page of the web." }),
  tool("deploy.start", { source: "plugin", owner: "deploy" }),
  tool("deploy_start", { source: "plugin", owner: "other" }),
  tool("lend", { source: "client", owner: "editor" }),
  mcp("git-hub", "list-issues"),
  mcp("git-hub", "list_issues"),
  mcp("git-hub", "create-pull-request"),
  mcp("git-hub", "resources"),
  mcp("notes", "then"),
  mcp("notes", "__proto__"),
  mcp("notes", "名前"),
  tool("mcp_read_resource", { source: "mcp", owner: "*" }),
  tool("mcp_get_prompt", { source: "mcp", owner: "*" }),
];
const catalog = createCatalog(offers);
const ids = (entries: readonly { id: string }[]) => entries.map(({ id }) => id);

describe("entries", () => {
  it("[CM-03] 71, 77, 82, 144, 149, 166: every tool but those of MCP servers, once, by a stable id and without a schema", () => {
    expect(ids(catalog.entries)).toEqual([
      "client:editor:lend",
      "holdpoint:core:exec",
      "holdpoint:core:web_fetch",
      "holdpoint:core:web_search",
      "plugin:deploy:deploy.start",
      "plugin:other:deploy_start",
    ]);
    expect(catalog.entries[0]).toEqual({
      id: "client:editor:lend",
      name: "lend",
      description: "About lend.",
      source: "client",
      sourceName: "editor",
    });
    expect(ids(createCatalog(offers.toReversed()).entries)).toEqual(ids(catalog.entries));
    expect([catalog.size, catalog.bySource]).toEqual([15, { holdpoint: 3, plugin: 2, client: 1, mcp: 9 }]);
  });

  it("[CM-03] 73, 74, 82, 145, 146, 170: describes and finds by id, and knows nothing of servers' tools or of guessed ones", () => {
    expect(catalog.describe("holdpoint:core:web_search")).toMatchObject({
      id: "holdpoint:core:web_search",
      parameters: { type: "object" },
    });
    for (const id of ["mcp:notes:then", "mcp__notes__then", "holdpoint:core:nothing", "exec", "", "__proto__"]) {
      expect(catalog.describe(id)).toBeUndefined();
      expect(catalog.tool(id)).toBeUndefined();
    }
  });

  it("[CM-03] 71, 144: of the same offers is made once, and anew when anything of any tool has changed", () => {
    const [first, ...rest] = offers;
    if (first === undefined) throw new Error("there are no offers");
    const copies = offers.map((one) => ({ ...one, origin: { ...one.origin } }));
    expect(catalogOf(copies)).toBe(catalogOf(offers));
    const others: OfferedTool[][] = [
      rest,
      [...offers, tool("one_more")],
      [{ ...first, description: "Other words." }, ...rest],
      [{ ...first, inputSchema: { ...first.inputSchema } }, ...rest],
      [{ ...first, kind: "outbound" }, ...rest],
      [{ ...first, origin: { ...first.origin, owner: "somebody" } }, ...rest],
      [{ ...first, origin: { ...first.origin, description: "Another." } }, ...rest],
    ];
    for (const changed of others) {
      expect(catalogOf(changed)).not.toBe(catalogOf(offers));
      expect(ids(catalogOf(changed).entries)).toEqual(ids(createCatalog(changed).entries));
    }
  });

  it("[CM-03] 75: a function only where one tool has the name, never a name that means something else", () => {
    expect(catalog.convenience).toEqual([
      ["lend", "client:editor:lend"],
      ["exec", "holdpoint:core:exec"],
      ["web_fetch", "holdpoint:core:web_fetch"],
      ["web_search", "holdpoint:core:web_search"],
    ]);
    const names = [
      "search",
      "describe",
      "call",
      "then",
      "toJSON",
      "constructor",
      "__proto__",
      "hasOwnProperty",
      "valueOf",
      "fine",
    ];
    expect(createCatalog(names.map((name) => tool(name))).convenience).toEqual([["fine", "holdpoint:core:fine"]]);
  });
});

describe("search", () => {
  it("[CM-03] 72: is ranked, the same each time, and finds what is misspelt", () => {
    expect(ids(catalog.search("web search", 8))).toEqual(["holdpoint:core:web_search", "holdpoint:core:web_fetch"]);
    expect(ids(catalog.search("serach", 8))).toEqual(["holdpoint:core:web_search"]);
    expect(ids(catalog.search("deplyo", 8))).toEqual(["plugin:deploy:deploy.start", "plugin:other:deploy_start"]);
    expect(ids(catalog.search("holdpoint:core:web_fetch", 8))[0]).toBe("holdpoint:core:web_fetch");
    expect(catalog.search("nothing like it", 8)).toEqual([]);
    expect(catalog.search("list issues", 8)).toEqual([]);
  });

  it("[CM-03] 24, 25, 72: without words it shows the first by id, and never more than the limit", () => {
    expect(ids(catalog.search("", 2))).toEqual(["client:editor:lend", "holdpoint:core:exec"]);
    expect(catalog.search("web", 1)).toHaveLength(1);
  });
});

describe("MCP servers", () => {
  const members = (server: string) => {
    const node = createBindings(catalog, []).cell.mcp.find(([name]) => name === server)?.[1];
    return node !== undefined && "members" in node ? node.members.map(([key]) => key) : [];
  };

  it("[CM-03] 89, 90: tools are camelCase members, by exact name where two would share one, and never unsafe ones", () => {
    expect(members("gitHub")).toEqual([
      "createPullRequest",
      "create-pull-request",
      "list-issues",
      "list_issues",
      "$resources",
      "$api",
      "resources",
      "prompts",
    ]);
    expect(members("notes")).toEqual(["proto", "$then", "名前", "$api", "resources", "prompts"]);
  });

  it("[CM-03] 83, 100: a path leads to exactly its tool, and a forged one nowhere", () => {
    const bindings = createBindings(catalog, []);
    const node = bindings.cell.mcp[0]?.[1];
    const path =
      node !== undefined && "members" in node && node.members[0] !== undefined && "call" in node.members[0][1]
        ? node.members[0][1].call
        : "";
    expect(bindings.target(path)).toMatchObject({ kind: "tool", id: "mcp:git-hub:create-pull-request" });
    for (const forged of ["", "mcp", path.replace("git-hub", "notes"), `${path}x`, "__proto__", "holdpoint:core:exec"])
      expect(bindings.target(forged)).toBeUndefined();
  });

  it("[CM-03] 84, 86, 91, 147, 168: declares them in files that TypeScript reads", () => {
    const files = apiFiles(catalog.servers);
    expect(files.map(([path]) => path)).toEqual(["mcp/index.d.ts", "mcp/git-hub.d.ts", "mcp/notes.d.ts"]);
    const text = files[1]?.[1] ?? "";
    expect(text).toContain("declare namespace MCP.gitHub {");
    expect(text).toContain("function createPullRequest(input: { query: string }): Promise<McpToolResult>;");
    expect(text).toContain("* @param query What to find.");
    for (const [path, source] of files) expect([path, syntaxErrors(source)]).toEqual([path, []]);
    expect(apiFiles([])).toEqual([]);
  });

  it("[CM-03] 86: words of a server can neither close a comment nor declare anything", () => {
    const evil = "*/ } declare const stolen: string; /*\u2028 declare const more: string; //\r\nexport {};";
    const schema = {
      type: "object",
      properties: {
        "a*/b": { type: "string", description: evil, enum: ["*/", "x"] },
        ok: {
          anyOf: [
            { type: "array", items: { type: "object", properties: { deep: { type: "integer" } } } },
            { type: "null" },
          ],
        },
        many: { type: ["string", "null"] },
      },
      required: ["ok"],
    };
    const evilTool = { inputSchema: schema, description: evil };
    const hostile = createCatalog([mcp("evil", "do*/it", evilTool), mcp("evil", "fine", evilTool)]);
    const text = apiFiles(hostile.servers).find(([path]) => path === "mcp/evil.d.ts")?.[1] ?? "";
    expect(syntaxErrors(text)).toEqual([]);
    expect(withoutComments(text)).not.toMatch(/stolen|declare const|export/);
    expect(text).toContain("ok: ({ deep?: number })[] | null");
    expect(text).toContain("many?: string | null");
  });

  it("[CM-03] 88, 148: $api answers a header, with the schema on demand, and knows no other tool", () => {
    const [server] = catalog.servers;
    if (server === undefined) throw new Error("no server");
    expect(headerOf(server, [])).toContain("declare namespace MCP.gitHub");
    expect(headerOf(server, ["create-pull-request"])).toContain("function createPullRequest");
    expect(headerOf(server, ["createPullRequest"])).not.toContain("input schema");
    expect(headerOf(server, ["createPullRequest", { schema: true }])).toContain('input schema: {"type":"object"');
    expect(headerOf(server, ["nothing"])).toBeUndefined();
  });
});

/** Node's own reader of types: what is left of a file of declarations is nothing. */
function syntaxErrors(text: string): string[] {
  try {
    return withoutComments(stripTypeScriptTypes(text)).trim() === ""
      ? []
      : ["something is left that is no declaration"];
  } catch (error) {
    return [String(error)];
  }
}
const withoutComments = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, "");
