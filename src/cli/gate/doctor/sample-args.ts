/** The smallest arguments that a tool's own schema takes: so that a call is held by the gate, not by a missing field. */
import type { Json, JsonObject } from "../../../protocol/json.ts";

const DEPTH_MAX = 6;
const SAMPLE = "gate-doctor";

export function sampleArgs(schema: JsonObject): JsonObject {
  const value = sampleOf(schema, 0);
  return isFields(value) ? value : {};
}

function sampleOf(schema: Json | undefined, depth: number): Json {
  if (!isFields(schema) || depth > DEPTH_MAX) return SAMPLE;
  if (schema["const"] !== undefined) return schema["const"];
  const [first] = listOf(schema["enum"]);
  if (first !== undefined) return first;
  const [choice] = [...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])];
  if (choice !== undefined) return sampleOf(choice, depth + 1);
  switch (typeOf(schema)) {
    case "object":
      return fieldsOf(schema, depth);
    case "array":
      return Array.from({ length: atLeast(schema["minItems"]) }, () => sampleOf(schema["items"], depth + 1));
    case "integer":
    case "number":
      return atLeast(schema["minimum"]);
    case "boolean":
      return false;
    case "null":
      return null;
    default:
      return SAMPLE;
  }
}

function fieldsOf(schema: JsonObject, depth: number): JsonObject {
  const properties = isFields(schema["properties"]) ? schema["properties"] : {};
  const required = listOf(schema["required"]).filter((name) => typeof name === "string");
  return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name], depth + 1)]));
}

const typeOf = ({ type }: JsonObject): Json | undefined => (Array.isArray(type) ? type[0] : type);
const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);
const atLeast = (value: Json | undefined): number => (typeof value === "number" ? Math.max(0, Math.ceil(value)) : 0);
const isFields = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
