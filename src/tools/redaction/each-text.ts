/**
 * JSON with each of its texts changed, names too. It is read once, however deep it is: a schema at each level would read all that lies below
 * once more, and programs choose how deep and wide that is.
 */
import type { Json, JsonObject } from "../../protocol/json.ts";

/** `isKept`: this member stays as it is. */
export type Change = { text(given: string): string; isKept?(owner: JsonObject, key: string): boolean };

/** As a member it would become the prototype. */
const PROTO = "__proto__";

export function eachText(given: Json, change: Change): Json {
  if (typeof given === "string") return change.text(given);
  if (Array.isArray(given)) return given.map((item) => eachText(item, change));
  return given === null || typeof given !== "object" ? given : eachTextIn(given, change);
}

export function eachTextIn(given: JsonObject, change: Change): JsonObject {
  const made: JsonObject = {};
  for (const [key, item] of Object.entries(given)) {
    const name = change.text(key);
    if (name !== PROTO) made[name] = change.isKept?.(given, key) === true ? item : eachText(item, change);
  }
  return made;
}
