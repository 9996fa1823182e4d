/**
 * The MCP server: any client can plan, ask and wait for a decision (IG-01). It answers at once and lets the model ask again,
 * because clients cut long calls off. What a client answers to an elicitation decides nothing: the agent itself could give
 * it. So only the address is handed over, where a person is who they are.
 *
 *   initialize ─▶ tools/list ─▶ tools/call ─▶ one line to the decision service ─▶ its answer as text and as data
 */
import { z } from "zod";
import type { ExternalPlace } from "../../protocol/external/decisions.ts";
import { JsonObject } from "../../protocol/json.ts";
import { INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, rpcFailure, RpcId, RpcMessage } from "../json-rpc.ts";
import { planToolLine, planToolList } from "./plan-tools.ts";

export const MCP_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;
const WAITERS_MAX = 32;

export type McpParts = {
  version: string;
  /** Asks the decision service; the signal only drops the waiter. */
  ask(line: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  place(client: string, meta: JsonObject): ExternalPlace;
  /** To the client, where there is a way: requests of our own. */
  send?(message: JsonObject): void;
};

export type McpServer = {
  /** Undefined: there is nothing to answer. */
  handle(message: unknown): Promise<JsonObject | undefined>;
};

type Client = { name: string; showsAddresses: boolean };
type World = McpParts & { client: Client; waiters: Map<string, AbortController>; shown: Set<string> };

const Initialize = z.looseObject({
  protocolVersion: z.string(),
  clientInfo: z.looseObject({ name: z.string().max(200) }).optional(),
  capabilities: z.looseObject({ elicitation: z.looseObject({ url: z.unknown().optional() }).optional() }).optional(),
});
const Called = z.looseObject({ name: z.string(), arguments: JsonObject.optional(), _meta: JsonObject.optional() });

export function createMcpServer(parts: McpParts): McpServer {
  const world: World = {
    ...parts,
    client: { name: "mcp", showsAddresses: false },
    waiters: new Map(),
    shown: new Set(),
  };
  return {
    async handle(given) {
      const { data } = RpcMessage.safeParse(given);
      if (data === undefined) return rpcFailure(null, INVALID_REQUEST, "This is no JSON-RPC message.");
      const { id, method, params = {} } = data;
      if (method === undefined) return undefined; // an answer to a request of ours
      if (id === undefined) {
        notified(method, params, world);
        return undefined;
      }
      return answer({ id, method, params }, world);
    },
  };
}

type Request = { id: RpcId; method: string; params: JsonObject };

async function answer({ id, method, params }: Request, world: World): Promise<JsonObject> {
  switch (method) {
    case "initialize":
      return initialized({ id, params }, world);
    case "ping":
      return { jsonrpc: "2.0", id, result: {} };
    case "tools/list":
      return { jsonrpc: "2.0", id, result: { tools: planToolList() } };
    case "tools/call":
      return called({ id, params }, world);
    default:
      return rpcFailure(id, METHOD_NOT_FOUND, `There is no method ${method}.`);
  }
}

function notified(method: string, params: JsonObject, { waiters }: World): void {
  if (method !== "notifications/cancelled") return;
  const { data } = RpcId.safeParse(params["requestId"]);
  if (data !== undefined) waiters.get(String(data))?.abort();
}

function initialized({ id, params }: Omit<Request, "method">, world: World): JsonObject {
  const { data } = Initialize.safeParse(params);
  if (data === undefined) return rpcFailure(id, INVALID_PARAMS, "initialize needs a protocolVersion.");
  world.client = {
    name: data.clientInfo?.name ?? "mcp",
    showsAddresses: data.capabilities?.elicitation?.url !== undefined,
  };
  const protocolVersion = MCP_VERSIONS.find((version) => version === data.protocolVersion) ?? MCP_VERSIONS[0];
  const serverInfo = { name: "holdpoint", version: world.version };
  return {
    jsonrpc: "2.0",
    id,
    result: { protocolVersion, capabilities: { tools: {} }, serverInfo, instructions: INSTRUCTIONS },
  };
}

const INSTRUCTIONS =
  "Before you change anything (files, commands that write, other systems), submit a plan with submit_plan and wait with wait_for_decision until a person has approved it. Read as much as you like before. If a call of yours is refused, the refusal says what to do. When a step is done, report it with update_plan.";

async function called({ id, params }: Omit<Request, "method">, world: World): Promise<JsonObject> {
  const { data } = Called.safeParse(params);
  if (data === undefined) return rpcFailure(id, INVALID_PARAMS, "tools/call needs a name.");
  const { name, arguments: args, ["_meta"]: meta = {} } = data;
  const place = world.place(world.client.name, meta);
  const line = planToolLine(name, args, place);
  if (typeof line === "string") return toolResult(id, { text: line, isError: true });
  if (world.waiters.size >= WAITERS_MAX) return toolResult(id, { text: "Too many calls wait already.", isError: true });
  const waiter = new AbortController();
  world.waiters.set(String(id), waiter);
  try {
    const told = await world.ask(line, waiter.signal);
    showAddress(told, world);
    return toolResult(id, { text: textOf(told), data: told, isError: "error" in told });
  } finally {
    world.waiters.delete(String(id));
  }
}

type Result = { text: string; data?: JsonObject; isError: boolean };

const toolResult = (id: Request["id"], { text, data, isError }: Result): JsonObject => ({
  jsonrpc: "2.0",
  id,
  result: {
    content: [{ type: "text", text }],
    ...(data === undefined || isError ? {} : { structuredContent: data }),
    ...(isError ? { isError } : {}),
  },
});

const Told = z.looseObject({
  outcome: z.string().optional(),
  status: z.string().optional(),
  message: z.string().optional(),
  edited: z.string().optional(),
  review: z.string().optional(),
  error: z.string().optional(),
});

function textOf(told: JsonObject): string {
  const { outcome, status, message = "", edited, review = "", error } = Told.parse(told);
  if (error !== undefined) return error;
  const isWaiting = outcome === "pending" || status === "pending" || status === "asking";
  return [
    `${outcome ?? status ?? ""}: ${message}`.trim(),
    ...(edited === undefined ? [] : [`The plan as it was approved:\n\n${edited}`]),
    ...(isWaiting ? [`It is decided at ${review}. Call wait_for_decision to go on waiting.`] : []),
  ].join("\n\n");
}

/** A client that shows addresses offers this one to the person who sits in front of it, once. */
function showAddress(told: JsonObject, { client, send, shown }: World): void {
  const { outcome, review } = Told.parse(told);
  if (!client.showsAddresses || send === undefined || outcome !== "pending" || review === undefined) return;
  if (shown.has(review)) return;
  shown.add(review);
  const message = "An agent's plan or question waits for you at Holdpoint.";
  const params = { mode: "url", message, url: review, elicitationId: `holdpoint-${shown.size}` };
  send({ jsonrpc: "2.0", id: `holdpoint-${shown.size}`, method: "elicitation/create", params });
}
