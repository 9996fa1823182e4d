/** The smallest arguments that a tool's own schema takes: so that a call is held by the gate, not by a missing field. */
import type { Json, JsonObject } from "../../../protocol/json.ts";

const DEPTH_MAX = 6;
export const SAMPLE = "gate-doctor";
/** A name that can never be looked up (RFC 2606). */
const SAMPLE_URL = "https://gate-doctor.invalid/";

/** Each way in which a tool can be called, as far as its schema tells: an action may write where another one reads. */
export function sampleVariants(schema: JsonObject): JsonObject[] {
  const { anyOf, oneOf, ...whole } = schema;
  const shapes = [...listOf(anyOf), ...listOf(oneOf)].filter(isFields);
  const variants = shapes.length === 0 ? [whole] : shapes.map((shape) => joined(whole, shape));
  return variants.flatMap(byChoice).slice(0, VARIANTS_MAX);
}

/** One of several shapes, with what holds for all of them. */
const joined = (whole: JsonObject, shape: JsonObject): JsonObject => ({
  ...whole,
  ...shape,
  type: "object",
  properties: { ...fieldsIn(whole["properties"]), ...fieldsIn(shape["properties"]) },
  required: [...new Set([...listOf(whole["required"]), ...listOf(shape["required"])])],
});

const fieldsIn = (value: Json | undefined): JsonObject => (isFields(value) ? value : {});

const VARIANTS_MAX = 12;

/** One for each value that its first required choice may have. */
function byChoice(schema: JsonObject): JsonObject[] {
  const base = sampleArgs(schema);
  const properties = fieldsIn(schema["properties"]);
  const name = Object.keys(base).find((key) => choicesOf(properties[key]).length > 1);
  return name === undefined ? [base] : choicesOf(properties[name]).map((choice) => ({ ...base, [name]: choice }));
}

const choicesOf = (schema: Json | undefined): Json[] => (isFields(schema) ? listOf(schema["enum"]) : []);

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
      return schema["format"] === "uri" ? SAMPLE_URL : SAMPLE;
  }
}

function fieldsOf(schema: JsonObject, depth: number): JsonObject {
  const properties = fieldsIn(schema["properties"]);
  const required = listOf(schema["required"]).filter((name) => typeof name === "string");
  return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name], depth + 1)]));
}

const typeOf = ({ type }: JsonObject): Json | undefined => (Array.isArray(type) ? type[0] : type);
const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);
const atLeast = (value: Json | undefined): number => (typeof value === "number" ? Math.max(0, Math.ceil(value)) : 0);
const isFields = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
