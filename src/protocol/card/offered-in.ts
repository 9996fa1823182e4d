/** An approval with what its surface offered of the text: recorded with the decision, so that seen is decided (I06). */
import type { Json, JsonObject } from "../json.ts";

/** Actions of an approval card that unlock what its text says. */
const APPROVING: ReadonlySet<unknown> = new Set(["approve", "edit", "approve_edited"]);

/** The value of an action, unchanged where it approves no text that it names by its digest. */
export function offeredIn(value: Json, offered: "whole" | "part"): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const isApproval = APPROVING.has(value["action"]) && typeof value["digest"] === "string";
  return isApproval ? { ...value, offered } : value;
}

/** A patch that a surface sends which showed the whole text. */
export const offeringWhole = (patch: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(patch).map(([field, value]) => [field, offeredIn(value, "whole")]));
