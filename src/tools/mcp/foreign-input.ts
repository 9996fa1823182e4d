/**
 * A server's JSON Schema as it is sent to the model, and what of it is checked here. The schema is untrusted data: it
 * is bounded and shown, and its top level is checked by hand. It is not compiled, because a validator made from it
 * would run the stranger's patterns, and deeper checks are the server's own business.
 */
import type { z } from "zod";
import { JsonObject } from "../../protocol/json.ts";
import { visible } from "../untrusted.ts";

const SCHEMA_CHARS_MAX = 20_000;
const DEPTH_MAX = 24;
const COMBINED = ["allOf", "anyOf", "oneOf", "$ref", "if", "dependentSchemas", "patternProperties"];

export type ForeignInput = { inputSchema: JsonObject; input: z.ZodType<JsonObject> };

/** Undefined when the schema cannot be used: it is no object's, too large or too deep. */
export function foreignInput(given: unknown): ForeignInput | undefined {
  const parsed = JsonObject.safeParse(given);
  if (!parsed.success || parsed.data["type"] !== "object") return undefined;
  if (JSON.stringify(parsed.data).length > SCHEMA_CHARS_MAX || depthOf(parsed.data) > DEPTH_MAX) return undefined;
  const { $schema: _dialect, ...schema } = parsed.data;
  const inputSchema = closed(readable(schema));
  return { inputSchema, input: checkedBy(inputSchema) };
}

function depthOf(value: unknown): number {
  if (value === null || typeof value !== "object") return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** Texts in a schema are read by the model like a description. */
function readable(schema: JsonObject): JsonObject {
  return JsonObject.parse(
    JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
      (key === "description" || key === "title") && typeof value === "string" ? visible(value) : value,
    ),
  );
}

/** Adds what the server leaves out: properties that it does not name are refused. */
function closed(schema: JsonObject): JsonObject {
  if (schema["additionalProperties"] !== undefined || schema["unevaluatedProperties"] !== undefined) return schema;
  const isCombined = COMBINED.some((keyword) => schema[keyword] !== undefined);
  return { ...schema, [isCombined ? "unevaluatedProperties" : "additionalProperties"]: false };
}

function checkedBy(schema: JsonObject): z.ZodType<JsonObject> {
  const properties = tableOf(schema["properties"]);
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  return JsonObject.superRefine((args, context) => {
    const say = (path: string[], message: string): void => context.addIssue({ code: "custom", path, message });
    for (const name of Object.keys(args)) {
      if (schema["additionalProperties"] === false && !Object.hasOwn(properties, name)) say([name], "unknown property");
    }
    for (const name of required) {
      if (typeof name === "string" && !Object.hasOwn(args, name)) say([name], "is required");
    }
    for (const [name, value] of Object.entries(args)) {
      const wanted = Object.hasOwn(properties, name) ? tableOf(properties[name])["type"] : undefined;
      if (typeof wanted === "string" && !isOfType(value, wanted)) say([name], `expected ${wanted}`);
    }
  });
}

const tableOf = (value: unknown): JsonObject => {
  const parsed = JsonObject.safeParse(value);
  return parsed.success ? parsed.data : {};
};

function isOfType(value: unknown, wanted: string): boolean {
  switch (wanted) {
    case "string":
    case "boolean":
    case "number":
      return typeof value === wanted;
    case "integer":
      return Number.isInteger(value);
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return value !== null && typeof value === "object" && !Array.isArray(value);
    default:
      return true; // a keyword that we do not know is checked by the server
  }
}
