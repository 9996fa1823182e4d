/** The messages that MCP and ACP are made of. */
import { z } from "zod";
import { Json, JsonObject } from "../protocol/json.ts";

export const METHOD_NOT_FOUND = -32_601;
export const INVALID_REQUEST = -32_600;
export const INVALID_PARAMS = -32_602;
export const INTERNAL_ERROR = -32_603;

export const RpcId = z.union([z.string(), z.int()]);
export type RpcId = z.infer<typeof RpcId>;

/** A request has a method and an id, a notification no id, an answer no method. */
export const RpcMessage = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: RpcId.optional(),
  method: z.string().optional(),
  params: JsonObject.optional(),
});

export const rpcResult = (id: RpcId, result: JsonObject): JsonObject => ({ jsonrpc: "2.0", id, result });

export const rpcFailure = (id: RpcId | null, code: number, message: string): JsonObject => ({
  jsonrpc: "2.0",
  id: Json.parse(id),
  error: { code, message },
});
