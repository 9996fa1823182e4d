/** What the schema wants at one place, in words for people; made from the same JSON Schema that editors get. */
import { z } from "zod";
import { Json, type JsonObject } from "../protocol/json.ts";
import { Config } from "./config.ts";

type Path = readonly PropertyKey[];

let made: JsonObject | undefined;

/** The JSON Schema of the file, for editors and for `config schema`. */
export function configSchema(): JsonObject {
  made ??= objectOf(Json.parse(z.toJSONSchema(Config, { io: "input" }))) ?? {};
  return made;
}

/** Names that may stand at a path; empty where no names are expected. */
export function namesAt(path: Path): string[] {
  return [...new Set(schemasAt(path).flatMap((schema) => Object.keys(objectOf(schema["properties"]) ?? {})))];
}

/** "a whole number from 0 to 65535"; empty where the schema says nothing that helps. */
export function expectedAt(path: Path): string {
  return [...new Set(schemasAt(path).map(describe))].filter((text) => text !== "").join(", or ");
}

/** True when the schema knows a setting at this path, whether or not the file has it. */
export const isKnown = (path: Path): boolean => schemasAt(path).length > 0;

/** True where the schema holds a list, whose places are named by number. */
export const isList = (path: Path): boolean => schemasAt(path).some((schema) => schema["type"] === "array");

function schemasAt(path: Path): JsonObject[] {
  return path
    .reduce<JsonObject[]>((schemas, key) => schemas.flatMap((schema) => child(schema, key)), [configSchema()])
    .flatMap(alternatives);
}

function child(schema: JsonObject, key: PropertyKey): JsonObject[] {
  return alternatives(schema).flatMap((option) => {
    const isIndex = typeof key === "number" || /^\d+$/.test(String(key));
    const next = option["type"] === "array" && isIndex ? option["items"] : own(option["properties"], String(key));
    // a table of freely chosen names, such as servers, describes all of them by one schema
    return listed(objectOf(next) ?? objectOf(option["additionalProperties"]));
  });
}

const own = (properties: Json | undefined, key: string): Json | undefined => {
  const table = objectOf(properties);
  return table !== undefined && Object.hasOwn(table, key) ? table[key] : undefined;
};

function alternatives(schema: JsonObject): JsonObject[] {
  const options = schema["anyOf"] ?? schema["oneOf"];
  if (!Array.isArray(options)) return [schema];
  return options.flatMap((option) => listed(objectOf(option))).flatMap(alternatives);
}

function describe(schema: JsonObject): string {
  if (Array.isArray(schema["enum"])) return `one of ${schema["enum"].map(String).join(", ")}`;
  if (schema["const"] !== undefined) return JSON.stringify(schema["const"]);
  switch (schema["type"]) {
    case "integer":
    case "number":
      return `a whole number${range(schema)}`;
    case "boolean":
      return "true or false";
    case "string":
      return schema["format"] === "uri" ? "an address such as https://example.org" : "text";
    case "array":
      return listWords(schema);
    case "object":
      return `settings: ${Object.keys(objectOf(schema["properties"]) ?? {}).join(", ")}`;
    case "null":
      return "null";
    default:
      return "";
  }
}

/** What its places hold is said only where it is needed: where there must be some. */
function listWords(schema: JsonObject): string {
  const { minItems } = schema;
  if (typeof minItems !== "number" || minItems < 1) return "a list";
  const items = describe(objectOf(schema["items"]) ?? {});
  return `a list of at least ${minItems}${items === "" ? "" : ` (${items})`}`;
}

function range(schema: JsonObject): string {
  const { minimum, maximum } = schema;
  if (typeof minimum !== "number" || typeof maximum !== "number") return "";
  return maximum === Number.MAX_SAFE_INTEGER ? ` from ${minimum}` : ` from ${minimum} to ${maximum}`;
}

const listed = (schema: JsonObject | undefined): JsonObject[] => (schema === undefined ? [] : [schema]);

function objectOf(value: Json | undefined): JsonObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
}
