/** A JSON Schema as a person reads it, in the notation of TypeScript. */
import type { JsonSchema } from "./schema.ts";

export function typeText(schema: JsonSchema | boolean): string {
  if (typeof schema === "boolean") return schema ? "Json" : "never";
  if (schema.$ref !== undefined) return schema.$ref.replace(/^.*\//, "");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) return options.map(typeText).join(" | ");
  switch (schema.type) {
    case "array":
      return `${grouped(itemText(schema))}[]`;
    case "object":
      return objectText(schema);
    case "integer":
      return "integer";
    default:
      return typeNames(schema.type);
  }
}

/** zod writes a nullable text as a list of types, which the library's own type does not foresee. */
function typeNames(type: unknown): string {
  const names: unknown[] = Array.isArray(type) ? type : [type];
  const known = names.filter((name) => typeof name === "string");
  return known.length === 0 ? "Json" : known.join(" | ");
}

const itemText = ({ items }: JsonSchema): string =>
  items === undefined || Array.isArray(items) ? "Json" : typeText(items);
const grouped = (text: string): string => (text.includes(" | ") ? `(${text})` : text);

function objectText({ properties, required = [], additionalProperties }: JsonSchema): string {
  const fields = Object.entries(properties ?? {}).map(
    ([name, field]) => `${name}${required.includes(name) ? "" : "?"}: ${typeText(field)}`,
  );
  if (fields.length > 0) return `{ ${fields.join("; ")} }`;
  const values = additionalProperties;
  return values === undefined || values === false ? "{}" : `{ [name]: ${typeText(values)} }`;
}
