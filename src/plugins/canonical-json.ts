import { createHash } from "node:crypto";
import type { Json } from "../protocol/json.ts";

/** One text per value: keys sorted by code unit at every level, no spaces. What is shown, hashed and run is this form. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const fields = Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`);
  return `{${fields.join(",")}}`;
}

export const digestOf = (value: Json): string => createHash("sha256").update(canonicalJson(value)).digest("hex");
