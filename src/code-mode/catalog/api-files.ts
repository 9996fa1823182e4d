/** Declarations of MCP tools for programs to read: the virtual files of `API`, and what `$api()` answers. */
import type { Json, JsonObject } from "../../protocol/json.ts";
import type { McpServer, McpTool } from "./mcp-servers.ts";

const LINE_CHARS_MAX = 300;
const DESCRIPTION_CHARS_MAX = 600;
const TYPE_DEPTH_MAX = 4;
const TYPE_CHARS_MAX = 400;

const RESULT_TYPE = [
  "/** What an MCP tool answers. A tool that reports an error resolves, with isError true. */",
  "type McpToolResult = {",
  "  content?: { type: string; text?: string; [key: string]: unknown }[];",
  "  structuredContent?: unknown;",
  "  isError?: boolean;",
  "  [key: string]: unknown;",
  "};",
].join("\n");

/** `mcp/index.d.ts`, and one file for each server. */
export function apiFiles(servers: readonly McpServer[]): [path: string, text: string][] {
  if (servers.length === 0) return [];
  const index = [
    RESULT_TYPE,
    "",
    ...servers.map(({ name, member, tools }) => `// ${filePath(name)}: MCP.${member}, ${tools.length} tools`),
    "",
  ].join("\n");
  return [
    ["mcp/index.d.ts", index],
    ...servers.map((server): [string, string] => [filePath(server.name), declared(server)]),
  ];
}

const filePath = (server: string): string => `mcp/${server}.d.ts`;

function declared(server: McpServer): string {
  const functions = server.tools.map((tool) => indented(functionOf(tool)));
  return [
    RESULT_TYPE,
    "",
    `declare namespace MCP.${server.member} {`,
    ...functions,
    indented(extrasOf(server)),
    "}",
    "",
  ].join("\n");
}

/** The header of a server, or of one of its tools; the schema only where it is asked for. */
export function apiHeader(server: McpServer, tool: McpTool | undefined, withSchema: boolean): string {
  if (tool === undefined) return declared(server);
  const schema = withSchema ? `\n/* input schema: ${inComment(JSON.stringify(tool.offer.inputSchema))} */` : "";
  return `${functionOf(tool)}${schema}`;
}

function extrasOf({ extras }: McpServer): string {
  const lines = [
    "/** This server's header, or one tool's; {schema: true} adds its input schema. */",
    "function $api(toolName?: string, options?: { schema?: boolean }): Promise<string>;",
  ];
  if ("mcp_read_resource" in extras)
    lines.push("const resources: { read(input: { uri: string }): Promise<McpToolResult> };");
  if ("mcp_get_prompt" in extras)
    lines.push(
      "const prompts: { get(input: { name: string; arguments?: Record<string, string> }): Promise<McpToolResult> };",
    );
  return lines.join("\n");
}

function functionOf({ offer, name, members }: McpTool): string {
  const { properties, required } = shapeOf(offer.inputSchema);
  const about = inComment(offer.origin.description ?? offer.description).slice(0, DESCRIPTION_CHARS_MAX);
  const params = properties.map(
    ([key, schema]) => ` * @param ${inComment(key)} ${line(textOf(schema, "description"))}`,
  );
  const fields = properties.map(
    ([key, schema]) => `${keyOf(key)}${required.has(key) ? "" : "?"}: ${typeOf(schema, 0)}`,
  );
  const isNeeded = properties.some(([key]) => required.has(key));
  const input = properties.length === 0 ? "input?: {}" : `input${isNeeded ? "" : "?"}: { ${fields.join("; ")} }`;
  const [ident] = members;
  const isPlain = ident !== undefined && /^[A-Za-z_$][\w$]*$/.test(ident);
  const head = ["/**", ...about.split("\n").map((text) => ` * ${text}`), ...params, " */"].join("\n");
  const signature = `(${input}): Promise<McpToolResult>;`;
  return `${head}\n${isPlain ? `function ${ident}${signature}` : `// by its exact name: ["${inComment(name)}"]${signature}`}`;
}

type Properties = { properties: [string, JsonObject][]; required: ReadonlySet<string> };

function shapeOf(schema: JsonObject): Properties {
  const properties = objectOf(schema["properties"]);
  const required = Array.isArray(schema["required"]) ? schema["required"].filter((key) => typeof key === "string") : [];
  return {
    properties: Object.entries(properties).map(([key, value]) => [key, objectOf(value)]),
    required: new Set(required),
  };
}

const objectOf = (value: Json | undefined): JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
const textOf = (schema: JsonObject, key: string): string => {
  const value = schema[key];
  return typeof value === "string" ? value : "";
};

const PLAIN: Readonly<Record<string, string>> = {
  string: "string",
  number: "number",
  integer: "number",
  boolean: "boolean",
  null: "null",
};

/** What cannot be said shortly is `unknown`: the schema is there for the asking. */
function typeOf(schema: JsonObject, depth: number): string {
  const text = typeText(schema, depth);
  return text.length > TYPE_CHARS_MAX ? "unknown" : text;
}

function typeText(schema: JsonObject, depth: number): string {
  const choices = schema["enum"];
  if (Array.isArray(choices) && choices.length > 0)
    return choices.map((value) => inComment(JSON.stringify(value))).join(" | ");
  if (depth >= TYPE_DEPTH_MAX) return "unknown";
  const alternatives = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(alternatives)) return union(alternatives.map((one) => typeOf(objectOf(one), depth + 1)));
  return namedType(schema, depth);
}

function namedType(schema: JsonObject, depth: number): string {
  const { type } = schema;
  if (Array.isArray(type)) return union(type.map(plainType));
  if (type === "array") return `(${typeOf(objectOf(schema["items"]), depth + 1)})[]`;
  return type === "object" || "properties" in schema ? objectType(schema, depth) : plainType(type);
}

const plainType = (type: Json | undefined): string =>
  typeof type === "string" ? (PLAIN[type] ?? "unknown") : "unknown";
const union = (types: readonly string[]): string => [...new Set(types)].join(" | ") || "unknown";

function objectType(schema: JsonObject, depth: number): string {
  const { properties, required } = shapeOf(schema);
  if (properties.length === 0) return "Record<string, unknown>";
  const fields = properties.map(
    ([key, value]) => `${keyOf(key)}${required.has(key) ? "" : "?"}: ${typeOf(value, depth + 1)}`,
  );
  return `{ ${fields.join("; ")} }`;
}

const keyOf = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : inComment(JSON.stringify(key)));
const line = (text: string): string => inComment(text).replaceAll(/\s+/g, " ").slice(0, LINE_CHARS_MAX).toWellFormed();
/** Words of a server can neither close a comment nor begin a line of their own kind. */
const inComment = (text: string): string =>
  text
    .replaceAll("*/", "* /")
    .replaceAll("/*", "/ *")
    .replaceAll(/[\p{Cc}\u2028\u2029]/gu, (character) => (character === "\n" ? character : " "))
    .toWellFormed();
const indented = (text: string): string =>
  text
    .split("\n")
    .map((one) => `  ${one}`)
    .join("\n");
