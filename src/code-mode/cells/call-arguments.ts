/**
 * The arguments of a call as a program wrote them, read in time that grows with their length alone: they are JSON already,
 * and a schema for any JSON takes so long for a wide one that the gateway's loop would stand still.
 */
import type { Json, JsonObject } from "../../protocol/json.ts";
import { isTooDeep } from "../sandbox/json-depth.ts";

export type Arguments = { args: Json[] } | { problem: string };

export function readArguments(argsJson: string): Arguments {
  if (isTooDeep(argsJson)) return { problem: "The arguments are nested too deeply." };
  const given: Json = JSON.parse(
    argsJson,
    argsJson.includes(PROTO) || argsJson.includes("\\u") ? withoutProto : undefined,
  );
  return Array.isArray(given) ? { args: given } : { problem: "The arguments are no list." };
}

const PROTO = "__proto__";

/** An own member of this name would become a prototype where arguments are copied. */
const withoutProto = (key: string, value: unknown): unknown => (key === PROTO ? undefined : value);

export const isObject = (value: Json): value is JsonObject =>
  value !== null && typeof value === "object" && !Array.isArray(value);
