/** Events of the past come as JSON of many shapes, plugins' among them: what is not as expected is simply not there. */
import type { Json, JsonObject } from "../../src/protocol/json.ts";

export const isRecord = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function recordIn(from: JsonObject | undefined, name: string): JsonObject | undefined {
  const value = from?.[name];
  return isRecord(value) ? value : undefined;
}

/** Empty where there is none. */
export function textIn(from: JsonObject | undefined, name: string): string {
  const value = from?.[name];
  return typeof value === "string" ? value : "";
}

export function listIn(from: JsonObject | undefined, name: string): JsonObject[] {
  const value: Json | undefined = from?.[name];
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
