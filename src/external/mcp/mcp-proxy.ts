/**
 * The gate in front of any MCP server (IG-02): a client speaks with us as with the server, and no call of a tool reaches it
 * that the gate did not let pass. What a tool is, a person says; what a tool says of itself counts only where they trust
 * the server, and no longer once it says something else.
 *
 *   tools/list ─▶ the server's, without those that are off
 *   tools/call ─▶ read or write? ─▶ one line to the decision service ─┬─ allow ─▶ the server ─▶ its answer, bounded
 *                                                                      └─ deny ──▶ an error with the reason
 */
import type { CallToolResult, Tool as ServerTool } from "@modelcontextprotocol/client";
import { z } from "zod";
import type { ExternalPlace } from "../../protocol/external/decisions.ts";
import { Json, JsonObject } from "../../protocol/json.ts";
import type { ServerLink } from "../../tools/mcp/server-link.ts";
import { blockText } from "../../tools/mcp/server-text.ts";
import { ask, isReadOnly } from "../../tools/mcp/server-tool.ts";
import type { PinnedServer, ToolPins } from "../../tools/mcp/tool-pins.ts";
import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  rpcFailure,
  RpcId,
  RpcMessage,
  rpcResult,
} from "../json-rpc.ts";
import { MCP_VERSIONS } from "./mcp-server.ts";

const CALLS_MAX = 32;
/** Clients cut a call off at five minutes. */
const PERSON_MS_MAX = 240_000;
const ANSWER_CHARS_MAX = 100_000;
/** Of pictures and sounds, as they are sent. */
const MEDIA_CHARS_MAX = 4 * 1_024 * 1_024;

export type ProxyParts = {
  version: string;
  link: ServerLink;
  pins: ToolPins;
  /** Asks the decision service; the signal only drops the waiter. */
  ask(line: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  place(client: string, meta: JsonObject): ExternalPlace;
  send(message: JsonObject): void;
};

export type McpProxy = {
  /** Undefined: there is nothing to answer. */
  handle(message: unknown): Promise<JsonObject | undefined>;
  /** The server's tools, each time that they are known anew. */
  show(tools: readonly ServerTool[]): void;
};

type World = ProxyParts & {
  client: string;
  tools: readonly ServerTool[];
  /** Names of those that are not what a person trusted or called read. */
  changed: ReadonlySet<string>;
  isListed: boolean;
  calls: Map<string, AbortController>;
};

export function createMcpProxy(parts: ProxyParts): McpProxy {
  const world: World = { ...parts, client: "mcp", tools: [], changed: new Set(), isListed: false, calls: new Map() };
  return {
    show(tools) {
      const { name, settings } = parts.link;
      const decided = (tool: string) => (Object.hasOwn(settings.tools, tool) ? settings.tools[tool] : undefined);
      world.changed = changedOf(parts, { name, trusted: settings.trusted, decided }, tools);
      world.tools = offered(tools, decided);
      if (world.isListed) parts.send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
    },
    async handle(given) {
      const { data } = RpcMessage.safeParse(given);
      if (data === undefined) return rpcFailure(null, INVALID_REQUEST, "This is no JSON-RPC message.");
      const { id, method, params = {} } = data;
      if (method === undefined) return undefined;
      if (id === undefined) {
        if (method === "notifications/cancelled") cancel(params, world);
        return undefined;
      }
      return answer({ id, method, params }, world);
    },
  };
}

/** Where it cannot be known what they were, as in the tree of a kept run, none is what a person trusted. */
function changedOf({ pins }: ProxyParts, server: PinnedServer, tools: readonly ServerTool[]): ReadonlySet<string> {
  try {
    return pins.changed(server, tools);
  } catch {
    return new Set(tools.map(({ name }) => name));
  }
}

/** Of two tools with one name the first counts. */
const offered = (tools: readonly ServerTool[], decided: (tool: string) => string | undefined): ServerTool[] =>
  tools.filter((tool, at) => decided(tool.name) !== "off" && tools.findIndex(({ name }) => name === tool.name) === at);

function cancel(params: JsonObject, { calls }: World): void {
  const { data } = RpcId.safeParse(params["requestId"]);
  if (data !== undefined) calls.get(String(data))?.abort();
}

type Request = { id: RpcId; method: string; params: JsonObject };

async function answer(request: Request, world: World): Promise<JsonObject> {
  const { id, method, params } = request;
  switch (method) {
    case "initialize":
      return initialize(id, params, world);
    case "ping":
      return rpcResult(id, {});
    case "tools/list":
      return list(id, world);
    case "tools/call":
      return call(id, params, world);
    default:
      return rpcFailure(id, METHOD_NOT_FOUND, `There is no method ${method}.`);
  }
}

const Initialize = z.looseObject({
  protocolVersion: z.string(),
  clientInfo: z.looseObject({ name: z.string().max(200) }).optional(),
});

function initialize(id: RpcId, params: JsonObject, world: World): JsonObject {
  const { data } = Initialize.safeParse(params);
  if (data === undefined) return rpcFailure(id, INVALID_PARAMS, "initialize needs a protocolVersion.");
  world.client = data.clientInfo?.name ?? "mcp";
  const protocolVersion = MCP_VERSIONS.find((version) => version === data.protocolVersion) ?? MCP_VERSIONS[0];
  const serverInfo = { name: `holdpoint-${world.link.name}`, version: world.version };
  const capabilities = { tools: { listChanged: true } };
  return rpcResult(id, { protocolVersion, capabilities, serverInfo, instructions: INSTRUCTIONS });
}

const INSTRUCTIONS =
  "These tools stand behind Holdpoint: those that change something are refused until a person has approved a plan. A refusal says what to do.";

async function list(id: RpcId, world: World): Promise<JsonObject> {
  const problem = await unavailable(world);
  if (problem !== undefined) return rpcFailure(id, INTERNAL_ERROR, problem);
  world.isListed = true;
  const tools = world.tools.map((tool) => described(tool, world));
  return rpcResult(id, { tools });
}

/** The server may have to be started first; a text says why it cannot be. */
async function unavailable({ link }: World): Promise<string | undefined> {
  const { signal } = new AbortController();
  const used = await ask(link, { what: "the list of tools", signal }, async () => {
    await link.use(async () => undefined, signal);
    return { status: "ok", content: "" };
  });
  return used.status === "ok" ? undefined : textOf(used.content);
}

/** As the server describes it, apart from hints that are not believed here. */
function described(tool: ServerTool, { link, changed }: World): JsonObject {
  const isReading = isReadOnly(tool, { ...link.settings, isAsTrusted: !changed.has(tool.name) });
  const { name, title, description, inputSchema, outputSchema } = tool;
  const shown = { name, title, description, inputSchema, outputSchema, annotations: { readOnlyHint: isReading } };
  return JsonObject.parse(JSON.parse(JSON.stringify(shown)));
}

const Called = z.looseObject({ name: z.string(), arguments: JsonObject.optional(), _meta: JsonObject.optional() });

async function call(id: RpcId, params: JsonObject, world: World): Promise<JsonObject> {
  const { data } = Called.safeParse(params);
  if (data === undefined) return rpcFailure(id, INVALID_PARAMS, "tools/call needs a name.");
  const problem = await unavailable(world);
  if (problem !== undefined) return refused(id, problem);
  const { name, arguments: args = {}, ["_meta"]: meta = {} } = data;
  const tool = world.tools.find((one) => one.name === name);
  if (tool === undefined) return refused(id, `There is no tool ${name}.`);
  if (world.calls.size >= CALLS_MAX) return refused(id, "Too many calls are under way already.");
  const cancelled = new AbortController();
  world.calls.set(String(id), cancelled);
  try {
    const denial = await judged({ tool, args, meta }, cancelled.signal, world);
    if (denial !== undefined) return refused(id, denial);
    return rpcResult(id, await run(tool, { args, signal: cancelled.signal }, world));
  } finally {
    world.calls.delete(String(id));
  }
}

const Decision = z.looseObject({ decision: z.enum(["allow", "deny"]), reason: z.string(), review: z.string() });

type Asked = { tool: ServerTool; args: JsonObject; meta: JsonObject };

/** Undefined: the gate lets it pass. Whatever is not a clear yes is a no. */
async function judged({ tool, args, meta }: Asked, signal: AbortSignal, world: World): Promise<string | undefined> {
  const { link, changed } = world;
  const isReading = isReadOnly(tool, { ...link.settings, isAsTrusted: !changed.has(tool.name) });
  const name = `mcp__${link.name}__${tool.name}`;
  const asked = isReading ? { tool: "read", args: { with: name, about: args } } : { tool: name, args };
  const line = { do: "call", ...world.place(world.client, meta), ...asked, waitMs: PERSON_MS_MAX };
  const told = await world.ask(JsonObject.parse(line), signal);
  if (signal.aborted) return "It was cancelled before it began.";
  const { data } = Decision.safeParse(told);
  if (data?.decision === "allow") return undefined;
  if (data === undefined)
    return `Not run: ${typeof told["error"] === "string" ? told["error"] : "the gate did not answer."}`;
  const isChanged = changed.has(tool.name) ? ` ${CHANGED}` : "";
  return `${data.reason}${isChanged} People decide at ${data.review}`;
}

const CHANGED =
  "The server describes this tool otherwise than when a person trusted it, so it counts as changing things until they have looked again.";

type Running = { args: JsonObject; signal: AbortSignal };

async function run(tool: ServerTool, { args, signal }: Running, { link }: World): Promise<JsonObject> {
  const output = await ask(link, { what: `its tool ${tool.name}`, signal }, async () => {
    const result = await link.use(
      (client, options) => client.callTool({ name: tool.name, arguments: args }, options),
      signal,
    );
    return { status: "ok", content: bounded(result) };
  });
  const { data } = JsonObject.safeParse(output.content);
  return output.status === "ok" && data !== undefined ? data : failedResult(textOf(output.content));
}

/** What is too long is cut, and says so. */
function bounded({ content, structuredContent, isError }: CallToolResult): Json {
  let chars = ANSWER_CHARS_MAX;
  let media = MEDIA_CHARS_MAX;
  const blocks = content.map((block) => {
    const size = block.type === "image" || block.type === "audio" ? block.data.length : 0;
    if (size > 0 && size <= media) {
      media -= size;
      return block;
    }
    const text = blockText(block);
    const shown = text.slice(0, chars).toWellFormed();
    chars -= shown.length;
    const cut =
      shown.length < text.length ? `\n(cut here: ${shown.length} of ${text.length} characters are shown)` : "";
    return { type: "text", text: `${shown}${cut}` };
  });
  const isShort = structuredContent !== undefined && JSON.stringify(structuredContent).length <= ANSWER_CHARS_MAX;
  const answered = {
    content: blocks,
    ...(isShort ? { structuredContent } : {}),
    ...(isError === true ? { isError } : {}),
  };
  return Json.parse(JSON.parse(JSON.stringify(answered)));
}

const textOf = (content: Json): string => (typeof content === "string" ? content : JSON.stringify(content));
const failedResult = (text: string): JsonObject => ({ content: [{ type: "text", text }], isError: true });
const refused = (id: RpcId, text: string): JsonObject => rpcResult(id, failedResult(text));
