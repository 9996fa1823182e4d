import { createHash } from "node:crypto";
import { Json } from "../../protocol/json.ts";
import type { PlanBody } from "../protocol/plan.ts";

/** The hash of exactly what a person reads: SHA-256 of the body as canonical JSON, in hex. */
export const planDigest = (body: PlanBody): string =>
  createHash("sha256")
    .update(canonicalJson(Json.parse(body)))
    .digest("hex");

/** One text per value: keys sorted, no spaces. */
function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const fields = Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`);
  return `{${fields.join(",")}}`;
}
