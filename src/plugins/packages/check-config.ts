/**
 * A plugin's settings against the JSON Schema of its manifest. The schema is a stranger's: patterns in it are not run
 * here, because one of them could hold up the whole gateway; the plugin's own schema checks them where it runs.
 */
import { z } from "zod";
import { type Json, JsonObject } from "../../protocol/json.ts";

const SCHEMA_CHARS_MAX = 100_000;
const SCHEMA_DEPTH_MAX = 24;
const PROBLEMS_MAX = 5;
/** Run by a regular expression of the author's, or followed to somewhere else. */
const DROPPED: ReadonlySet<string> = new Set([
  "pattern",
  "patternProperties",
  "format",
  "contentEncoding",
  "$schema",
  "$id",
]);

export type CheckedConfig = { ok: true; config: JsonObject } | { ok: false; problem: string };

/** Without a schema a plugin has no settings, and any that are there belong to something else. */
export function checkConfig(given: JsonObject, schema: JsonObject | undefined): CheckedConfig {
  if (schema === undefined) {
    const [first] = Object.keys(given);
    return first === undefined
      ? { ok: true, config: {} }
      : { ok: false, problem: `"${first}": the plugin has no settings` };
  }
  const checker = schemaChecker(schema);
  if ("problem" in checker) return { ok: false, problem: `its configSchema cannot be used: ${checker.problem}` };
  const parsed = checker.type.safeParse(given);
  if (!parsed.success) {
    const problems = parsed.error.issues.slice(0, PROBLEMS_MAX);
    return {
      ok: false,
      problem: problems.map((issue) => `${issue.path.join(".") || "config"}: ${issue.message}`).join("; "),
    };
  }
  const config = JsonObject.safeParse(parsed.data);
  return config.success ? { ok: true, config: config.data } : { ok: false, problem: "config: expected an object" };
}

/** A checker made from a stranger's schema, bounded and without anything that takes its own time. */
export function schemaChecker(schema: JsonObject): { type: z.ZodType } | { problem: string } {
  if (JSON.stringify(schema).length > SCHEMA_CHARS_MAX) return { problem: "it is too large" };
  if (depthOf(schema) > SCHEMA_DEPTH_MAX) return { problem: "it is nested too deeply" };
  try {
    return { type: z.fromJSONSchema(JsonObject.parse(calm(schema))) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message.slice(0, 300) : String(error) };
  }
}

function depthOf(value: Json): number {
  if (value === null || typeof value !== "object") return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** Properties may have any name; keywords only stand outside of `properties`. */
function calm(value: Json, isNames = false): Json {
  if (Array.isArray(value)) return value.map((item) => calm(item));
  if (value === null || typeof value !== "object") return value;
  const kept = Object.entries(value).filter(([key]) => isNames || !DROPPED.has(key));
  return Object.fromEntries(kept.map(([key, item]) => [key, calm(item, !isNames && NAMED.has(key))]));
}

const NAMED: ReadonlySet<string> = new Set(["properties", "$defs", "definitions", "dependentSchemas"]);
